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
import { cutLongText, type MaskingLimits, maskMarker } from '../../masking/mask.ts';

/** Part of an MCP message that contains a value. It determines how the value may be shortened. */
type Zone = 'content' | 'structured' | 'error';

/** A shortened value, and its position in the message. */
export interface Shortened extends Pick<MaskClaim, 'original' | 'hidden'> {
  readonly path: JsonPath;
  readonly zone: Zone;
  /** Set for an array. It is stored as a text with one line per element, in which element 0 is line 1. */
  readonly elements?: {
    readonly kept: number;
    readonly total: number;
    readonly dropped: readonly Readonly<Span>[];
  };
}

/** A value that is to be masked, and its position in the message. */
export interface LongValue extends Shortened, MaskClaim {}

/** Values that are skipped, because another step shortens them. */
export interface LeftOut {
  /** Index ranges of skipped elements, per array. */
  readonly elements: ReadonlyMap<readonly Json[], readonly Readonly<Span>[]>;
  readonly blocks: ReadonlySet<Json>;
}

const NOTHING_LEFT_OUT: LeftOut = { elements: new Map(), blocks: new Set() };

const HANDSHAKES: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'ping']);

/** Whether a method's results are content for the model. Lists, handshakes and notifications are not. */
function returnsContent(method: string): boolean {
  return method !== '' && !HANDSHAKES.has(method) && !/\/list$|^notifications\//.test(method);
}

/** Finds the values of a JSON-RPC response that are too long and may be shortened. */
export function findLongValues(
  message: JsonObject,
  method: string,
  { leftOut = NOTHING_LEFT_OUT, ...limits }: ResultLimits & { readonly leftOut?: LeftOut },
): LongValue[] {
  const found: LongValue[] = [];
  if (limits.maxChars <= 0) return found;
  const enter = (value: Json, path: JsonPath) => {
    // Most values are short. Trying all maskers on them took 20 % of the time for a response of 20 kB.
    if (isShort(value, limits) || leftOut.blocks.has(value)) return undefined;
    const zone = zoneOf(path);
    const claim = claimOn(value, zone, limits);
    if (claim === undefined) return leftOut.elements.get(value as readonly Json[]) ?? NO_SPANS;
    if (claim !== 'untouched') found.push({ ...claim, path: [...path], zone });
    return undefined;
  };
  const result = contentResult(message, method);
  if (result !== undefined) walk(result, ['result'], enter);
  if (isJsonObject(message.error) && message.error.data !== undefined)
    walk(message.error.data, ['error', 'data'], enter);
  return found;
}

const NO_SPANS: readonly Span[] = [];

function isShort(value: Json, { maxChars }: ResultLimits): boolean {
  return typeof value === 'string' ? value.length <= maxChars : typeof value !== 'object' || value === null;
}

/** Blocks occur only in content. Maskers for certain formats are tried before the general one. */
function claimOn(value: Json, zone: Zone, limits: ResultLimits): Masking {
  if (typeof value !== 'string' && zone !== 'content') return undefined;
  return binaryBlock(value, limits) ?? longText(value, limits);
}

function zoneOf(path: JsonPath): Zone {
  if (path[0] === 'error') return 'error';
  return path[1] === 'structuredContent' ? 'structured' : 'content';
}

/**
 * Returns a result if it is content for the model. A result with `input_required` is not: it is a request to
 * the client, whose opaque state must not change.
 */
export function contentResult({ result }: JsonObject, method: string): Json | undefined {
  const asksForInput = isJsonObject(result) && result.resultType === 'input_required';
  return returnsContent(method) && !asksForInput ? result : undefined;
}

/** Keys whose values are for programs. A shortened address, cursor or schema would be useless. */
export const FOR_PROGRAMS = new Set('_meta uri nextCursor inputSchema outputSchema'.split(' '));

/** Visits a value and all values inside it, except values for programs. `enter` returns the elements to skip; `undefined` if none are. */
export function walk(
  value: Json,
  path: (string | number)[],
  enter: (value: Json, path: JsonPath) => readonly Readonly<Span>[] | undefined,
): void {
  const leftOut = enter(value, path);
  if (leftOut === undefined || typeof value !== 'object') return;
  const isList = Array.isArray(value);
  for (const key in value) {
    const step = isList ? Number(key) : key;
    if (typeof step === 'number' ? isInside(step, leftOut) : FOR_PROGRAMS.has(step)) continue;
    path.push(step);
    walk((value as JsonObject)[key] as Json, path, enter);
    path.pop();
  }
}

