import { splitsPair } from '@secateur/base/text/characters.ts';

export interface MaskingLimits {
  /** Longest string in UTF-16 units that stays unchanged; 0 or less switches masking off. */
  readonly maxChars: number;
  readonly headChars: number;
  readonly tailChars: number;
}

export const DEFAULT_LIMITS: MaskingLimits = { maxChars: 4000, headChars: 2000, tailChars: 2000 };

/** Returns head, marker and tail of a long text; the text itself if a cut would not make it shorter. */
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

/**
 * Whether a text was masked already. Masking it again would only shorten the marker and lose the true size.
 */
function isMasked(text: string, limits: MaskingLimits): boolean {
  if (text.length > limits.headChars + limits.tailChars + MAX_MARKER) return false;
  for (const found of text.matchAll(MARKER)) {
    const [marker, original, head, tail] = found;
    const fits = found.index === Number(head) && text.length - found.index - marker.length === Number(tail);
    if (fits && Number(original) > text.length) return true;
  }
  return false;
}
