import { linesCut } from './gaps.ts';
import type { GapProblem } from './gaps-at-price.ts';
import { NeedQueue } from './need-queue.ts';

type CutProblem = GapProblem & { cut: Uint8Array };

/**
 * Takes lines back from the edges of the gaps, the most needed first, until the budget holds: an edge taken back
 * opens no new gap, and comes back only where the head around it is there. Changes `cut` in place.
 */
export function shrinkGaps(problem: CutProblem): void {
  let excess = linesCut(problem.cut, problem) - problem.budget;
  // Whatever stands first in a gap stands below heads that are there, or is one.
  while (excess > 0) excess -= takeEdges(problem, excess) || takeFirst(problem);
}

/** Takes edges back while there are any, and answers how many lines they were. */
function takeEdges(problem: CutProblem, excess: number): number {
  const edges = edgesOf(problem);
  let taken = 0;
  for (let index = edges.take(); index !== undefined && taken < excess; index = edges.take()) {
    if (!mayReturn(problem, index)) continue;
    problem.cut[index] = 0;
    taken += problem.lines[index] ?? 0;
    for (const near of [index - 1, index + 1]) if (mayReturn(problem, near)) edges.add(near);
  }
  return taken;
}

function takeFirst({ lines, cut }: CutProblem): number {
  const first = cut.indexOf(1);
  cut[first] = 0;
  return lines[first] ?? 1;
}

function mayReturn({ head, cut }: CutProblem, index: number): boolean {
  if (cut[index] !== 1) return false;
  const above = head[index] ?? -1;
  if (above >= 0 && cut[above] === 1) return false;
  return cut[index - 1] !== 1 || cut[index + 1] !== 1;
}

function edgesOf(problem: CutProblem): NeedQueue {
  const edges = new NeedQueue(problem.harm);
  for (let index = 0; index < problem.cut.length; index += 1) if (mayReturn(problem, index)) edges.add(index);
  return edges;
}
