import { setImmediate as nextTurn } from 'node:timers/promises';
import { splitsPair } from '@secateur/base/text/byte-cuts.ts';

/** JSON as one text, or in pieces of UTF-8 if it is long. The first piece holds all that precedes the first long string. */
export type EncodedJson = string | readonly Uint8Array[];

/** Encoding this many characters takes 10 ms at most, also if each of them becomes `\u0001`. */
const SLICE_CHARS = 262_144;

/**
 * Encodes an answer as `JSON.stringify` does. Long strings, of 10 MiB in what `read` and `bash` return, are encoded in
 * slices between which the event loop turns.
 */
export async function encodeJson(value: unknown): Promise<EncodedJson> {
  if (!holdsLongString(value)) return JSON.stringify(value);
  const pieces: Uint8Array[] = [];
  let joined = '';
  for (const text of textPieces(value)) {
    joined += text;
    if (joined.length < SLICE_CHARS) continue;
    pieces.push(Buffer.from(joined));
    joined = '';
    await nextTurn();
  }
  return [...pieces, Buffer.from(joined)];
}

/** Tools put their texts no deeper than `result.content[0].text`, and lists of many items hold no long ones. */
const MAX_DEPTH = 4;
const MAX_ITEMS = 1000;

function holdsLongString(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.length > SLICE_CHARS;
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return false;
  const members = Object.values(value);
  return members.length <= MAX_ITEMS && members.some((member) => holdsLongString(member, depth + 1));
}

function* textPieces(value: unknown, depth = 0): Generator<string> {
  if (!holdsLongString(value, depth)) yield JSON.stringify(value) ?? 'null';
  else if (typeof value === 'string') yield* stringPieces(value);
  else if (Array.isArray(value)) yield* listPieces(value, depth);
  else yield* objectPieces(value as object, depth);
}

function* stringPieces(text: string): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length; ) {
    const rough = start + SLICE_CHARS;
    const end = splitsPair(text, rough) ? rough + 1 : rough;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
  yield '"';
}

function* listPieces(items: readonly unknown[], depth: number): Generator<string> {
  for (const [index, item] of items.entries()) {
    yield index === 0 ? '[' : ',';
    yield* textPieces(item, depth + 1);
  }
  yield ']';
}

function* objectPieces(value: object, depth: number): Generator<string> {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  for (const [index, [key, member]] of members.entries()) {
    yield `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`;
    yield* textPieces(member, depth + 1);
  }
  yield '}';
}
