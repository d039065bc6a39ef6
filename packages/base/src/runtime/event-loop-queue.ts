import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Lets in one piece of work at a time and has the event loop turn in between, when it looks at its sockets: a health
 * check waits for one call, not for all that came with it.
 */
export class EventLoopQueue {
  readonly #apart: number;
  readonly #waiting: Array<() => void> = [];
  #isWorking = false;

  /** The loop turns `apart` times from one piece to the next. */
  constructor(apart = 1) {
    this.#apart = apart;
  }

  /** Resolves when it is this caller's turn; in order. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isWorking) setImmediate(this.#admit);
      this.#isWorking = true;
    });
  }

  readonly #admit = () => {
    const next = this.#waiting.shift();
    this.#isWorking = next !== undefined;
    if (next === undefined) return;
    afterTurns(this.#apart, this.#admit);
    next();
  };
}

function afterTurns(turns: number, then: () => void): void {
  setImmediate(turns > 1 ? () => afterTurns(turns - 1, then) : then);
}

/** Adding up this many ledger entries takes about 10 ms. */
const ITEMS_PER_SLICE = 5_000;

/** Calls `visit` for each item, in slices between which the event loop turns. The list must not change meanwhile. */
export async function forEachInSlices<Item>(
  items: readonly Item[],
  visit: (item: Item) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += ITEMS_PER_SLICE) {
    if (start > 0) await nextTurn();
    for (const item of items.slice(start, start + ITEMS_PER_SLICE)) visit(item);
  }
}
