import type { Unit } from './units.ts';

/** What opening one more gap costs, in units of need: a lone line is kept apart only if it is needed that much more. */
const OPENING_COST = 2.5;
const SEARCH_STEPS = 18;

export interface GapProblem {
  units: readonly Unit[];
  need: Float64Array;
  /** Lines that may go. */
  budget: number;
}

/**
 * For a threshold, the best split into kept and cut runs is a two-state path found in one pass; a higher threshold
 * cuts more. The highest threshold that stays within the budget wins. Answers 1 where a unit is cut.
 */
export function cheapestGaps(problem: GapProblem): Uint8Array {
  let best: Uint8Array = new Uint8Array(problem.units.length);
  let low = -4;
  let high = 6 + OPENING_COST;
  for (let step = 0; step < SEARCH_STEPS; step += 1) {
    const threshold = (low + high) / 2;
    const cut = cutBelow(threshold, problem);
    if (linesCut(cut, problem.units) <= problem.budget) {
      best = cut;
      low = threshold;
    } else {
      high = threshold;
    }
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
