/**
 * Lets in one piece of work at a time and has the event loop turn in between, when it looks at its sockets: a health
 * check waits for one call, not for all that came with it.
 */
export class Turns {
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
