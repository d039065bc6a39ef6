export interface QueuedMessage {
  readonly text: string;
  /** Is it the answer the client waits for? Otherwise it is news on the way there. */
  readonly isAnswer: boolean;
}

/** Messages on their way to one client, read in order by one reader. */
export class MessageQueue {
  readonly #waiting: QueuedMessage[] = [];
  #wake: (() => void) | undefined;
  #ended = false;
  #error: unknown;

  push(message: QueuedMessage): void {
    if (this.#ended) return;
    this.#waiting.push(message);
    this.#wake?.();
  }

  /** What was pushed before is still read; with an error, reading throws at the end. */
  end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#wake?.();
  }

  /** The next message; `undefined` after the last. */
  async next(): Promise<QueuedMessage | undefined> {
    for (;;) {
      const message = this.#waiting.shift();
      if (message !== undefined) return message;
      if (this.#ended && this.#error !== undefined) throw this.#error;
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
