import type { Unit } from './units.ts';

/** What opening one more gap costs, in units of need: a lone line is kept apart only if it is needed that much more. */
const OPENING_COST = 2.5;
const SEARCH_STEPS = 18;
const LOWEST_THRESHOLD = -4;
const HIGHEST_THRESHOLD = 10;
/** A need no gap pays for. */
export const NEVER_CUT = HIGHEST_THRESHOLD + 2 * OPENING_COST;

export interface GapProblem {
  units: readonly Unit[];
  need: Float64Array;
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
function cutBelow(threshold: number, { units, need }: GapProblem): Uint8Array {
  const cutBeforeKept = new Uint8Array(units.length);
  const cutBeforeCut = new Uint8Array(units.length);
  let kept = 0;
  let cut = Number.NEGATIVE_INFINITY;
  for (const [index, unit] of units.entries()) {
    const opened = kept - OPENING_COST;
    const earned = unit.pinned ? Number.NEGATIVE_INFINITY : unit.lines * (threshold - (need[index] ?? 0));
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

export function linesCut(cut: Uint8Array, units: readonly Unit[]): number {
  let lines = 0;
  for (let index = 0; index < units.length; index += 1) {
    if (cut[index] === 1) lines += units[index]?.lines ?? 0;
  }
  return lines;
}
