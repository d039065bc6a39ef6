/**
 * Calls whose bodies are in begin one a round of the event loop. Begun as they come, a hundred of them would keep a health
 * check waiting until all were parsed.
 */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#last;
  }
}
