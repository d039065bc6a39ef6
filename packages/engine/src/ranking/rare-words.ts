/**
 * Words of a request that distinguish units of a long document. A page about the settings of a server holds the words
 * "server" and "setting" in every section: only the rarer words of the request say which sections it asks for.
 */
import type { Unit } from '../reading/document.ts';
import { linesOfWords } from './named-lines.ts';

/** A word in more of the units distinguishes none. */
const MAX_UNITS_SHARE = 0.2;
/** One plain word may be in a unit by chance. */
const MIN_WORDS = 2;
const MIN_UNITS = 8;
/** Units with so much of what the best unit has are asked for, too. */
const MIN_SCORE_SHARE = 0.5;

/** Returns whether a unit holds the rare words of a request; `undefined` if no unit holds enough of them. */
export function rareWordsIn(
  lines: readonly string[],
  request: string,
  units: readonly Unit[],
): ((unit: Unit) => boolean) | undefined {
  if (units.length < MIN_UNITS) return undefined;
  const rare = linesOfWords(lines, request).flatMap(({ isLiteral, lines: found }) => {
    const isIn = counterOf(found, lines.length);
    const share = units.filter(({ start, end }) => isIn(start, end)).length / units.length;
    if (share === 0 || share > MAX_UNITS_SHARE) return [];
    return [{ isIn, isLiteral, weight: -Math.log(share) }];
  });
  const heldBy = ({ start, end }: Unit) => rare.filter(({ isIn }) => isIn(start, end));
  const scoreOf = (unit: Unit) => heldBy(unit).reduce((sum, { weight }) => sum + weight, 0);
  const isEnough = (unit: Unit) => {
    const held = heldBy(unit);
    return held.length >= MIN_WORDS || held.some(({ isLiteral }) => isLiteral);
  };
  const best = Math.max(0, ...units.filter(isEnough).map(scoreOf));
  return best === 0 ? undefined : (unit) => scoreOf(unit) >= MIN_SCORE_SHARE * best;
}

/** Whether a range of lines, 1-based and inclusive, holds one of some 0-based lines. */
export function counterOf(
  found: Iterable<number>,
  lineCount: number,
): (start: number, end: number) => boolean {
  const before = new Int32Array(lineCount + 1);
  for (const line of found) before[line + 1] = 1;
  for (let line = 1; line <= lineCount; line += 1)
    before[line] = (before[line] as number) + (before[line - 1] as number);
  return (start, end) => (before[end] ?? 0) > (before[start - 1] ?? 0);
}
