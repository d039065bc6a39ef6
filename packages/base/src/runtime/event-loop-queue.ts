import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Starts one task per `apart` event-loop iterations, in order. The event loop handles sockets between tasks, so a
 * health check waits for one task, not for the whole queue.
 */
export class EventLoopQueue {
  readonly #apart: number;
  readonly #waiting: Array<() => void> = [];
  #isWorking = false;

  /** `apart`: number of event-loop iterations from one task to the next. */
  constructor(apart = 1) {
    this.#apart = apart;
  }

  /** Resolves when the caller may start its task. */
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

/** Number of ledger entries that can be added up in about 10 ms. */
const ITEMS_PER_SLICE = 5_000;

/** Calls `visit` for each item, in slices between which other events are handled. The list must not change. */
export async function forEachInSlices<Item>(
  items: readonly Item[],
  visit: (item: Item) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += ITEMS_PER_SLICE) {
    if (start > 0) await nextTurn();
    for (const item of items.slice(start, start + ITEMS_PER_SLICE)) visit(item);
  }
}
