import { type GapProblem, linesCut } from './gaps.ts';
import type { Unit } from './units.ts';

/**
 * Spends what is left of the budget at the edges of the gaps, least needed first: a longer gap costs no new marker.
 * Changes `cut` in place.
 */
export function growGaps(problem: GapProblem & { cut: Uint8Array }): void {
  const { units, cut } = problem;
  let left = problem.budget - linesCut(cut, units);
  const edges = edgesOf(problem);
  for (let index = edges.take(); index !== undefined && left > 0; index = edges.take()) {
    const unit = units[index];
    if (!canGo(unit, cut[index], left)) continue;
    cut[index] = 1;
    left -= unit?.lines ?? 0;
    if (cut[index - 1] === 0) edges.add(index - 1);
    if (cut[index + 1] === 0) edges.add(index + 1);
  }
}

function edgesOf({ units, need, cut }: GapProblem & { cut: Uint8Array }): EdgeQueue {
  const edges = new EdgeQueue(need);
  for (let index = 0; index < units.length; index += 1) {
    if (cut[index] === 0 && touchesGap(cut, index)) edges.add(index);
  }
  return edges;
}

function canGo(unit: Unit | undefined, isCut: number | undefined, left: number): boolean {
  return unit !== undefined && isCut === 0 && !unit.pinned && unit.lines <= left;
}

function touchesGap(cut: Uint8Array, index: number): boolean {
  return cut[index - 1] === 1 || cut[index + 1] === 1;
}

/** A binary heap of unit indices, least needed on top; equal needs leave in text order. */
class EdgeQueue {
  readonly #heap: number[] = [];
  readonly #need: Float64Array;

  constructor(need: Float64Array) {
    this.#need = need;
  }

  add(index: number): void {
    const heap = this.#heap;
    let at = heap.push(index) - 1;
    while (at > 0 && this.#before(at, (at - 1) >> 1)) at = this.#swap(at, (at - 1) >> 1);
  }

  take(): number | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined || heap.length === 0) return top;
    heap[0] = last;
    this.#sink();
    return top;
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= this.#heap.length) return;
      const child = left + 1 < this.#heap.length && this.#before(left + 1, left) ? left + 1 : left;
      if (!this.#before(child, at)) return;
      at = this.#swap(child, at);
    }
  }

  #before(a: number, b: number): boolean {
    const first = this.#heap[a] ?? 0;
    const second = this.#heap[b] ?? 0;
    const difference = (this.#need[first] ?? 0) - (this.#need[second] ?? 0);
    return difference === 0 ? first < second : difference < 0;
  }

  #swap(from: number, to: number): number {
    const moved = this.#heap[from] ?? 0;
    this.#heap[from] = this.#heap[to] ?? 0;
    this.#heap[to] = moved;
    return to;
  }
}
