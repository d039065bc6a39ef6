import { describe, expect, it } from 'vitest';
import { selectGaps } from '../../../src/pruning/select.ts';

interface Case {
  scores: number[];
  pinned?: number[];
  tokens?: number;
}

/** The kept lines, 1-based, at a ratio of .9. */
function kept({ scores, pinned = [], tokens = 10 }: Case): number[] {
  const flags = new Uint8Array(scores.length);
  for (const line of pinned) flags[line - 1] = 1;
  const gaps = selectGaps({
    scores: Float64Array.from(scores),
    protection: { pinned: flags, wholes: [] },
    tokens: new Float64Array(scores.length).fill(tokens),
    markerTokens: 36,
    maxPruneRatio: 0.9,
    minKeepLines: 0,
    sourceType: 'code',
  });
  return scores
    .map((_, at) => at + 1)
    .filter((line) => !gaps.some(({ start, end }) => line >= start && line <= end));
}

const flat = (total: number) => Array.from({ length: total }, () => 0);

describe('[Q9] selection', () => {
  it('keeps a line that stands out in the middle of nothing', () => {
    const scores = flat(60);
    scores[29] = 9;
    expect(kept({ scores })).toContain(30);
  });

  it('keeps the few lines that stand out though they are more than the ratio leaves', () => {
    const scores = flat(60).map((_, at) => (at % 20 === 10 ? 9 : 0));
    expect(kept({ scores, pinned: [1, 2, 3, 4, 5, 6] })).toEqual(expect.arrayContaining([11, 31, 51]));
  });

  it('leaves what lies between two kept lines when a marker would cost as much', () => {
    const scores = flat(60);
    scores[20] = 9;
    scores[23] = 9;
    expect(kept({ scores })).toEqual(expect.arrayContaining([21, 22, 23, 24]));
  });

  it('uses up what the ratio allows', () => {
    expect(kept({ scores: flat(100).map((_, at) => at % 7) })).toHaveLength(10);
  });
});
