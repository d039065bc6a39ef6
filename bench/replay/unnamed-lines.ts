import { bareLine } from '../../src/ranking/focus/bare-line.ts';
import type { Focus } from '../../src/ranking/focus.ts';
import { isBareLineShown } from '../../src/ranking/shown.ts';
import type { AgentStep, CutOutput } from '../../src/replay/replay.ts';
import { estimateTokensExactly } from '../../src/text/token-estimate.ts';

/** A label is 24 characters in a row, in a line that stands there twice at most, seen for the first time. */
const SHORTEST_LABELLED = 24;
const MOST_ALIKE = 2;

/**
 * Tokens of hidden lines that no label can name: short, repeated, or shown before. They may be acted on without being copied; who counts
 * all of them as needed takes them off what was saved.
 */
export function unnamedTokens({ output }: AgentStep, focus: Focus, { gaps }: CutOutput): number {
  if (gaps.length === 0) return 0;
  const lines = output.split('\n');
  const bare = lines.map(bareLine);
  const counts = new Map<string, number>();
  for (const line of bare) counts.set(line, (counts.get(line) ?? 0) + 1);
  const seen = focus.seen ?? new Set();
  const isNamed = (line: string) =>
    line.length >= SHORTEST_LABELLED && (counts.get(line) ?? 0) <= MOST_ALIKE && !isBareLineShown(line, seen);
  let tokens = 0;
  for (const { start, end } of gaps)
    for (let index = start - 1; index < end; index += 1)
      if (!isNamed(bare[index] ?? '')) tokens += estimateTokensExactly(`${lines[index] ?? ''}\n`);
  return tokens;
}
