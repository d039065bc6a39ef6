import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SelectionProblem, selectGaps } from '../../../src/pruning/cut/select.ts';
import { framesGiven } from './any-problem.ts';

const MARKER = 9;

function problem(probabilities: readonly number[], tokens: readonly number[]): SelectionProblem {
  const lines = probabilities.length;
  const frames = { frames: [], owner: new Int32Array(lines).fill(-1), structural: [] };
  return {
    scores: new Float64Array(lines),
    areLogOdds: true,
    probabilities: Float64Array.from(probabilities),
    kind: 'read',
    // Long enough without a question that the run needs no more care than others.
    askedBack: { gaps: 15, recoveries: 0 },
    protection: { pinned: new Uint8Array(lines), wholes: [], frames },
    tokens: Float64Array.from(tokens),
    markerTokens: MARKER,
    maxPruneRatio: 1,
    minKeepLines: 0,
    sourceType: 'code',
  };
}

function keptLines(given: SelectionProblem): number[] {
  const gaps = selectGaps(given);
  const lines = Array.from(given.tokens, (_, at) => at + 1);
  return lines.filter((line) => !gaps.some(({ start, end }) => line >= start && line <= end));
}

const repeat = (total: number, value: number) => Array.from({ length: total }, () => value);

describe('[P27] a line goes when its tokens cost more than the harm of missing it', () => {
  it('leaves a text that is all answer whole', () => {
    expect(keptLines(problem(repeat(50, 0.8), repeat(50, 12)))).toHaveLength(50);
  });

  it('shrinks a text without an answer to the cap', () => {
    const given = { ...problem(repeat(100, 0.0001), repeat(100, 12)), maxPruneRatio: 0.9 };
    expect(keptLines(given)).toHaveLength(10);
  });

  it('keeps the one line that is likely used', () => {
    const probabilities = repeat(60, 0.001);
    probabilities[30] = 0.5;
    expect(keptLines(problem(probabilities, repeat(60, 12)))).toEqual([31]);
  });

  it('holds a line of a test run dearer than the same line of a file', () => {
    const given = problem(repeat(40, 0.04), repeat(40, 12));
    expect(keptLines(given)).toHaveLength(0);
    expect(keptLines({ ...given, kind: 'tests' })).toHaveLength(40);
  });

  it('holds a line of a long output dearer than that of a short one', () => {
    const given = (lines: number) => problem(repeat(lines, 0.0355), repeat(lines, 10));
    expect(keptLines(given(250))).toHaveLength(0);
    expect(keptLines(given(251))).toHaveLength(251);
  });

  it('takes a command it does not know for one like most', () => {
    const { kind, ...unknown } = problem(repeat(40, 0.0455), repeat(40, 12));
    expect(keptLines({ ...unknown, kind: 'read' })).toHaveLength(40);
    expect(keptLines(unknown)).toEqual(keptLines({ ...unknown, kind: 'other' }));
    expect(keptLines(unknown)).toHaveLength(0);
  });

  it('gives a reader with little room no more than fits, the most needed of it', () => {
    const given = { ...problem(repeat(100, 0.4), repeat(100, 12)), mostShare: 0.3 };
    const probabilities = Float64Array.from(given.tokens, (_, at) => (at >= 40 && at < 65 ? 0.6 : 0.4));
    const needed = Array.from({ length: 25 }, (_, at) => at + 41);
    expect(keptLines({ ...given, probabilities })).toEqual(needed);
  });

  it('takes back from the most needed gap what the ratio wants back, without a new marker', () => {
    const probabilities = [...repeat(10, 0.0001), 0, ...repeat(10, 0.0002)];
    const given = { ...problem(probabilities, repeat(21, 12)), maxPruneRatio: 0.75 };
    const pinned = Uint8Array.from(probabilities, (each) => (each === 0 ? 1 : 0));
    const protection = { ...given.protection, pinned };
    expect(keptLines({ ...given, protection })).toEqual([11, 12, 13, 14, 15, 16]);
  });

  it('takes back the head before the line below it, however needed that is', () => {
    const given = { ...problem([...repeat(9, 0.001), 0.02], repeat(10, 12)), maxPruneRatio: 0.9 };
    const protection = { ...given.protection, frames: framesGiven(10, [[1, 10]]) };
    expect(keptLines({ ...given, protection })).toEqual([1]);
  });

  it('opens no gap that would hide less than its marker costs when the ratio leaves but two lines', () => {
    const given = { ...problem(repeat(10, 0.0001), repeat(10, 4)), maxPruneRatio: 0.2 };
    expect(keptLines(given)).toHaveLength(10);
    expect(keptLines({ ...given, tokens: Float64Array.from(repeat(10, 5)) })).toHaveLength(8);
  });

  it('keeps more for an agent that asks back more than others do, and takes silence for nothing', () => {
    const given = problem(repeat(40, 0.04), repeat(40, 12));
    const kept = (gaps: number, recoveries: number) =>
      keptLines({ ...given, askedBack: { gaps, recoveries } }).length;
    expect(kept(10, 2)).toBe(40);
    expect(kept(300, 2)).toBe(0);
    expect(kept(15, 0)).toBe(0);
    const dearer = { ...given, kind: 'tests', askedBack: { gaps: 1000, recoveries: 0 } } as const;
    expect(keptLines(dearer)).toHaveLength(40);
  });

  it('takes more care of a file before the run has shown a gap, not of a search or a listing', () => {
    const given = problem(repeat(40, 0.04), repeat(40, 12));
    const atFirst = { ...given, askedBack: { gaps: 0, recoveries: 0 } };
    expect(keptLines(atFirst)).toHaveLength(40);
    expect(keptLines({ ...atFirst, kind: 'search' })).toHaveLength(0);
    const listed = { ...problem(repeat(40, 0.016), repeat(40, 12)), kind: 'listing' } as const;
    expect(keptLines({ ...listed, askedBack: { gaps: 0, recoveries: 0 } })).toHaveLength(0);
  });

  it('finds the cheapest of all ways, whatever the probabilities and tokens', () => {
    const line = fc.record({
      p: fc.double({ min: 0, max: 0.1, noNaN: true }),
      tokens: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 9 }), (lines) => {
        const given = problem(
          lines.map(({ p }) => p),
          lines.map(({ tokens }) => tokens),
        );
        const kept = new Set(keptLines(given));
        const ours = costOf(given, (at) => kept.has(at + 1));
        for (let way = 0; way < 2 ** lines.length; way += 1)
          expect(ours).toBeLessThanOrEqual(costOf(given, (at) => (way & (1 << at)) !== 0) + 1e-9);
      }),
      { numRuns: 60 },
    );
  });
});

/** Tokens of what stays and of markers, and what missing the rest costs, for lines of a file that was read. */
function costOf(
  { tokens, probabilities = tokens }: SelectionProblem,
  isKept: (at: number) => boolean,
): number {
  let cost = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    if (isKept(at)) cost += tokens[at] ?? 0;
    else cost += LOST_LINE_OF_A_FILE * (probabilities[at] ?? 0) + (at === 0 || isKept(at - 1) ? MARKER : 0);
  }
  return cost;
}

const LOST_LINE_OF_A_FILE = 270;
