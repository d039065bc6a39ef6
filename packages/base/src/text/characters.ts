/** Returns the last character boundary at or before `limit`, in UTF-8 bytes. Returns `limit` if the bytes are not UTF-8. */
export function boundaryBefore(bytes: Uint8Array, limit: number): number {
  if (limit >= bytes.length) return bytes.length;
  let at = Math.max(0, limit);
  // A character has at most three continuation bytes. More than three are not UTF-8.
  for (let back = 0; back < 3 && at > 0 && isContinuation(bytes[at]); back += 1) at -= 1;
  return isContinuation(bytes[at]) ? Math.max(0, limit) : at;
}

/** Returns the smallest character boundary at or after `start`. */
export function boundaryAfter(bytes: Uint8Array, start: number): number {
  let at = Math.max(0, start);
  for (let ahead = 0; ahead < 3 && isContinuation(bytes[at]); ahead += 1) at += 1;
  return isContinuation(bytes[at]) ? start : Math.min(at, bytes.length);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Returns the longest beginning of `text` that fits into `maxBytes` of UTF-8 without splitting a character. */
export function utf8Prefix(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text);
  return bytes.length <= maxBytes ? text : bytes.toString('utf8', 0, boundaryBefore(bytes, maxBytes));
}

/** Whether splitting `text` before the UTF-16 unit `at` would split a surrogate pair. */
export function splitsPair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/** Returns the UTF-16 codes of a text. They are read several times faster than the characters of a string. */
export function characterCodes(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'utf16le');
  // A small Buffer is a slice of a pool and may start at an odd byte, which `Uint16Array` cannot.
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : Uint8Array.from(bytes);
  return new Uint16Array(aligned.buffer, aligned.byteOffset, text.length);
}

const MAX_NAME = 64;

/**
 * Converts an untrusted name to a label for metrics: at most 64 letters, digits and `_ . : -`. Names of tools
 * and clients then cannot bring paths or text into the metrics.
 */
export function plainName(name: string): string {
  const plain = name.slice(0, MAX_NAME).replace(/[^\w.:-]+/g, '-');
  return plain === '' ? 'unnamed' : plain;
}

/** Returns how many letters must be changed, added or removed to convert one word to the other. */
export function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...left].entries()) {
    const next = [i + 1];
    for (let j = 0; j < right.length; j += 1) {
      const substitution = (row[j] ?? 0) + (right[j] === letter ? 0 : 1);
      next.push(Math.min(substitution, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
