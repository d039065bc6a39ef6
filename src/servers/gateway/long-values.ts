import type { JsonPath } from '../../text/json-edit.ts';
import { isJsonObject, type Json, type JsonObject } from '../../text/json-value.ts';
import { binaryBlock } from './maskers/binary-block.ts';
import { longText } from './maskers/long-text.ts';
import type { Claim, Masker, ResultLimits } from './maskers/masker.ts';

/** Asked in this order: a masker that knows more of a value comes before one that knows less. */
const MASKERS: readonly Masker[] = [binaryBlock, longText];

/** Where in an MCP message a value sits; what may be done to it depends on that. */
type Zone = 'content' | 'structured' | 'error';

/** A claimed value and where it sits in the message. */
export interface LongValue extends Claim {
  readonly path: JsonPath;
  readonly zone: Zone;
}

const HANDSHAKES: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'ping']);

/** Whether the results of a method are content for the model: not lists for programs, handshakes or notifications. */
export function returnsContent(method: string): boolean {
  if (method === '' || HANDSHAKES.has(method)) return false;
  return !method.endsWith('/list') && !method.startsWith('notifications/');
}

/** The values of a JSON-RPC answer that are over the limit and may be shortened; nothing else is ever touched. */
export function findLongValues(message: JsonObject, method: string, limits: ResultLimits): LongValue[] {
  const found: LongValue[] = [];
  if (limits.maxChars <= 0) return found;
  const { result } = message;
  if (returnsContent(method) && result !== undefined && !asksForInput(result)) {
    collect(result, ['result'], { found, zone: 'content', limits });
  }
  if (isJsonObject(message.error) && message.error.data !== undefined) {
    collect(message.error.data, ['error', 'data'], { found, zone: 'error', limits });
  }
  return found;
}

/** Such a result is a question to the client; its opaque state has to come back whole. */
function asksForInput(result: Json): boolean {
  return isJsonObject(result) && result.resultType === 'input_required';
}

interface Search {
  readonly found: LongValue[];
  readonly zone: Zone;
  readonly limits: ResultLimits;
}

function collect(value: Json, path: (string | number)[], search: Search): void {
  const { found, zone, limits } = search;
  const isText = typeof value === 'string';
  // Most values of most answers are short: asking the maskers about each took a fifth of the time of a 20 kB answer.
  if (isText ? value.length <= limits.maxChars : typeof value !== 'object' || value === null) return;
  // Blocks are found in content alone.
  const claim = isText || zone === 'content' ? claimed(value, limits) : undefined;
  if (claim === 'untouched') return;
  if (claim !== undefined) found.push({ ...claim, path: [...path], zone });
  else if (isJsonObject(value)) collectMembers(value, path, search);
  else if (Array.isArray(value)) collectItems(value, path, search);
}

function claimed(value: Json, limits: ResultLimits): ReturnType<Masker> {
  for (const masker of MASKERS) {
    const claim = masker(value, limits);
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

/** Keys whose values are for programs: a shortened address, cursor, schema or metadata is of no use to them. */
const UNTOUCHED: ReadonlySet<string> = new Set(['_meta', 'uri', 'nextCursor', 'inputSchema', 'outputSchema']);

function collectMembers(members: JsonObject, path: (string | number)[], search: Search): void {
  for (const key in members) {
    if (UNTOUCHED.has(key)) continue;
    path.push(key);
    const isStructured = key === 'structuredContent' && path.length === RESULT_MEMBER;
    collect(members[key] as Json, path, isStructured ? { ...search, zone: 'structured' } : search);
    path.pop();
  }
}

/** How long the path of a member of the result is; `error.data` has longer ones. */
const RESULT_MEMBER = 2;
