import { NEVER_CUT } from './gaps.ts';
import { NeedQueue } from './need-queue.ts';
import type { Unit } from './units.ts';

/** A line no better than that is nothing special. */
const LEAST_NEED = 0.5;
/** A line as good as that is needed for sure: for such lines less may be pruned than was asked for. */
const SURE_NEED = 1;

/** How many lines may be put out of reach: in any case, and when they are all needed for sure. */
export interface SecureLimits {
  lines: number;
  sureLines: number;
}

/** Puts the most needed units out of reach of the gaps, however lonely they stand. Changes `need` in place. */
export function secureBest(units: readonly Unit[], need: Float64Array, limits: SecureLimits): void {
  const queue = new NeedQueue(need.slice());
  for (const [index, unit] of units.entries()) {
    if (!unit.pinned && (need[index] ?? 0) >= LEAST_NEED) queue.add(index);
  }
  let secured = 0;
  for (let index = queue.take(); index !== undefined; index = queue.take()) {
    secured += units[index]?.lines ?? 0;
    const limit = (need[index] ?? 0) >= SURE_NEED ? limits.sureLines : limits.lines;
    if (secured > Math.max(1, limit)) return;
    need[index] = NEVER_CUT;
  }
}
