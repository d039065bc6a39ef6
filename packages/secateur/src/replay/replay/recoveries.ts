import type { LineRange } from '@secateur/base/text/lines.ts';
import { estimateTokensExactly } from '@secateur/base/text/token-estimate.ts';

/** How an agent asks for what it misses. */
export type Asking =
  /** A call for every gap that hides a line it needs, whatever it was shown before: the most it can cost. */
  | 'gap by gap'
  /** All ranges of an output in one call, as `recover_text` takes them, and nothing it was shown before. */
  | 'at once';

/** What is asked back of one output. */
export interface Recoveries {
  calls: number;
  /** Gaps that the calls open. */
  gaps: number;
  lines: string[];
  tokens: number;
}

/** A gap up to this long is asked back whole; of a longer one the lines around what was used. */
const SHORT_GAP = 80;
const AROUND = 15;

/** The calls of an agent that misses some lines, by their numbers: they bring the gaps these stand in. */
export function recoveriesOf(
  lines: readonly string[],
  gaps: readonly LineRange[],
  { missed, asking }: { missed: readonly number[]; asking: Asking },
): Recoveries {
  const asked: string[] = [];
  let opened = 0;
  for (const { start, end } of gaps) {
    const inside = missed.filter((line) => line >= start && line <= end);
    if (inside.length === 0) continue;
    opened += 1;
    for (let line = start; line <= end; line += 1) {
      const isAsked = end - start < SHORT_GAP || inside.some((each) => Math.abs(each - line) <= AROUND);
      if (isAsked) asked.push(lines[line - 1] ?? '');
    }
  }
  const tokens = asked.reduce((sum, line) => sum + estimateTokensExactly(`${line}\n`), 0);
  return { calls: asking === 'at once' ? Math.min(1, opened) : opened, gaps: opened, lines: asked, tokens };
}
