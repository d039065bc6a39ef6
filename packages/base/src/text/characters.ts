/** The largest character boundary at or before `limit` in UTF-8 bytes; bytes that are not UTF-8 are cut where they stand. */
export function boundaryBefore(bytes: Uint8Array, limit: number): number {
  if (limit >= bytes.length) return bytes.length;
  let at = Math.max(0, limit);
  // A character has at most three continuation bytes: more of them is not UTF-8, and nothing to wait for.
  for (let back = 0; back < 3 && at > 0 && isContinuation(bytes[at]); back += 1) at -= 1;
  return isContinuation(bytes[at]) ? Math.max(0, limit) : at;
}

/** The smallest character boundary at or after `start`. */
export function boundaryAfter(bytes: Uint8Array, start: number): number {
  let at = Math.max(0, start);
  for (let ahead = 0; ahead < 3 && isContinuation(bytes[at]); ahead += 1) at += 1;
  return isContinuation(bytes[at]) ? start : Math.min(at, bytes.length);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** The longest start of `text` that fits `maxBytes` of UTF-8 without splitting a character. */
export function utf8Prefix(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text);
  return bytes.length <= maxBytes ? text : bytes.toString('utf8', 0, boundaryBefore(bytes, maxBytes));
}

/** Whether a cut of `text` before the UTF-16 unit `at` would part the halves of one character. */
export function splitsPair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/** A text as character codes: reading them is several times faster than asking strings for their characters. */
export function characterCodes(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'utf16le');
  // A small Buffer is cut from a pool, where it may start at an odd byte.
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : Uint8Array.from(bytes);
  return new Uint16Array(aligned.buffer, aligned.byteOffset, text.length);
}