/** A text block that repeats the JSON of `structuredContent`, for clients that show only text. */
export interface RepeatedText {
  readonly block: JsonObject;
  readonly text: string;
  readonly path: JsonPath;
  /** Path of the value that the text repeats: `structuredContent` or its only member (FastMCP wraps lists as `{"result": […]}`). */
  readonly of: JsonPath;
  /** Length of the text, divided by the length of its JSON without whitespace. */
  readonly widening: number;
}

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
  /** Maximum bytes of an image or audio block that is not masked. With 0 or less, base64 is masked like any string. */
  readonly maxMediaBytes: number;
  /** Maximum characters of a whole result. Above it, the longest arrays are shortened. 0 or less switches this off. */
  readonly maxResultChars: number;
}

/** Result of a masker. `untouched`: the value and everything in it is kept. `undefined`: the next masker is tried. */
type Masking = MaskClaim | 'untouched' | undefined;

/** A value that is too long, with its replacement. */
export interface MaskClaim {
  /** Text that is stored for recovery before anything is cut. */
  readonly original: string;
  /** Hidden characters of the original: from `start` to before `end`. */
  readonly hidden: { readonly start: number; readonly end: number };
  /** Whether the value is readable text, which may be pruned instead of masked. Base64 is not. */
  readonly isText: boolean;
  /** Returns the masked value. `note` says how to recover the text and is put beside the marker. */
  masked(note: string): Json;
}

/** Shortens a string above the limit to its head, a marker and its tail. */
function longText(value: Json, limits: ResultLimits): Masking {
  if (typeof value !== 'string') return undefined;
  const cut = cutLongText(value, limits);
  if (cut === undefined) return undefined;
  return {
    original: value,
    hidden: { start: cut.head.length, end: value.length - cut.tail.length },
    isText: true,
    masked: (note) => cut.head + cut.marker + note + cut.tail,
  };
}

/**
 * Keeps images and audio of up to `maxMediaBytes` unchanged. Replaces larger ones, and other long blobs, by a
 * text block, because half a base64 string is useless.
 */
export function binaryBlock(value: Json, limits: ResultLimits): Masking {
  if (!isJsonObject(value) || limits.maxMediaBytes <= 0) return undefined;
  const found = base64Of(value);
  if (found === undefined) return undefined;
  const { base64, isMedia } = found;
  const bytes = Buffer.byteLength(base64, 'base64');
  if (isMedia && bytes <= limits.maxMediaBytes) return 'untouched';
  if (base64.length <= limits.maxChars) return undefined;
  const size = isMedia ? `, ${bytes} bytes, over max_media_bytes = ${limits.maxMediaBytes}` : '';
  const text = describe(found, size);
  return {
    original: base64,
    hidden: { start: 0, end: base64.length },
    isText: false,
    masked: () => found.replaced(text),
  };
}

interface Base64 {
  readonly base64: string;
  /** Whether a block is an image or audio, which models can read. */
  readonly isMedia: boolean;
  readonly source: JsonObject;
  replaced(text: string): JsonObject;
}

function base64Of(value: JsonObject): Base64 | undefined {
  const { type, data, resource } = value;
  const replaced = (text: string) => textBlock(value, text);
  if (type === 'image' || type === 'audio')
    return typeof data === 'string' ? { base64: data, isMedia: true, source: value, replaced } : undefined;
  if (type === 'resource') return isJsonObject(resource) ? blobOf(resource, replaced) : undefined;
  // An item of `resources/read` keeps its URI. The blob is replaced by a text.
  if (typeof value.uri !== 'string') return undefined;
  const { blob: _, ...rest } = value;
  return blobOf(value, (text) => ({ ...rest, mimeType: 'text/plain', text }));
}

function blobOf(source: JsonObject, replaced: Base64['replaced']): Base64 | undefined {
  const { blob, mimeType } = source;
  const isMedia = typeof mimeType === 'string' && /^(?:image|audio)\//.test(mimeType);
  return typeof blob === 'string' ? { base64: blob, isMedia, source, replaced } : undefined;
}

function textBlock({ annotations, _meta }: JsonObject, text: string): JsonObject {
  return {
    type: 'text',
    text,
    ...(annotations !== undefined && { annotations }),
    ...(_meta !== undefined && { _meta }),
  };
}

function describe({ source, base64 }: Base64, size: string): string {
  const mimeType = typeof source.mimeType === 'string' ? source.mimeType : 'application/octet-stream';
  const from = typeof source.uri === 'string' ? ` ${source.uri}` : '';
  return `${mimeType}${from} as base64${size}${maskMarker({ original: base64.length, head: 0, tail: 0 })}`;
}
