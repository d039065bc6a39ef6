import type { Column } from './columns.ts';
import type { LineShapes } from './shape.ts';

const HINT = /(?:\bline[s ]\s*#?|\bL|:)(\d{1,6})\b/gi;
const MAX_HINTS = 64;
const MAX_SEARCHED_CHARS = 20_000;

/** How near each line is to a line number that the goal names (`line 12`, `L12`, `file.ts:12`), 1 at the line itself. */
export function lineHints(goal: string, shapes: LineShapes): Column {
  const wanted = hintedNumbers(goal);
  const nearness = new Float32Array(shapes.numbers.length);
  if (wanted.size === 0) return nearness;
  for (let line = 0; line < nearness.length; line += 1) {
    if (wanted.has(shapes.numbers[line] as number)) nearness[line] = 1;
  }
  return nearness;
}

function hintedNumbers(goal: string): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const match of goal.slice(0, MAX_SEARCHED_CHARS).matchAll(HINT)) {
    numbers.add(Number(match[1]));
    if (numbers.size === MAX_HINTS) break;
  }
  return numbers;
}
