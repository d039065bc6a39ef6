import { NEVER_CUT } from './gaps.ts';
import { NeedQueue } from './need-queue.ts';
import type { Unit } from './units.ts';

/** This share of the lines that stay is safe from being swallowed by a gap, however lonely they stand. */
const SECURED_SHARE = 0.1;
/** A line no better than that is nothing special. */
const LEAST_NEED = 1;

/** Puts the most needed units out of reach of the gaps. Changes `need` in place. */
export function secureBest(units: readonly Unit[], need: Float64Array, linesKept: number): void {
  const queue = new NeedQueue(need.slice());
  for (const [index, unit] of units.entries()) {
    if (!unit.pinned && (need[index] ?? 0) >= LEAST_NEED) queue.add(index);
  }
  let room = Math.max(1, linesKept * SECURED_SHARE);
  for (let index = queue.take(); index !== undefined && room > 0; index = queue.take()) {
    room -= units[index]?.lines ?? 0;
    if (room >= 0) need[index] = NEVER_CUT;
  }
}
