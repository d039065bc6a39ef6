import { describe, expect, it } from 'vitest';
import { selectGaps } from '../../../src/pruning/cut/select.ts';
import type { SourceType } from '../../../src/ranking/scorer.ts';
import { framesGiven } from './any-problem.ts';

interface Case {
  scores: number[];
  areLogOdds?: boolean;
  pinned?: number[];
  tokens?: number[];
  ratio?: number;
  /** `[head, last line]` of each frame, outer ones first. */
  frames?: [number, number][];
  /** The first lines that give order, imports say. */
  structural?: number;
  /** Lines that go or stay as one. */
  whole?: { start: number; end: number };
  sourceType?: SourceType;
}

/** The kept lines, 1-based, at a ratio of .9 unless another is given. */
function kept({
  scores,
  areLogOdds = false,
  pinned = [],
  tokens = scores.map(() => 10),
  ratio = 0.9,
  frames = [],
  structural = 0,
  whole,
  sourceType = 'code',
}: Case): number[] {
  const flags = new Uint8Array(scores.length);
  for (const line of pinned) flags[line - 1] = 1;
  const gaps = selectGaps({
    scores: Float64Array.from(scores),
    areLogOdds,
    protection: {
      pinned: flags,
      wholes: whole === undefined ? [] : [whole],
      frames: { ...framesGiven(scores.length, frames), structural: [{ start: 1, end: structural }] },
    },
    tokens: Float64Array.from(tokens),
    markerTokens: 36,
    maxPruneRatio: ratio,
    minKeepLines: 0,
    sourceType,
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

  it('cuts alike whatever the scale of scores that only give an order, and the level of any', () => {
    const scores = flat(60).map((_, at) => Math.sin(at * 7) * (at % 20 === 10 ? 9 : 1));
    const least = kept({ scores });
    expect(kept({ scores: scores.map((score) => score * 1000) })).toEqual(least);
    expect(kept({ scores: scores.map((score) => score + 1000) })).toEqual(least);
    const sure = kept({ scores, areLogOdds: true });
    expect(kept({ scores: scores.map((score) => score + 1000), areLogOdds: true })).toEqual(sure);
  });

  it('takes a scorer that is very sure at its word', () => {
    const scores = flat(60).map((_, at) => (at === 30 ? 1000 : -1000));
    expect(kept({ scores, areLogOdds: true, ratio: 1 })).toEqual([31]);
  });

  it('keeps both ends of a text whose lines are needed alike', () => {
    const left = kept({ scores: flat(100), ratio: 0.9 });
    const expected = [...flat(5).map((_, at) => at + 1), ...flat(5).map((_, at) => at + 96)];
    expect(left).toEqual(expected);
  });

  it('keeps lines that give order where others needed a little more go, and lets them go where much more', () => {
    const first = (score: number) => flat(100).map((_, at) => (at < 20 ? score : 0));
    const kinder = kept({ scores: first(-0.64), areLogOdds: true, structural: 20 });
    expect(kinder).toEqual(flat(20).map((_, at) => at + 1));
    expect(kept({ scores: first(-2), areLogOdds: true, structural: 20 })).toHaveLength(10);
  });

  it('leaves more of a log than the ratio has room for, where every line of an event is needed', () => {
    const scores = flat(100).map((_, at) => (at < 65 ? 4 + at / 100 : 0));
    const event = flat(65).map((_, at) => at + 1);
    expect(kept({ scores, areLogOdds: true, sourceType: 'logs' })).toEqual(event);
    const left = kept({ scores, areLogOdds: true });
    expect(left.length).toBeGreaterThan(30);
    expect(left.length * 10 + 36 * 2).toBeLessThanOrEqual(450);
  });

  it('keeps six heads around a line that stays, however deep it stands', () => {
    const frames = flat(8).map((_, at): [number, number] => [at * 10 + 5, 95]);
    const left = kept({ scores: flat(100), frames, pinned: [90], ratio: 0.95 });
    expect(left).toEqual([5, 15, 25, 35, 45, 55, 90]);
  });

  it('cuts no more than the ratio allows, though what goes as one would be more', () => {
    const left = kept({ scores: flat(100), areLogOdds: true, ratio: 0.7, whole: { start: 1, end: 80 } });
    expect(left.length).toBeGreaterThanOrEqual(30);
    expect(left).toContain(1);
  });
});
