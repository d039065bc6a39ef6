import { isJsonObject, type Json, type JsonObject } from './json.ts';
import type { MaskingLimits } from './mask-text.ts';
import type { Claim, MaskingPlace, Zone } from './masker.ts';
import { MASKERS } from './order.ts';

export type JsonPath = readonly (string | number)[];

/** A claimed value and where it sits in the message. */
export interface LongValue extends Claim {
  readonly path: JsonPath;
  readonly zone: Zone;
}

const MASKED_RESULTS: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** Is there anything in the answer to this method that may be masked, besides `error.data`? */
export function hasMaskableResult(method: string): boolean {
  return MASKED_RESULTS.has(method);
}

/** The values of a JSON-RPC answer that are over the limit and may be shortened; nothing else is ever touched. */
export function findLongValues(message: JsonObject, method: string, limits: MaskingLimits): LongValue[] {
  const found: LongValue[] = [];
  if (limits.maxChars <= 0) return found;
  if (MASKED_RESULTS.has(method) && message.result !== undefined) {
    collect(message.result, ['result'], { found, place: { zone: 'content', limits } });
  }
  if (isJsonObject(message.error) && message.error.data !== undefined) {
    collect(message.error.data, ['error', 'data'], { found, place: { zone: 'error', limits } });
  }
  return found;
}

interface Search {
  readonly found: LongValue[];
  readonly place: MaskingPlace;
}

function collect(value: Json, path: (string | number)[], search: Search): void {
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return;
  const claim = claimed(value, search.place);
  if (claim !== undefined) {
    search.found.push({ ...claim, path: [...path], zone: search.place.zone });
    return;
  }
  if (typeof value === 'string') return;
  if (isJsonObject(value)) collectMembers(value, path, search);
  else collectItems(value, path, search);
}

function claimed(value: Json, place: MaskingPlace): Claim | undefined {
  for (const masker of MASKERS) {
    const claim = masker(value, place);
    if (claim !== undefined) return claim;
  }
  return undefined;
}

function collectItems(items: readonly Json[], path: (string | number)[], search: Search): void {
  for (let at = 0; at < items.length; at += 1) {
    path.push(at);
    collect(items[at] as Json, path, search);
    path.pop();
  }
}

/** Addresses, cursors and metadata are for programs: half of one is worse than none. */
const UNTOUCHED: ReadonlySet<string> = new Set(['_meta', 'uri', 'nextCursor']);

function collectMembers(members: JsonObject, path: (string | number)[], search: Search): void {
  for (const key in members) {
    if (UNTOUCHED.has(key)) continue;
    path.push(key);
    collect(members[key] as Json, path, key === 'structuredContent' ? structured(search, path) : search);
    path.pop();
  }
}

function structured(search: Search, path: JsonPath): Search {
  if (path.length !== 2 || path[0] !== 'result') return search;
  return { found: search.found, place: { zone: 'structured', limits: search.place.limits } };
}

/** One value of a message and what takes its place. */
export interface Replacement {
  readonly path: JsonPath;
  readonly value: Json;
}

/** The message with these values replaced; containers along the way are copied once, all others shared. */
export function replaceValues(message: JsonObject, replacements: readonly Replacement[]): JsonObject {
  const root: { message: Json } = { message };
  const copies = new Set<object>([root]);
  for (const { path, value } of replacements) {
    const keys = ['message', ...path];
    const last = keys.pop() as string | number;
    let container: Container = root as unknown as Container;
    for (const key of keys) container = ownChild(container, key, copies);
    container[last] = value;
  }
  return root.message as JsonObject;
}

type Container = Record<string | number, Json>;

function ownChild(parent: Container, key: string | number, copies: Set<object>): Container {
  const child = parent[key] as unknown as object;
  if (copies.has(child)) return child as Container;
  const copy = (Array.isArray(child) ? child.slice() : { ...child }) as Container;
  copies.add(copy);
  parent[key] = copy as unknown as Json;
  return copy;
}
