import type { SourceType } from '../ranking/scorer.ts';
import type { LineRange } from '../text/lines.ts';
import type { ProtectedLines } from './protect.ts';
import {
  closeUnpaid,
  type GapProblem,
  gapsAtLowestPrice,
  gapsAtPrice,
  linesCut,
  tokensKept,
} from './select/gaps.ts';
import { sharesOfNeed } from './select/need.ts';
import { nestingOf } from './select/nesting.ts';
import { shrinkGaps } from './select/shrink.ts';
import { buildUnits, type Unit } from './select/units.ts';

export interface SelectionProblem {
  scores: Float64Array;
  areLogOdds: boolean;
  protection: ProtectedLines;
  /** Estimated tokens of each line. */
  tokens: Float64Array;
  /** What a marker costs, roughly: a gap that hides less is not opened. */
  markerTokens: number;
  maxPruneRatio: number;
  minKeepLines: number;
  sourceType: SourceType;
}

/**
 * The gaps to cut, in order. As many lines go as the limits allow, fewer where what would go is needed for sure: those
 * whose share of the need is least for their share of the tokens, every gap paying for its marker.
 */
export function selectGaps(problem: SelectionProblem): LineRange[] {
  const units = buildUnits(problem.protection);
  const budget = prunableLines(problem);
  if (budget === 0) return [];
  return rangesOf(units, bestCut(gapProblem(problem, units, budget), problem));
}

function gapProblem(problem: SelectionProblem, units: readonly Unit[], budget: number): GapProblem {
  const pinned = new Uint8Array(units.length);
  const lines = new Int32Array(units.length);
  const tokens = new Float64Array(units.length);
  for (const [index, unit] of units.entries()) {
    if (unit.pinned) pinned[index] = 1;
    lines[index] = unit.lines;
    tokens[index] = sumIn(problem.tokens, unit);
  }
  const need = sharesOfNeed({ ...problem, units });
  const allTokens = tokens.reduce((sum, count) => sum + count, 0);
  const order = structuralTokens(problem);
  for (const [index, unit] of units.entries())
    need[index] = (need[index] ?? 0) + (STRUCTURE_WORTH * sumIn(order, unit)) / (allTokens || 1);
  const nesting = nestingOf(units, problem.protection.frames);
  return { ...nesting, need, pinned, lines, tokens, allTokens, markerTokens: problem.markerTokens, budget };
}

/** A line that gives order (a signature, an import, a heading) is worth as much as the average text, beyond its need. */
const STRUCTURE_WORTH = 1;

function structuralTokens({ tokens, protection: { frames } }: SelectionProblem): Float64Array {
  const order = new Float64Array(tokens.length);
  for (const { start, end } of [...frames.structural, ...frames.frames.map(({ head }) => head)])
    for (let line = start - 1; line < end; line += 1) order[line] = tokens[line] ?? 0;
  return order;
}

/** Whatever is needed, this share of the lines that may go goes. */
const LEAST_CUT = 0.2;

function bestCut(gaps: GapProblem, { maxPruneRatio, sourceType }: SelectionProblem): Uint8Array {
  // A log may need every line of an event.
  const most = sourceType === 'logs' ? Number.POSITIVE_INFINITY : mostKept(maxPruneRatio) * gaps.allTokens;
  const atPrice = gapsAtPrice(priceAt(maxPruneRatio), gaps);
  const cut =
    tokensKept(atPrice, gaps) <= most
      ? atPrice
      : gapsAtLowestPrice(gaps, (tried) => tokensKept(tried, gaps) <= most);
  const lines = linesCut(cut, gaps);
  if (lines > gaps.budget) return gapsWithinBudget(gaps);
  const least = Math.ceil(gaps.budget * LEAST_CUT);
  return lines < least ? gapsWithinBudget({ ...gaps, budget: least }) : cut;
}

/** What the average text must bring to stay: the more may go, the dearer. */
const PRICE = 0.43;

function priceAt(maxPruneRatio: number): number {
  return PRICE / Math.sqrt(Math.max(0.01, 1 - maxPruneRatio));
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
  const byRatio = Math.min(Math.floor(free * maxPruneRatio), Math.floor(total * maxPruneRatio));
  return Math.max(0, Math.min(byRatio, total - minKeepLines));
}

function pinnedLines({ pinned }: ProtectedLines): number {
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

function sumIn(tokens: Float64Array, { start, end }: LineRange): number {
  let sum = 0;
  for (let line = start; line <= end; line += 1) sum += tokens[line - 1] ?? 0;
  return sum;
}
