import { type GapProblem, linesCut } from './gaps.ts';
import { NeedQueue } from './need-queue.ts';

/**
 * Widens the gaps that are there by the least needed lines beside them until the budget is used up: what a gap that
 * does not pay for its marker left over. Changes `cut` in place.
 */
export function growGaps(problem: GapProblem & { cut: Uint8Array }): void {
  const { budget, cut } = problem;
  let room = budget - linesCut(cut, problem);
  if (room <= 0) return;
  const edges = edgesOf(problem);
  for (let index = edges.take(); index !== undefined && room > 0; index = edges.take()) {
    const lines = problem.lines[index] ?? 0;
    if (cut[index] === 1 || lines > room) continue;
    cut[index] = 1;
    room -= lines;
    for (const near of [index - 1, index + 1]) if (mayGo(problem, near)) edges.add(near);
  }
}

function mayGo({ pinned, cut }: GapProblem & { cut: Uint8Array }, index: number): boolean {
  return cut[index] === 0 && pinned[index] === 0;
}

/** Kept lines beside a gap, the least needed on top. */
function edgesOf(problem: GapProblem & { cut: Uint8Array }): NeedQueue {
  const { need, cut } = problem;
  const edges = new NeedQueue(need.map((value) => -value));
  for (let index = 0; index < cut.length; index += 1) {
    const besideGap = cut[index - 1] === 1 || cut[index + 1] === 1;
    if (besideGap && mayGo(problem, index)) edges.add(index);
  }
  return edges;
}
