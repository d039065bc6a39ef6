import { describe, expect, it } from 'vitest';
import type { Frames } from '../../../src/pruning/cut/frames.ts';
import { selectGaps } from '../../../src/pruning/cut/select.ts';

interface Case {
  scores: number[];
  areLogOdds?: boolean;
  pinned?: number[];
  tokens?: number[];
  ratio?: number;
  /** `[head, last line]` of each frame, outer ones first. */
  frames?: [number, number][];
}

/** The kept lines, 1-based, at a ratio of .9 unless another is given. */
function kept({
  scores,
  areLogOdds = false,
  pinned = [],
  tokens = scores.map(() => 10),
  ratio = 0.9,
  frames = [],
}: Case): number[] {
  const flags = new Uint8Array(scores.length);
  for (const line of pinned) flags[line - 1] = 1;
  const gaps = selectGaps({
    scores: Float64Array.from(scores),
    areLogOdds,
    protection: { pinned: flags, wholes: [], frames: framesGiven(scores.length, frames) },
    tokens: Float64Array.from(tokens),
    markerTokens: 36,
    maxPruneRatio: ratio,
    minKeepLines: 0,
    sourceType: 'code',
  });
  return scores
    .map((_, at) => at + 1)
    .filter((line) => !gaps.some(({ start, end }) => line >= start && line <= end));
}

function framesGiven(lines: number, given: [number, number][]): Frames {
  const owner = new Int32Array(lines).fill(-1);
  const frames = given.map(([head, last], index) => {
    const parent = owner[head - 1] ?? -1;
    owner.fill(index, head, last);
    return { head: { start: head, end: head }, noun: 'function' as const, name: `f${index}`, parent };
  });
  return { frames, owner, structural: [] };
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

  it('keeps no more of the tokens where the scorer knows nothing than the ratio has room for', () => {
    const scores = flat(200).map((_, at) => Math.sin(at * 7) / 4);
    const left = kept({ scores, areLogOdds: true, ratio: 0.9 });
    expect(left.length).toBeGreaterThanOrEqual(20);
    expect(left.length).toBeLessThanOrEqual(200 * 0.45);
  });

  it('keeps the heads around a line that stays, and drops those of what goes', () => {
    const scores = flat(80);
    scores[29] = 9;
    const left = kept({
      scores,
      ratio: 0.97,
      frames: [
        [5, 40],
        [20, 40],
        [50, 75],
      ],
    });
    expect(left).toEqual(expect.arrayContaining([5, 20, 30]));
    expect(left).not.toContain(50);
  });

  it('keeps the heads around a pinned line', () => {
    expect(
      kept({
        scores: flat(60),
        pinned: [30],
        frames: [
          [5, 40],
          [20, 40],
        ],
      }),
    ).toEqual(expect.arrayContaining([5, 20, 30]));
  });

  it('spares more than the ratio leaves where a scorer that knows finds more needed', () => {
    const scores = flat(100).map((_, at) => (at >= 40 && at < 70 ? 4 : 0));
    const needed = Array.from({ length: 30 }, (_, at) => at + 41);
    expect(kept({ scores, areLogOdds: true })).toEqual(needed);
  });

  it('but cuts a fifth of what it may, however much is needed', () => {
    const scores = flat(100).map((_, at) => (at % 4 === 0 ? 6 : 0));
    expect(kept({ scores, areLogOdds: true, ratio: 0.5 })).toHaveLength(100 - 10);
  });

  it('of two lines needed alike lets the one go that costs more', () => {
    const scores = flat(60).map((_, at) => (at < 10 || at >= 50 ? 3 : 0));
    const tokens = flat(60).map((_, at) => (at < 10 ? 100 : 10));
    const left = kept({ scores, tokens });
    expect(left).toContain(55);
    expect(left).not.toContain(5);
  });
});
