/** A binary heap of unit indices, the most needed on top; equal needs leave in text order. */
export class NeedQueue {
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
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return last;
    const top = heap[0];
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
      at = this.#swap(at, child);
    }
  }

  #before(a: number, b: number): boolean {
    const first = this.#heap[a] ?? 0;
    const second = this.#heap[b] ?? 0;
    const difference = (this.#need[first] ?? 0) - (this.#need[second] ?? 0);
    return difference === 0 ? first < second : difference > 0;
  }

  #swap(from: number, to: number): number {
    const moved = this.#heap[from] ?? 0;
    this.#heap[from] = this.#heap[to] ?? 0;
    this.#heap[to] = moved;
    return to;
  }
}
