import type { LineRange } from '../../../text/lines.ts';
import type { KeepRule } from '../../keep-rules.ts';

/** Collects what the rules of `protect/` ask for. Indices are 0-based. */
export class Protection {
  readonly #pinned: Uint8Array;
  readonly #pinnedBy: (KeepRule | undefined)[];
  readonly #wholes: LineRange[] = [];
  readonly #together: LineRange[] = [];
  #rule: KeepRule = 'structure';

  constructor(lineCount: number) {
    this.#pinned = new Uint8Array(lineCount);
    this.#pinnedBy = new Array(lineCount);
  }

  /** What is pinned from here on is pinned for this reason. */
  because(rule: KeepRule): this {
    this.#rule = rule;
    return this;
  }

  pin(index: number): void {
    this.pinRange(index, index);
  }

  pinRange(first: number, last: number): void {
    const end = Math.min(this.#pinned.length, last + 1);
    for (let index = Math.max(0, first); index < end; index += 1) {
      if (this.#pinned[index] === 0) this.#pinnedBy[index] = this.#rule;
      this.#pinned[index] = 1;
    }
  }

  /** The lines that one of these rules pinned first. */
  pinnedFor(rules: ReadonlySet<KeepRule>): number[] {
    const lines: number[] = [];
    for (const [index, rule] of this.#pinnedBy.entries())
      if (rule !== undefined && rules.has(rule)) lines.push(index);
    return lines;
  }

  /** Gives a line free again. */
  release(index: number): void {
    this.#pinned[index] = 0;
    this.#pinnedBy[index] = undefined;
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
  settle(heads: readonly LineRange[] = []): {
    pinned: Uint8Array;
    pinnedBy: readonly (KeepRule | undefined)[];
    wholes: LineRange[];
  } {
    const free: LineRange[] = [];
    const inHead = new Uint8Array(this.#pinned.length);
    for (const { start, end } of heads) inHead.fill(1, start - 1, end);
    for (const whole of [...this.#wholes, ...heads]) {
      const pinnedAt = this.#pinned.subarray(whole.start - 1, whole.end).indexOf(1);
      if (pinnedAt === -1) free.push(whole);
      else
        this.because(this.#pinnedBy[whole.start - 1 + pinnedAt] ?? 'structure').pinRange(
          whole.start - 1,
          whole.end - 1,
        );
    }
    for (const { start, end } of this.#together) {
      const isFree = !this.#pinned.subarray(start - 1, end).includes(1);
      if (isFree && !inHead.subarray(start - 1, end).includes(1)) free.push({ start, end });
    }
    return {
      pinned: this.#pinned,
      pinnedBy: this.#pinnedBy,
      wholes: free.sort((a, b) => a.start - b.start),
    };
  }
}
