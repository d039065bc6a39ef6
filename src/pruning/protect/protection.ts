import type { LineRange } from '../../text/lines.ts';

/** Collects what the rules of `protect/` ask for. Indices are 0-based. */
export class Protection {
  readonly #pinned: Uint8Array;
  readonly #wholes: LineRange[] = [];
  readonly #together: LineRange[] = [];

  constructor(lineCount: number) {
    this.#pinned = new Uint8Array(lineCount);
  }

  pin(index: number): void {
    if (index >= 0 && index < this.#pinned.length) this.#pinned[index] = 1;
  }

  pinRange(first: number, last: number): void {
    this.#pinned.fill(1, Math.max(0, first), Math.min(this.#pinned.length, last + 1));
  }

  /** Kept or dropped as one; runs must come in order. */
  keepWhole(first: number, last: number): void {
    this.#wholes.push({ start: first + 1, end: last + 1 });
  }

  /** The same where nothing inside is pinned; otherwise each line for itself. */
  keepTogether(first: number, last: number): void {
    this.#together.push({ start: first + 1, end: last + 1 });
  }

  /**
   * A run with one pinned line is pinned altogether: it cannot be dropped whole any more. `heads` are kept or dropped
   * whole, and nothing else reaches into them.
   */
  settle(heads: readonly LineRange[] = []): { pinned: Uint8Array; wholes: LineRange[] } {
    const free: LineRange[] = [];
    const inHead = new Uint8Array(this.#pinned.length);
    for (const { start, end } of heads) inHead.fill(1, start - 1, end);
    for (const whole of [...this.#wholes, ...heads]) {
      const run = this.#pinned.subarray(whole.start - 1, whole.end);
      if (run.includes(1)) run.fill(1);
      else free.push(whole);
    }
    for (const { start, end } of this.#together) {
      const isFree = !this.#pinned.subarray(start - 1, end).includes(1);
      if (isFree && !inHead.subarray(start - 1, end).includes(1)) free.push({ start, end });
    }
    return { pinned: this.#pinned, wholes: free.sort((a, b) => a.start - b.start) };
  }
}
