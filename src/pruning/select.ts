import type { LineRange } from '../text/lines.ts';
import type { ProtectedLines } from './protect.ts';
import { cheapestGaps } from './select/gaps.ts';
import { needOf } from './select/need.ts';
import { secureBest } from './select/secure.ts';
import { shrinkGaps } from './select/shrink.ts';
import { buildUnits, type Unit } from './select/units.ts';

export interface SelectionProblem {
  scores: Float64Array;
  protection: ProtectedLines;
  /** Estimated tokens of each line. */
  tokens: Float64Array;
  /** What a marker costs, roughly: a gap that hides less is not opened. */
  markerTokens: number;
  maxPruneRatio: number;
  minKeepLines: number;
}

/**
 * The gaps to cut, in order: as many lines as the limits allow, those the goal needs least, in as few
 * pieces as that allows, because every piece costs a marker.
 */
export function selectGaps(problem: SelectionProblem): LineRange[] {
  const units = buildUnits(problem.protection);
  const budget = prunableLines(problem);
  if (budget === 0) return [];
  const need = needOf(units, problem.scores);
  secureBest(units, need, problem.scores.length - budget);
  const cut = cheapestGaps({ units, need, budget });
  shrinkGaps({ units, need, budget, cut });
  return payingRanges(units, cut, problem);
}

/** Protected lines stay; the rest is pruned down to 1 − ratio of its number, within the limits of the whole text. */
function prunableLines({ protection, maxPruneRatio, minKeepLines }: SelectionProblem): number {
  const total = protection.pinned.length;
  const free = total - protection.pinned.reduce((sum, pin) => sum + pin, 0);
  const byRatio = Math.min(Math.floor(free * maxPruneRatio), Math.floor(total * maxPruneRatio));
  return Math.max(0, Math.min(byRatio, total - minKeepLines));
}

function payingRanges(units: readonly Unit[], cut: Uint8Array, problem: SelectionProblem): LineRange[] {
  return rangesOf(units, cut).filter((range) => tokensIn(problem.tokens, range) > problem.markerTokens);
}

function rangesOf(units: readonly Unit[], cut: Uint8Array): LineRange[] {
  const ranges: LineRange[] = [];
  for (const [index, unit] of units.entries()) {
    if (cut[index] === 0) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last.end === unit.start - 1) last.end = unit.end;
    else ranges.push({ start: unit.start, end: unit.end });
  }
  return ranges;
}

function tokensIn(tokens: Float64Array, { start, end }: LineRange): number {
  return tokens.subarray(start - 1, end).reduce((sum, count) => sum + count, 0);
}
