import { expect } from 'vitest';
import { inlineEngine } from '../../../src/pruning/inline-engine.ts';
import type { PruneOptions } from '../../../src/pruning/request.ts';
import type { LineScorer, SourceType } from '../../../src/ranking/scorer.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { splitLines } from '../../../src/text/lines.ts';
import { pruneRequest, testPruner } from '../../support/pruner.ts';

/** Lines of code that nobody asks for. */
export const filler = (count: number, indent = '    ') =>
  Array.from(
    { length: count },
    (_, index) => `${indent}value_${index} = compute_something_boring(${index}, "padding padding")`,
  );

/** Wants none of the lines, so that only protection keeps any. */
export const needsNothing: LineScorer = ({ lines }) => ({
  scores: new Float64Array(lines.length).fill(-100),
  areLogOdds: true,
  tier: 'none',
});

/** The lines that survive the hardest cut the options allow. A text that passes whole would prove nothing. */
export async function survivors(
  lines: readonly string[],
  sourceType: SourceType,
  options: Partial<PruneOptions> = { maxPruneRatio: 1, structure: 'all' },
): Promise<string[]> {
  const request = pruneRequest({ text: lines.join('\n'), sourceType, options });
  const engine = inlineEngine({ scorer: needsNothing, clock: systemClock });
  const { prunedText, stats } = await testPruner({ engine }).prune(request);
  expect(stats).toMatchObject({ usedFallback: false, prunedLines: expect.toSatisfy((count) => count > 0) });
  return splitLines(prunedText);
}
