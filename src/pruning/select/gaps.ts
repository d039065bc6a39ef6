import type { Unit } from './units.ts';

/** What opening one more gap costs, in units of need, its marker aside: a lone line is kept apart only if it is needed that much more. */
const OPENING_COST = 1;
/** What a token that goes is worth, in units of need: of two lines needed alike the longer one goes, and a marker has its price. */
const TOKEN_WORTH = 0.03;
const SEARCH_STEPS = 18;
const LOWEST_THRESHOLD = -4;
const HIGHEST_THRESHOLD = 10;
/** A need no gap pays for. */
export const NEVER_CUT = 1e6;

export interface GapProblem {
  units: readonly Unit[];
  need: Float64Array;
  /** Estimated tokens of each unit, and of a marker. */
  tokens: Float64Array;
  markerTokens: number;
  /** Lines that may go. */
  budget: number;
}

/**
 * For a threshold, the best split into kept and cut runs is a two-state path found in one pass; a higher threshold
 * cuts more. The lowest threshold that uses up the budget wins; it may cut somewhat more. Answers 1 where a unit is cut.
 */
export function cheapestGaps(problem: GapProblem): Uint8Array {
  let low = LOWEST_THRESHOLD;
  let high = HIGHEST_THRESHOLD;
  let best = cutBelow(high, problem);
  for (let step = 0; step < SEARCH_STEPS; step += 1) {
    const threshold = (low + high) / 2;
    const cut = cutBelow(threshold, problem);
    const lines = linesCut(cut, problem.units);
    if (lines < problem.budget) {
      low = threshold;
      continue;
    }
    high = threshold;
    best = cut;
    if (lines === problem.budget) break;
  }
  return best;
}

/** Viterbi over {kept, cut}: cutting a unit earns what it falls short of the threshold, opening a gap costs. */
function cutBelow(threshold: number, { units, need, tokens, markerTokens }: GapProblem): Uint8Array {
  const opening = OPENING_COST + TOKEN_WORTH * markerTokens;
  const cutBeforeKept = new Uint8Array(units.length);
  const cutBeforeCut = new Uint8Array(units.length);
  let kept = 0;
  let cut = Number.NEGATIVE_INFINITY;
  for (const [index, unit] of units.entries()) {
    const opened = kept - opening;
    const saved = unit.lines * (threshold - (need[index] ?? 0)) + TOKEN_WORTH * (tokens[index] ?? 0);
    const earned = unit.pinned ? Number.NEGATIVE_INFINITY : saved;
    cutBeforeKept[index] = cut > kept ? 1 : 0;
    cutBeforeCut[index] = cut >= opened ? 1 : 0;
    kept = Math.max(kept, cut);
    cut = Math.max(cut, opened) + earned;
  }
  return walkBack(cut > kept, cutBeforeCut, cutBeforeKept);
}

function walkBack(endsCut: boolean, cutBeforeCut: Uint8Array, cutBeforeKept: Uint8Array): Uint8Array {
  const path = new Uint8Array(cutBeforeCut.length);
  let isCut = endsCut;
  for (let index = path.length - 1; index >= 0; index -= 1) {
    path[index] = isCut ? 1 : 0;
    isCut = (isCut ? cutBeforeCut[index] : cutBeforeKept[index]) === 1;
  }
  return path;
}

/** A gap that hides less than its marker costs is no gap. Changes `cut` in place. */
export function closeUnpaid(cut: Uint8Array, { tokens, markerTokens }: GapProblem): void {
  for (let first = 0; first < cut.length; ) {
    let end = first;
    let hidden = 0;
    for (; cut[end] === 1; end += 1) hidden += tokens[end] ?? 0;
    if (hidden <= markerTokens) cut.fill(0, first, end);
    first = end + 1;
  }
}

export function linesCut(cut: Uint8Array, units: readonly Unit[]): number {
  let lines = 0;
  for (let index = 0; index < units.length; index += 1) {
    if (cut[index] === 1) lines += units[index]?.lines ?? 0;
  }
  return lines;
}
