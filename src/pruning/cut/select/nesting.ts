import type { Frames } from '../frames.ts';
import type { Unit } from './units.ts';

/** Nobody nests deeper to be understood; what is deeper belongs to the frame at this depth. */
export const DEEPEST = 6;

/** Where each unit stands. */
export interface Nesting {
  /** How many heads stand around the unit. */
  depth: Uint8Array;
  /** The unit of the innermost of them, or -1. */
  head: Int32Array;
}

export function nestingOf(units: readonly Unit[], { frames, owner }: Frames): Nesting {
  const around = { depth: new Uint8Array(units.length), head: new Int32Array(units.length) };
  const inside = { depth: new Uint8Array(frames.length), head: new Int32Array(frames.length) };
  let next = 0;
  for (const [index, { start, end }] of units.entries()) {
    const frame = owner[start - 1] ?? -1;
    const depth = inside.depth[frame] ?? 0;
    const head = inside.head[frame] ?? -1;
    around.depth[index] = depth;
    around.head[index] = head;
    for (; startsBy(frames[next], end); next += 1) {
      inside.depth[next] = Math.min(DEEPEST, depth + 1);
      inside.head[next] = depth < DEEPEST ? index : head;
    }
  }
  return around;
}

function startsBy(frame: Frames['frames'][number] | undefined, line: number): boolean {
  return frame !== undefined && frame.head.start <= line;
}
