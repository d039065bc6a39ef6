import { describe, expect, it } from 'vitest';
import { type ExplainedCut, explainCut } from '../../src/pruning/cut/explanation.ts';
import type { KeepRule } from '../../src/pruning/keep-rules.ts';
import type { LineRange } from '../../src/text/lines.ts';

interface Case {
  scores: number[];
  pinnedBy?: Readonly<Record<number, KeepRule>>;
  /** Lines that the selection wanted to cut, and that were cut. */
  wanted?: LineRange[];
  cut?: LineRange[];
  head?: LineRange;
  structural?: LineRange[];
  lostLinePrice?: number;
}

function explained({ scores, pinnedBy = {}, wanted = [], cut = [], head, structural = [], ...rest }: Case) {
  const owner = new Int32Array(scores.length).fill(-1);
  const frames = head === undefined ? [] : [{ head, noun: 'function', name: 'f', parent: -1 } as const];
  const given: ExplainedCut = {
    scores: Float64Array.from(scores),
    areLogOdds: true,
    lostLinePrice: rest.lostLinePrice,
    protection: {
      pinned: new Uint8Array(scores.length),
      pinnedBy: scores.map((_, at) => pinnedBy[at + 1]),
      wholes: [],
      frames: { frames: [...frames], owner, structural },
    },
    gaps: wanted,
    blocks: cut.map((range) => ({ ...range, count: 1, reason: 'off focus', marker: '✂' })),
  };
  return explainCut(given);
}

describe('[P27] the letter of a line', () => {
  const [gap] = [{ start: 3, end: 4 }];

  it('is s where it stayed for its score, n where it scores less than what went on the average', () => {
    expect(explained({ scores: [5, 1, 4, 0, 9, 1.9, 2], cut: [gap] }).rules).toBe('sn--sns');
    expect(explained({ scores: [5, 1, 4] }).rules).toBe('sss');
  });

  it('is n where a gap was wanted and did not pay', () => {
    expect(explained({ scores: [5, 5, 5, 5, 5], wanted: [gap] }).rules).toBe('ssnns');
  });

  it('is h for a head and for what gives order, whatever it scores', () => {
    const kept = { head: { start: 1, end: 2 }, structural: [{ start: 5, end: 5 }] };
    expect(explained({ scores: [-9, 0, 1, 1, 0, 1], cut: [gap], ...kept }).rules).toBe('hh--hs');
    expect(explained({ scores: [5, 5, 5, 5, 5], wanted: [{ start: 2, end: 3 }], ...kept }).rules).toBe(
      'hnnsh',
    );
  });

  it('is that of the rule that protects it', () => {
    const pinnedBy = { 1: 'literal', 3: 'failure', 5: 'directive' } as const;
    const head = { start: 5, end: 5 };
    expect(explained({ scores: [5, 5, 5, 5, 5], wanted: [gap], head, pinnedBy }).rules).toBe('lsend');
  });
});

it('[P27] a block tells the best line it lost, the first of several', () => {
  const cut = [
    { start: 2, end: 4 },
    { start: 6, end: 6 },
    { start: 8, end: 9 },
  ];
  const { blocks } = explained({ scores: [9, -3, -1, -1, 9, 2.346, 9, 0, 1, 9], cut });
  expect(blocks).toEqual([
    { start: 2, end: 4, reason: 'off focus', bestScore: -1, bestLine: 3 },
    { start: 6, end: 6, reason: 'off focus', bestScore: 2.35, bestLine: 6 },
    { start: 8, end: 9, reason: 'off focus', bestScore: 1, bestLine: 9 },
  ]);
});

it('[P27] scores have two digits behind the point, and are zero where there is none', () => {
  expect(explained({ scores: [1.234, -1.235_1, Number.NaN, Number.NEGATIVE_INFINITY] }).scores).toEqual([
    1.23, -1.24, 0, 0,
  ]);
});

it('[P27] the price of a lost line is told where it is known', () => {
  expect(explained({ scores: [1], lostLinePrice: 0 })).toMatchObject({ lostLinePrice: 0, areLogOdds: true });
  expect(explained({ scores: [1] })).not.toHaveProperty('lostLinePrice');
});
