import { splitsPair } from '@secateur/base/text/characters.ts';

export interface MaskingLimits {
  /** Maximum length of a string in UTF-16 units that is not masked. 0 or less switches masking off. */
  readonly maxChars: number;
  readonly headChars: number;
  readonly tailChars: number;
}

export const DEFAULT_LIMITS: MaskingLimits = { maxChars: 4000, headChars: 2000, tailChars: 2000 };

/** Returns the head, a marker and the tail of a long text. Returns the text itself if the result would not be shorter. */
export function maskText(text: string, limits: MaskingLimits): string {
  return cutLongText(text, limits)?.masked ?? text;
}

/** Returns a masked text in pieces, so that a caller can add a note beside the marker. */
export function cutLongText(text: string, limits: MaskingLimits) {
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

export function maskMarker({ original, head, tail }: Record<'original' | 'head' | 'tail', number>): string {
  return `\n... [KIMI_PROXY_OBSERVATION_MASKED original_chars=${original} head=${head} tail=${tail}] ...\n`;
}

const MARKER =
  /\n\.\.\. \[KIMI_PROXY_OBSERVATION_MASKED original_chars=(\d+) head=(\d+) tail=(\d+)\] \.\.\.\n/g;
const LARGEST = Number.MAX_SAFE_INTEGER;
const MAX_MARKER = maskMarker({ original: LARGEST, head: LARGEST, tail: LARGEST }).length;

/** Whether a text was masked before. Masking it again would lose the length of the original. */
function isMasked(text: string, limits: MaskingLimits): boolean {
  if (text.length > limits.headChars + limits.tailChars + MAX_MARKER) return false;
  for (const found of text.matchAll(MARKER)) {
    const [marker, original, head, tail] = found;
    const fits = found.index === Number(head) && text.length - found.index - marker.length === Number(tail);
    if (fits && Number(original) > text.length) return true;
  }
  return false;
}

/**
 * Returns a copy of a JSON value in which each long string, at any depth, is replaced by its head, a marker
 * and its tail. The input is not changed, and unchanged parts are shared. `policy` overrides the default
 * limits.
 */
export function applyObservationMasking<Payload>(payload: Payload, policy?: Partial<MaskingLimits>): Payload;
export function applyObservationMasking(payload: unknown, policy: Partial<MaskingLimits> = {}): unknown {
  const limits = { ...DEFAULT_LIMITS, ...policy };
  const top = open([payload], undefined);
  // Uses its own stack, because JSON may be nested more deeply than the call stack allows.
  let frame: Frame | undefined = top;
  while (frame !== undefined) {
    const inner = maskUpToContainer(frame, limits);
    frame = inner === undefined ? close(frame) : open(inner, frame);
  }
  return (top.copy ?? top.source)[0];
}

type Container = Record<string | number, unknown>;

/** A list or object that is being visited, and its copy if something in it has changed. */
interface Frame {
  readonly parent: Frame | undefined;
  readonly source: Container;
  /** Keys of an object; `undefined` for a list. */
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

/** Masks the strings of a container up to the next nested container, which it returns. */
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
  // Spread syntax copies a key `__proto__` as an own property. The assignment below replaces its value.
  frame.copy ??= Array.isArray(frame.source)
    ? (frame.source.slice() as unknown as Container)
    : { ...frame.source };
  frame.copy[key] = value;
}

function keyOf({ keys, at }: Frame): string | number {
  return keys === undefined ? at : (keys[at] as string);
}
