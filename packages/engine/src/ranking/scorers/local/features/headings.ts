import type { CharText } from '../../lexical/char-text.ts';
import { KIND_BITS } from './kind-bits.ts';
import type { LineKinds } from './kinds.ts';
import { isBlank, type LineShapes } from './shape.ts';

const HASH = 35;
const UNDERLINES: ReadonlyMap<number, number> = new Map([
  [61, 1],
  [45, 2],
  [126, 3],
]);
const SHORTEST_UNDERLINE = 3;

/** 1 to 6 where a line is a heading (`##`, or underlined with `===`, `---`, `~~~`), else 0; marks underlined ones as headings. */
export function headingLevels(text: CharText, shapes: LineShapes, kinds: LineKinds): Int32Array {
  const levels = new Int32Array(shapes.ends.length);
  for (let line = 0; line < levels.length; line += 1) {
    const bits = kinds.bits[line] as number;
    if ((bits & KIND_BITS.heading) !== 0) levels[line] = hashes(text, shapes, line);
    else if (isUnderlined(text, shapes, line)) {
      levels[line] = UNDERLINES.get(text.codes[shapes.firsts[line + 1] as number] as number) ?? 0;
      kinds.bits[line] = bits | KIND_BITS.heading;
    }
  }
  return levels;
}

function hashes(text: CharText, shapes: LineShapes, line: number): number {
  const first = shapes.firsts[line] as number;
  let at = first;
  while (text.codes[at] === HASH && at - first < 6) at += 1;
  return Math.max(1, at - first);
}

function isUnderlined(text: CharText, shapes: LineShapes, line: number): boolean {
  if (line + 1 >= shapes.ends.length || isBlank(shapes, line)) return false;
  const start = shapes.firsts[line + 1] as number;
  const end = shapes.ends[line + 1] as number;
  const mark = text.codes[start] as number;
  if (end - start < SHORTEST_UNDERLINE || !UNDERLINES.has(mark)) return false;
  if (text.codes[shapes.firsts[line] as number] === mark) return false;
  for (let at = start; at < end; at += 1) {
    if (text.codes[at] !== mark) return false;
  }
  return true;
}
