import { splitsPair } from '@secateur/base/text/characters.ts';

/**
 * Returns the same JSON value with every over-long string, at any depth, cut to its head and tail around a marker.
 * Does not change its input; parts that need no cut are shared with it, not copied. Limits that `policy` does not name
 * are the default ones.
 */
export function applyObservationMasking<Payload>(payload: Payload, policy?: Partial<MaskingLimits>): Payload;
export function applyObservationMasking(payload: unknown, policy: Partial<MaskingLimits> = {}): unknown {
  const limits = { ...DEFAULT_LIMITS, ...policy };
  const top = open([payload], undefined);
  // Frames of our own: JSON may be nested deeper than calls can be.
  let frame: Frame | undefined = top;
  while (frame !== undefined) {
    const inner = maskUpToContainer(frame, limits);
    frame = inner === undefined ? close(frame) : open(inner, frame);
  }
  return (top.copy ?? top.source)[0];
}

type Container = Record<string | number, unknown>;

/** A list or an object on the way down, and its copy as soon as something in it changed. */
interface Frame {
  readonly parent: Frame | undefined;
  readonly source: Container;
  /** Keys of an object; a list is read by index. */
  readonly keys: readonly string[] | undefined;
  readonly size: number;
  at: number;
  copy: Container | undefined;
}

function open(source: object, parent: Frame | undefined): Frame {
  const keys = Array.isArray(source) ? undefined : Object.keys(source);
  const { length: size } = keys ?? (source as unknown[]);
  return { parent, source: source as Container, keys, size, at: 0, copy: undefined };
}

/** Masks the strings of a list or object as far as the next list or object in it, which comes first. */
function maskUpToContainer(frame: Frame, limits: MaskingLimits): object | undefined {
  for (; frame.at < frame.size; frame.at += 1) {
    const value = frame.source[keyOf(frame)];
    if (typeof value === 'object' && value !== null) return value;
    if (typeof value === 'string' && value.length > limits.maxChars) put(frame, maskText(value, limits));
  }
  return undefined;
}

function close({ parent, copy }: Frame): Frame | undefined {
  if (parent === undefined) return undefined;
  if (copy !== undefined) put(parent, copy);
  parent.at += 1;
  return parent;
}

function put(frame: Frame, value: unknown): void {
  const key = keyOf(frame);
  if (value === frame.source[key]) return;
  // Spreading makes even a key named `__proto__` an own property, so that this only ever replaces a value.
  frame.copy ??= Array.isArray(frame.source)
    ? (frame.source.slice() as unknown as Container)
    : { ...frame.source };
  frame.copy[key] = value;
}

function keyOf({ keys, at }: Frame): string | number {
  return keys === undefined ? at : (keys[at] as string);
}

export interface MaskingLimits {
  /** Strings up to this many UTF-16 units stay whole; 0 or less switches masking off. */
  readonly maxChars: number;
  readonly headChars: number;
  readonly tailChars: number;
}

export const DEFAULT_LIMITS: MaskingLimits = { maxChars: 4000, headChars: 2000, tailChars: 2000 };

/** Head + marker + tail of an over-long text; the text itself when a cut would not make it shorter. */
export function maskText(text: string, limits: MaskingLimits): string {
  return cutLongText(text, limits)?.masked ?? text;
}

/** Pieces of a masked text, so that a caller can put a note beside the marker. */
export interface TextCut {
  readonly head: string;
  readonly marker: string;
  readonly tail: string;
  readonly masked: string;
}

export function cutLongText(text: string, limits: MaskingLimits): TextCut | undefined {
  if (limits.maxChars <= 0 || text.length <= limits.maxChars) return undefined;
  const head = Math.max(0, limits.headChars);
  const tail = text.length - Math.max(0, limits.tailChars);
  const headEnd = splitsPair(text, head) ? head - 1 : head;
  const tailStart = splitsPair(text, tail) ? tail + 1 : tail;
  const marker = maskMarker({ original: text.length, head: headEnd, tail: text.length - tailStart });
  if (headEnd + marker.length >= tailStart) return undefined;
  if (isMasked(text, limits)) return undefined;
  const pieces = { head: text.slice(0, headEnd), marker, tail: text.slice(tailStart) };
  return { ...pieces, masked: pieces.head + marker + pieces.tail };
}

export interface MaskedSizes {
  original: number;
  head: number;
  tail: number;
}

export function maskMarker({ original, head, tail }: MaskedSizes): string {
  return `\n... [KIMI_PROXY_OBSERVATION_MASKED original_chars=${original} head=${head} tail=${tail}] ...\n`;
}

const MARKER =
  /\n\.\.\. \[KIMI_PROXY_OBSERVATION_MASKED original_chars=(\d+) head=(\d+) tail=(\d+)\] \.\.\.\n/g;
const MAX_MARKER = maskMarker({
  original: Number.MAX_SAFE_INTEGER,
  head: Number.MAX_SAFE_INTEGER,
  tail: Number.MAX_SAFE_INTEGER,
}).length;

/** Masking its own output would only shave digits off the marker and lose the true size. */
function isMasked(text: string, limits: MaskingLimits): boolean {
  if (text.length > limits.headChars + limits.tailChars + MAX_MARKER) return false;
  for (const found of text.matchAll(MARKER)) {
    const [marker, original, head, tail] = found;
    const fits = found.index === Number(head) && text.length - found.index - marker.length === Number(tail);
    if (fits && Number(original) > text.length) return true;
  }
  return false;
}
