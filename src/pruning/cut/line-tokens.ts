import type { LineRange } from '../../text/lines.ts';
import { estimateTokensIn, NEWLINE_TOKENS } from '../../text/token-estimate.ts';
import { isLongLine, TOKENS_IN_PART } from './long-lines.ts';

/** Estimated tokens of a text's lines, and of runs of them. */
export interface LineTokens {
  /** What keeping each line costs, its line feed included; unrounded. */
  each: Float64Array;
  /** Whether a run of lines costs more than that. */
  runExceeds(range: LineRange, tokens: number): boolean;
}

export function readLineTokens(
  codes: Uint16Array,
  lines: readonly string[],
  cutsInside: boolean,
): LineTokens {
  const each = new Float64Array(lines.length);
  const starts = new Int32Array(lines.length + 1);
  for (let line = 0; line < each.length; line += 1) {
    const written = lines[line] as string;
    const from = starts[line] as number;
    const to = from + written.length;
    const isInPart = cutsInside && isLongLine(written);
    each[line] = isInPart ? TOKENS_IN_PART : estimateTokensIn({ codes, from, to }) + NEWLINE_TOKENS;
    starts[line + 1] = to + 1;
  }
  const runExceeds = ({ start, end }: LineRange, most: number) => {
    const run = { codes, from: starts[start - 1] as number, to: (starts[end] as number) - 1 };
    return estimateTokensIn(run, most) > most;
  };
  return { each, runExceeds };
}
