import { characterCodes } from '../../../text/character-codes.ts';
import type { ClassifiedText } from '../classify.ts';
import { bracketBalanceIn } from './brackets.ts';
import type { Protection } from './protection.ts';

const LONGEST_STATEMENT = 4;
const LONGEST_LINE = 300;

/** A short statement over several lines, a call with its arguments below it, goes or stays as one. */
export function keepStatementsWhole({ bare }: ClassifiedText, protection: Protection): void {
  const codes = characterCodes(bare.join('\n'));
  let start = 0;
  let depth = 0;
  let from = 0;
  for (let index = 0; index < bare.length; index += 1) {
    const to = from + (bare[index] as string).length;
    if (depth === 0) start = index;
    if (to - from <= LONGEST_LINE) depth += bracketBalanceIn({ codes, from, to });
    from = to + 1;
    const lines = index - start + 1;
    if (depth > 0 && lines < LONGEST_STATEMENT) continue;
    if (depth === 0 && lines > 1) protection.keepTogether(start, index);
    // Too long, or closed more than it opened: not a statement we can trust.
    depth = 0;
  }
}
