import { isDeepStrictEqual } from 'node:util';
import {
  isInside,
  isJsonObject,
  type Json,
  type JsonObject,
  parsedJson,
  type Span,
} from '@secateur/base/text/json.ts';
import type { JsonPath } from '@secateur/base/text/json-edit.ts';
import type { MaskingLimits } from '../../masking/mask-text.ts';
import { binaryBlock } from './maskers/binary-block.ts';
import { longText } from './maskers/long-text.ts';

/** The maskers in the order in which they are asked: those for a specific format come before general ones. */
const MASKERS: readonly Masker[] = [binaryBlock, longText];

/** Part of an MCP message that holds a value; it decides what may be done to the value. */
type Zone = 'content' | 'structured' | 'error';

/** A value that is shortened, and where it is in the message. */
export interface Shortened extends Pick<MaskClaim, 'original' | 'hidden'> {
  readonly path: JsonPath;
  readonly zone: Zone;
  /** Set for an array: its original has one line per element, element 0 being line 1. */
  readonly elements?: {
    readonly kept: number;
    readonly total: number;
    readonly dropped: readonly Readonly<Span>[];
  };
}

/** A claimed value and where it is in the message. */
export interface LongValue extends Shortened, MaskClaim {}

/** Parts that a search for long values skips, because something else shortens them. */
export interface LeftOut {
  /** Index ranges of elements, by the array they are in. */
  readonly elements: ReadonlyMap<readonly Json[], readonly Readonly<Span>[]>;
  readonly blocks: ReadonlySet<Json>;
}

const NOTHING_LEFT_OUT: LeftOut = { elements: new Map(), blocks: new Set() };

const HANDSHAKES: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'ping']);

/**
 * Whether the results of a method are content for the model. Lists for programs, handshakes and notifications
 * are not.
 */
function returnsContent(method: string): boolean {
  if (method === '' || HANDSHAKES.has(method)) return false;
  return !method.endsWith('/list') && !method.startsWith('notifications/');
}

/**
 * Finds the values of a JSON-RPC answer that are over the limit and may be shortened. Nothing else is ever
 * changed.
 */
export function findLongValues(
  message: JsonObject,
  method: string,
  { leftOut = NOTHING_LEFT_OUT, ...limits }: ResultLimits & { readonly leftOut?: LeftOut },
): LongValue[] {
  const found: LongValue[] = [];
  if (limits.maxChars <= 0) return found;
  const search = { found, limits, leftOut };
  const result = contentResult(message, method);
  if (result !== undefined) collect(result, ['result'], { ...search, zone: 'content' });
  if (isJsonObject(message.error) && message.error.data !== undefined) {
    collect(message.error.data, ['error', 'data'], { ...search, zone: 'error' });
  }
  return found;
}

/**
 * Returns the result if it is content for the model. A result with `input_required` is a request to the client: its
 * opaque state has to come back unchanged.
 */
export function contentResult({ result }: JsonObject, method: string): Json | undefined {
  const asksForInput = isJsonObject(result) && result.resultType === 'input_required';
  return returnsContent(method) && !asksForInput ? result : undefined;
}

interface Search {
  readonly found: LongValue[];
  readonly zone: Zone;
  readonly limits: ResultLimits;
  readonly leftOut: LeftOut;
}

function collect(value: Json, path: (string | number)[], search: Search): void {
  const { found, zone, limits, leftOut } = search;
  const isText = typeof value === 'string';
  // Most values of most answers are short: asking the maskers about each one took a fifth of the time of a 20
  // kB answer.
  if (isText ? value.length <= limits.maxChars : typeof value !== 'object' || value === null) return;
  if (leftOut.blocks.has(value)) return;
  // Blocks occur in content only.
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
  const ranges = search.leftOut.elements.get(items) ?? [];
  for (let at = 0; at < items.length; at += 1) {
    if (isInside(at, ranges)) continue;
    path.push(at);
    collect(items[at] as Json, path, search);
    path.pop();
  }
}

/** Keys whose values are for programs: a shortened address, cursor, schema or metadata is of no use to them. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set([
  '_meta',
  'uri',
  'nextCursor',
  'inputSchema',
  'outputSchema',
]);

export function isForPrograms(key: string): boolean {
  return FOR_PROGRAMS.has(key);
}

function collectMembers(members: JsonObject, path: (string | number)[], search: Search): void {
  for (const key in members) {
    if (isForPrograms(key)) continue;
    path.push(key);
    const isStructured = key === 'structuredContent' && path.length === RESULT_MEMBER;
    collect(members[key] as Json, path, isStructured ? { ...search, zone: 'structured' } : search);
    path.pop();
  }
}

/** Path length of a member of the result; `error.data` has longer ones. */
const RESULT_MEMBER = 2;

/** A text block that repeats the JSON of `structuredContent`, for clients that show text only. */
export interface RepeatedText {
  readonly block: JsonObject;
  readonly text: string;
  readonly path: JsonPath;
  /** Path of the value it repeats: `structuredContent`, or its only member (FastMCP wraps lists as `{"result": […]}`). */
  readonly of: JsonPath;
  /** Length of the text as a multiple of its JSON without whitespace. */
  readonly widening: number;
}

/** Finds the long text blocks that repeat `structuredContent`. */
export function findRepeatedTexts(result: JsonObject, { maxChars }: ResultLimits): RepeatedText[] {
  const { structuredContent, content } = result;
  if (structuredContent === undefined || !Array.isArray(content)) return [];
  return content.flatMap((block, index) => {
    const text = isJsonObject(block) && block.type === 'text' ? block.text : undefined;
    if (typeof text !== 'string' || text.length <= maxChars || !OPENS_JSON.test(text)) return [];
    const value = parsedJson(text) as Json | undefined;
    const of = value === undefined ? undefined : repeatedPath(value, structuredContent);
    if (of === undefined) return [];
    const widening = text.length / JSON.stringify(value).length;
    return [{ block: block as JsonObject, text, path: ['result', 'content', index, 'text'], of, widening }];
  });
}

const OPENS_JSON = /^\s{0,100}[[{]/;

function repeatedPath(value: Json, structured: Json): JsonPath | undefined {
  const path = ['result', 'structuredContent'];
  if (isDeepStrictEqual(value, structured)) return path;
  const [[key, only] = ['', undefined], ...others] = isJsonObject(structured)
    ? Object.entries(structured)
    : [];
  return others.length === 0 && isDeepStrictEqual(value, only) ? [...path, key] : undefined;
}

/** Sizes above which the gateway shortens a result. */
export interface ResultLimits extends MaskingLimits {
  /** Size of the largest image or audio block that passes untouched, in bytes; 0 or less masks base64 like any string. */
  readonly maxMediaBytes: number;
  /** Characters a result may have in all before its longest arrays are shortened; 0 or less switches this off. */
  readonly maxResultChars: number;
}

/**
 * One way to shorten one kind of value. The first masker of `long-values.ts` that does not answer `undefined` decides:
 * `untouched` leaves the value and everything in it as it is.
 */
export type Masker = (value: Json, limits: ResultLimits) => MaskClaim | 'untouched' | undefined;

/** A value that is too long, and what replaces it. */
export interface MaskClaim {
  /** Text put into the recovery store before anything is cut. */
  readonly original: string;
  /** Characters of the original that will be hidden: from `start` up to, not including, `end`. */
  readonly hidden: { readonly start: number; readonly end: number };
  /** The value is its original, a readable text: it may be pruned instead of masked. Base64 may not. */
  readonly isText: boolean;
  /** The masked value; `note` (how to get the text back) goes beside the marker. */
  masked(note: string): Json;
}
