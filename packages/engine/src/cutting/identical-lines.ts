import type { Unit } from '../reading/document.ts';

const MIN_IDENTICAL_LINES = 10;

/** One line repeated ten times or more in a row: the first stays, the others are one unit (P51). */
export function identicalUnits(lines: readonly string[]): Unit[] {
  const units: Unit[] = [];
  let first = 0;
  for (let index = 1; index <= lines.length; index += 1) {
    if (index < lines.length && lines[index] === lines[first]) continue;
    const count = index - first - 1;
    const name = (lines[first] ?? '').trim();
    if (count + 1 >= MIN_IDENTICAL_LINES && name !== '')
      units.push({
        kind: 'similar-lines',
        name,
        start: first + 2,
        head: first + 1,
        end: index,
        rule: 'identical-lines',
        count,
      });
    first = index;
  }
  return units;
}
