import type { SourceType } from '../ranking/scorer.ts';
import type { LineRange } from '../text/lines.ts';
import type { ProtectedLines } from './protect.ts';
import { closeUnpaid, type GapProblem, gapsAtPrice, gapsForBudget, linesCut } from './select/gaps.ts';
import { growGaps } from './select/grow.ts';
import { sharesOfNeed } from './select/need.ts';
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
  return rangesOf(units, bestCut(gapProblem(problem, units, budget), problem.maxPruneRatio));
}

function gapProblem(problem: SelectionProblem, units: readonly Unit[], budget: number): GapProblem {
  const pinned = new Uint8Array(units.length);
  const lines = new Int32Array(units.length);
  const tokens = new Float64Array(units.length);
  for (const [index, unit] of units.entries()) {
    if (unit.pinned) pinned[index] = 1;
    lines[index] = unit.lines;
    tokens[index] = tokensIn(problem.tokens, unit);
  }
  const need = sharesOfNeed({ ...problem, units });
  const allTokens = tokens.reduce((sum, count) => sum + count, 0);
  return { need, pinned, lines, tokens, allTokens, markerTokens: problem.markerTokens, budget };
}

/** Whatever is needed, this share of the lines that may go goes. */
const LEAST_CUT = 0.2;

function bestCut(gaps: GapProblem, maxPruneRatio: number): Uint8Array {
  const sure = gapsBeyondDoubt(gaps, maxPruneRatio);
  if (sure === undefined) return gapsWithinBudget(gaps);
  const lines = linesCut(sure, gaps);
  if (lines > gaps.budget) return gapsWithinBudget(gaps);
  const least = Math.ceil(gaps.budget * LEAST_CUT);
  return lines < least ? gapsWithinBudget({ ...gaps, budget: least }) : sure;
}

/** Spread of the need over the lines, from 0, all in one, to 1, all alike: beyond this the scorer knows nothing. */
const NO_IDEA = 0.65;
/** However little the caller lets us cut, lines of less need than that, the average being 1, are not worth their tokens. */
const LOWEST_SURE_PRICE = 0.7;
/** How much dearer everything gets as the scorer knows less. */
const DOUBT = 0.25;

/**
 * The gaps between stretches that hold more of the need than of the tokens, as far as the scorer knows: the less it
 * does, and the further the caller lets us go, the more such a stretch must hold.
 */
function gapsBeyondDoubt(gaps: GapProblem, maxPruneRatio: number): Uint8Array | undefined {
  const spread = spreadOf(gaps.need);
  if (spread > NO_IDEA) return undefined;
  return gapsAtPrice(Math.max(LOWEST_SURE_PRICE, maxPruneRatio) / (1 - spread) ** DOUBT, gaps);
}

/** The number of equally needed units that would be as hard to guess, as a share of all. */
function spreadOf(need: Float64Array): number {
  let surprise = 0;
  for (const share of need) if (share > 0) surprise -= share * Math.log(share);
  return Math.exp(surprise) / need.length;
}

function gapsWithinBudget(gaps: GapProblem): Uint8Array {
  const cut = gapsForBudget(gaps);
  shrinkGaps({ ...gaps, cut });
  closeUnpaid(cut, gaps);
  growGaps({ ...gaps, cut });
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

function tokensIn(tokens: Float64Array, { start, end }: LineRange): number {
  let sum = 0;
  for (let line = start; line <= end; line += 1) sum += tokens[line - 1] ?? 0;
  return sum;
}
