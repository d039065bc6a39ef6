import type { CharText } from '../../lexical/char-text.ts';
import type { Column } from './columns.ts';
import { KIND_BITS } from './kind-bits.ts';
import type { LineKinds } from './kinds.ts';
import type { LineShapes } from './shape.ts';

const QUOTE = 34;
const APOSTROPHE = 39;
const LONGEST_SPAN = 400;

/** 1 on the lines of a triple-quoted string, its quotes included; an unclosed one ends after 400 lines. */
export function docStrings(text: CharText, shapes: LineShapes, kinds: LineKinds): Column {
  const inside = new Float32Array(shapes.ends.length);
  let open = 0;
  let since = 0;
  for (let line = 0; line < inside.length; line += 1) {
    const isQuoted = ((kinds.bits[line] as number) & KIND_BITS.quoted) !== 0;
    const quotes = isQuoted
      ? tripleQuotes(text.codes, shapes.firsts[line] as number, shapes.ends[line] as number)
      : 0;
    if (open > 0 && line - since > LONGEST_SPAN) open = 0;
    inside[line] = open > 0 || quotes > 0 ? 1 : 0;
    if (quotes % 2 === 0) continue;
    open = 1 - open;
    since = line;
  }
  return inside;
}

function tripleQuotes(codes: Uint16Array, first: number, end: number): number {
  let found = 0;
  for (let at = first; at + 2 < end; at += 1) {
    const code = codes[at];
    if (code !== QUOTE && code !== APOSTROPHE) continue;
    if (codes[at + 1] !== code || codes[at + 2] !== code) continue;
    found += 1;
    at += 2;
  }
  return found;
}

/** 1 on the lines of a fenced block, its fences included. */
export function fencedLines(kinds: LineKinds): Column {
  const inside = new Float32Array(kinds.bits.length);
  let open = false;
  for (let line = 0; line < inside.length; line += 1) {
    const fence = ((kinds.bits[line] as number) & KIND_BITS.fence) !== 0;
    inside[line] = open || fence ? 1 : 0;
    if (fence) open = !open;
  }
  return inside;
}
