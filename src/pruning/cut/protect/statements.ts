import type { ClassifiedText } from '../classify.ts';
import { bracketBalance } from './brackets.ts';
import type { Protection } from './protection.ts';

const LONGEST_STATEMENT = 6;
const LONGEST_LINE = 300;

/** A short statement over several lines, a call with its arguments below it, goes or stays as one. */
export function keepStatementsWhole({ bare }: ClassifiedText, protection: Protection): void {
  let start = 0;
  let depth = 0;
  for (let index = 0; index < bare.length; index += 1) {
    const line = bare[index] ?? '';
    if (depth === 0) start = index;
    depth += balanceOf(line);
    const lines = index - start + 1;
    if (depth > 0 && lines < LONGEST_STATEMENT) continue;
    if (depth === 0 && lines > 1) protection.keepTogether(start, index);
    // Too long, or closed more than it opened: not a statement we can trust.
    depth = 0;
  }
}

function balanceOf(line: string): number {
  return line.length > LONGEST_LINE ? 0 : bracketBalance(line, false);
}
