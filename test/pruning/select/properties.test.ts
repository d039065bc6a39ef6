import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type SelectionProblem, selectGaps } from '../../../src/pruning/cut/select.ts';
import { anyProblem, headsAround } from './any-problem.ts';

const linesOf = ({ tokens }: SelectionProblem) => Array.from(tokens, (_, at) => at + 1);

function keptLines(given: SelectionProblem): Set<number> {
  const gaps = selectGaps(given);
  return new Set(
    linesOf(given).filter((line) => !gaps.some(({ start, end }) => line >= start && line <= end)),
  );
}

function always(holds: (given: SelectionProblem) => void, numRuns = 200): void {
  fc.assert(fc.property(anyProblem(40), holds), { numRuns });
}

it('[P16] gaps come in order, with lines that stay between them', () =>
  always((given) => {
    let last = -1;
    for (const { start, end } of selectGaps(given)) {
      expect(start).toBeGreaterThan(last + 1);
      expect(end).toBeGreaterThanOrEqual(start);
      last = end;
    }
    expect(last).toBeLessThanOrEqual(given.tokens.length);
  }));

it('[P14] of the lines that are not protected no more go than the ratio says, and min_keep_lines stay', () =>
  always((given) => {
    const { protection, maxPruneRatio, minKeepLines, tokens } = given;
    const free = protection.pinned.filter((pin) => pin === 0).length;
    const { size } = keptLines(given);
    expect(tokens.length - size).toBeLessThanOrEqual(Math.floor(free * maxPruneRatio));
    expect(size).toBeGreaterThanOrEqual(minKeepLines);
  }));

it('[P21] a line stays where it is protected, and its heads where it stays', () =>
  always((given) => {
    const { pinned, frames } = given.protection;
    const kept = keptLines(given);
    const mustStay = linesOf(given).flatMap((line) => [
      ...(pinned[line - 1] === 1 ? [line] : []),
      ...(kept.has(line) ? headsAround(line, frames) : []),
    ]);
    expect(mustStay.filter((line) => !kept.has(line))).toEqual([]);
  }));

it('[P21] a run that goes or stays as one does', () =>
  always((given) => {
    const kept = keptLines(given);
    for (const { start, end } of given.protection.wholes) {
      const stays = linesOf(given)
        .slice(start - 1, end)
        .map((line) => kept.has(line));
      expect(new Set(stays).size).toBe(1);
    }
  }));

it('[P18] every gap hides more than its marker costs', () =>
  always((given) => {
    for (const { start, end } of selectGaps(given)) {
      const hidden = given.tokens.subarray(start - 1, end).reduce((sum, each) => sum + each, 0);
      expect(hidden).toBeGreaterThan(given.markerTokens);
    }
  }));

it('[P27] in a run no way is cheaper that keeps the protected lines and the heads of what stays', () => {
  const inRun = anyProblem(9)
    .filter(({ probabilities }) => probabilities !== undefined)
    .map((given) => ({ ...given, maxPruneRatio: 1, minKeepLines: 0, mostShare: 1 }));
  fc.assert(
    fc.property(inRun, (given) => {
      const kept = keptLines(given);
      let cheapest = Number.POSITIVE_INFINITY;
      for (let way = 0; way < 2 ** given.tokens.length; way += 1) {
        const isKept = (line: number) => (way & (1 << (line - 1))) !== 0;
        if (isAllowed(given, isKept)) cheapest = Math.min(cheapest, costOf(given, isKept));
      }
      expect(costOf(given, (line) => kept.has(line))).toBeCloseTo(cheapest, 9);
    }),
    { numRuns: 100 },
  );
});

function isAllowed(given: SelectionProblem, isKept: (line: number) => boolean): boolean {
  const { pinned, frames, wholes } = given.protection;
  const allowsLine = (line: number) =>
    isKept(line) ? headsAround(line, frames).every(isKept) : pinned[line - 1] !== 1;
  const allowsRun = ({ start, end }: { start: number; end: number }) =>
    linesOf(given)
      .slice(start - 1, end)
      .every((line) => isKept(line) === isKept(start));
  return linesOf(given).every(allowsLine) && wholes.every(allowsRun);
}

/** At the beginning of a run. */
const LOST_LINE_OF_A_FILE = 270 * 1.3;
/** A head is worth this share of its tokens by itself. */
const HEAD_WORTH = 0.1;

/** Tokens of what stays and of markers, and what missing the rest costs. */
function costOf(given: SelectionProblem, isKept: (line: number) => boolean): number {
  const { tokens, probabilities = tokens, protection, markerTokens } = given;
  const heads = new Set(protection.frames.frames.map(({ head }) => head.start));
  const costs = linesOf(given).map((line) => {
    const own = tokens[line - 1] ?? 0;
    if (isKept(line)) return own;
    const marker = line === 1 || isKept(line - 1) ? markerTokens : 0;
    const worth = heads.has(line) ? HEAD_WORTH * own : 0;
    return marker + worth + LOST_LINE_OF_A_FILE * (probabilities[line - 1] ?? 0);
  });
  return costs.reduce((sum, cost) => sum + cost, 0);
}
