import type { CharText } from '../../lexical/char-text.ts';
import { DIGIT, KINDS } from '../../lexical/characters.ts';
import { Interner } from '../../lexical/interner.ts';
import type { LineShapes } from './shape.ts';

/** Lines alike but for their digits, counted. */
export interface Repetition {
  /** How many lines look like this one. */
  counts: Int32Array;
  /** How many of them came before. */
  before: Int32Array;
  /** 1 where the line above looks the same. */
  follows: Uint8Array;
}

export function readRepetition(text: CharText, shapes: LineShapes): Repetition {
  const total = shapes.ends.length;
  const templates = new Interner();
  const numbers = new Int32Array(total);
  for (let line = 0; line < total; line += 1) numbers[line] = templateOf(text, shapes, { line, templates });
  const totals = new Int32Array(templates.size);
  const before = new Int32Array(total);
  const follows = new Uint8Array(total);
  for (let line = 0; line < total; line += 1) {
    const template = numbers[line] as number;
    before[line] = totals[template] as number;
    totals[template] = (totals[template] as number) + 1;
    follows[line] = line > 0 && numbers[line - 1] === template ? 1 : 0;
  }
  return { counts: numbers.map((template) => totals[template] as number), before, follows };
}

function templateOf(
  text: CharText,
  shapes: LineShapes,
  { line, templates }: { line: number; templates: Interner },
): number {
  const end = shapes.ends[line] as number;
  let first = 0x811c9dc5 | 0;
  let second = 0x1b873593 | 0;
  for (let at = shapes.firsts[line] as number; at < end; at += 1) {
    const code = text.codes[at] as number;
    if (KINDS[code] === DIGIT) continue;
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second + code, 0x9e3779b1) ^ (second >>> 13);
  }
  return templates.intern(first, second);
}
