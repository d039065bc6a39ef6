import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes between a line's number and its text: `│` is three, the space one. */
const SEPARATOR_BYTES = 4;
const NEWLINE = 0x0a;

/** Returns how many of the first bytes of a UTF-8 text fit into `maxBytes` after its lines were numbered. */
export function bytesThatFitNumbered(bytes: Uint8Array, maxBytes: number): number {
  let left = maxBytes;
  let line = 0;
  let startsLine = true;
  for (let at = 0; at < bytes.length; at += 1) {
    if (startsLine) {
      line += 1;
      left -= digitsOf(line) + SEPARATOR_BYTES;
    }
    left -= 1;
    if (left < 0) return at;
    startsLine = bytes[at] === NEWLINE;
  }
  return bytes.length;
}

function digitsOf(number: number): number {
  let digits = 1;
  for (let rest = number; rest >= 10; rest /= 10) digits += 1;
  return digits;
}

/** Numbering this many lines takes about 5 ms. */
const LINES_PER_SLICE = 16_384;

/** Puts its number before each line, in slices between which the event loop turns. A final line break is left out. */
export async function numberLines(text: string): Promise<string> {
  const slices: string[] = [];
  let number = 0;
  for (let start = 0; start < text.length; ) {
    if (number > 0) await nextTurn();
    const lines: string[] = [];
    while (start < text.length && lines.length < LINES_PER_SLICE) {
      const newline = text.indexOf('\n', start);
      const end = newline === -1 ? text.length : newline;
      number += 1;
      lines.push(`${number}│ ${text.slice(start, end)}`);
      start = end + 1;
    }
    slices.push(lines.join('\n'));
  }
  return slices.join('\n');
}
