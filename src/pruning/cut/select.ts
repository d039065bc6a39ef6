import type { LineRange } from '../../text/lines.ts';
import type { ProtectedLines } from './protect.ts';
import { closeUnpaid, gapsAtLowestPrice, linesCut, tokensKept } from './select/gaps.ts';
import { type GapProblem, gapsAtPrice } from './select/gaps-at-price.ts';
import { harmOfLines, type JudgedLines } from './select/harm.ts';
import { nestingOf } from './select/nesting.ts';
import { shrinkGaps } from './select/shrink.ts';
import { buildUnits, type Unit } from './select/units.ts';

export interface SelectionProblem extends JudgedLines {
  protection: Pick<ProtectedLines, 'pinned' | 'wholes' | 'frames'>;
  /** What a marker costs, roughly: a gap that hides less is not opened. */
  markerTokens: number;
  minKeepLines: number;
  /** At most this share of the tokens stays, markers counted. */
  mostShare?: number;
}

/**
 * The gaps to cut, in order. A line goes where its tokens cost more than the harm of missing it, every gap paying for its marker; the ratio
 * is a cap, not a target.
 */
export function selectGaps(problem: SelectionProblem): LineRange[] {
  const units = buildUnits(problem.protection);
  const budget = prunableLines(problem);
  if (budget === 0) return [];
  return rangesOf(units, bestCut(gapProblem(problem, units, budget), problem));
}

function gapProblem(problem: SelectionProblem, units: readonly Unit[], budget: number): GapProblem {
  const { frames } = problem.protection;
  const ofLines = harmOfLines(problem, frames);
  const pinned = new Uint8Array(units.length);
  const lines = new Int32Array(units.length);
  const tokens = new Float64Array(units.length);
  const harm = new Float64Array(units.length);
  for (const [index, unit] of units.entries()) {
    if (unit.pinned) pinned[index] = 1;
    lines[index] = unit.lines;
    tokens[index] = sumIn(problem.tokens, unit);
    harm[index] = sumIn(ofLines, unit);
  }
  return {
    ...nestingOf(units, frames),
    harm,
    pinned,
    lines,
    tokens,
    markerTokens: problem.markerTokens,
    budget,
  };
}

function bestCut(gaps: GapProblem, problem: SelectionProblem): Uint8Array {
  const cut = fitted(gapsAtPrice(1, gaps), gaps, problem.mostShare);
  const lines = linesCut(cut, gaps);
  if (lines > gaps.budget) return gapsWithinBudget(gaps);
  return problem.probabilities === undefined ? boundedCut(cut, gaps, problem) : cut;
}

/** A reader with little room gets no more than fits, the most needed of it. */
function fitted(cut: Uint8Array, gaps: GapProblem, mostShare = 1): Uint8Array {
  const most = mostShare * sumOf(gaps.tokens);
  if (tokensKept(cut, gaps) <= most) return cut;
  return gapsAtLowestPrice(gaps, (tried) => tokensKept(tried, gaps) <= most);
}

/** Whatever is needed, this share of the lines that may go goes. */
const LEAST_CUT = 0.2;

/** Shares tell which lines are needed most, not how many: without a run the ratio says how much may stay at all. */
function boundedCut(
  cut: Uint8Array,
  gaps: GapProblem,
  { maxPruneRatio, sourceType }: SelectionProblem,
): Uint8Array {
  // A log may need every line of an event.
  const most =
    sourceType === 'logs' ? Number.POSITIVE_INFINITY : mostKept(maxPruneRatio) * sumOf(gaps.tokens);
  const least = Math.ceil(gaps.budget * LEAST_CUT);
  const bounded =
    tokensKept(cut, gaps) <= most ? cut : gapsAtLowestPrice(gaps, (tried) => tokensKept(tried, gaps) <= most);
  const lines = linesCut(bounded, gaps);
  if (lines > gaps.budget) return gapsWithinBudget(gaps);
  return lines < least ? gapsWithinBudget({ ...gaps, budget: least }) : bounded;
}

/** However the need is spread, no more than this share of the tokens stays, markers included, unless lines are protected. */
function mostKept(maxPruneRatio: number): number {
  return 2 * (1 - maxPruneRatio) + 0.25;
}

function gapsWithinBudget(gaps: GapProblem): Uint8Array {
  const cut = gapsAtLowestPrice(gaps, (tried) => linesCut(tried, gaps) >= gaps.budget);
  shrinkGaps({ ...gaps, cut });
  closeUnpaid(cut, gaps);
  return cut;
}

/** Protected lines stay; the rest is pruned down to 1 − ratio of its number, within the limits of the whole text. */
function prunableLines({ protection, maxPruneRatio, minKeepLines }: SelectionProblem): number {
  const total = protection.pinned.length;
  const free = total - pinnedLines(protection);
  return Math.max(0, Math.min(Math.floor(free * maxPruneRatio), total - minKeepLines));
}

function pinnedLines({ pinned }: Pick<ProtectedLines, 'pinned'>): number {
  return pinned.reduce((sum, pin) => sum + pin, 0);
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

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function sumIn(tokens: Float64Array, { start, end }: LineRange): number {
  let sum = 0;
  for (let line = start; line <= end; line += 1) sum += tokens[line - 1] ?? 0;
  return sum;
}
