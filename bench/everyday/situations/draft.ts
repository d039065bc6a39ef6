/** Situations written by hand or made by small builders; needed lines are given by what they say, not by number. */
import { diceFrom } from '../../quality/rivals.ts';
import type { LineRange, Situation } from '../situation.ts';

/** A text: every line that holds it. A pair: from the first line that holds the one to the next that holds the other. */
export type NeededLines = string | readonly [from: string, to: string];

export interface Draft extends Omit<Situation, 'needed' | 'cuttable' | 'completeness' | 'alternatives'> {
  readonly needed: readonly NeededLines[] | 'all';
  readonly completeness?: boolean;
}

/** Returns the situation with line numbers. Throws if a needed text is not in the output. */
export function situation(draft: Draft): Situation {
  const lines = draft.output.split('\n');
  const needed: LineRange[] =
    draft.needed === 'all' ? [[1, lines.length]] : draft.needed.flatMap((each) => rangesOf(lines, each));
  const count = needed.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const cuttable = Math.floor(100 * (1 - count / lines.length)) / 100;
  return { ...draft, needed, completeness: draft.completeness ?? draft.needed === 'all', cuttable };
}

function rangesOf(lines: readonly string[], needed: NeededLines): LineRange[] {
  const [from, to] = typeof needed === 'string' ? [needed, undefined] : needed;
  const found = lines.flatMap((line, at) => (line.includes(from) ? [at + 1] : []));
  const [first] = found;
  if (first === undefined) throw new Error(`no line holds: ${from}`);
  if (to === undefined) return found.map((line) => [line, line]);
  const last = lines.findIndex((line, at) => at + 1 >= first && line.includes(to)) + 1;
  if (last === 0) throw new Error(`no line after ${first} holds: ${to}`);
  return [[first, last]];
}

export function times<Made>(count: number, make: (at: number) => Made): Made[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** Choices that look random and are the same in every run. */
export interface Dice {
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
  hex(length: number): string;
  phrase(words: number): string;
}

const WORDS =
  'river stone maple copper harbor lantern meadow orchard signal canyon willow bridge summit anchor pebble ridge amber cedar drift ember'.split(
    ' ',
  );

export function dice(seed: string): Dice {
  const next = diceFrom(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  return {
    below,
    pick,
    hex: (length) => times(length, () => below(16).toString(16)).join(''),
    phrase: (words) => times(words, () => pick(WORDS)).join(' '),
  };
}

/** Pads a number with zeros. */
export function padded(value: number, width = 2): string {
  return String(value).padStart(width, '0');
}
