import { type GapProblem, linesCut } from './gaps.ts';
import { NeedQueue } from './need-queue.ts';

/**
 * Takes lines back from the edges of the gaps, the most needed first, until the budget holds: an edge taken back
 * opens no new gap. Changes `cut` in place.
 */
export function shrinkGaps({ lines, need, budget, cut }: GapProblem & { cut: Uint8Array }): void {
  let excess = linesCut(cut, { lines }) - budget;
  if (excess <= 0) return;
  const edges = edgesOf(need, cut);
  for (let index = edges.take(); index !== undefined && excess > 0; index = edges.take()) {
    if (cut[index] === 0) continue;
    cut[index] = 0;
    excess -= lines[index] ?? 0;
    if (cut[index - 1] === 1) edges.add(index - 1);
    if (cut[index + 1] === 1) edges.add(index + 1);
  }
}

function edgesOf(need: Float64Array, cut: Uint8Array): NeedQueue {
  const edges = new NeedQueue(need);
  for (let index = 0; index < cut.length; index += 1) {
    if (cut[index] === 1 && (cut[index - 1] !== 1 || cut[index + 1] !== 1)) edges.add(index);
  }
  return edges;
}
