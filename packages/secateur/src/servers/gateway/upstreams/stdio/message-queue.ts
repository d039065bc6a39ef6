export interface QueuedMessage {
  readonly text: string;
  /** Is it the answer the client waits for? Otherwise it is news on the way there. */
  readonly isAnswer: boolean;
}

const MAX_WAITING = 1000;
const MAX_WAITING_CHARS = 1_048_576;

/** Messages on their way to one client, read in order by one reader. */
export class MessageQueue {
  readonly #waiting: QueuedMessage[] = [];
  #waitingChars = 0;
  #wake: (() => void) | undefined;
  #ended = false;
  #error: unknown;

  /** False when the message was left out: a client that does not read loses news, never its answer. */
  push(message: QueuedMessage): boolean {
    if (this.#ended || (!message.isAnswer && this.#isFull())) return false;
    this.#waiting.push(message);
    this.#waitingChars += message.text.length;
    this.#wake?.();
    return true;
  }

  /** Ends the queue. Earlier items are still read; with an error, reading throws at the end. */
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
      if (message !== undefined) {
        this.#waitingChars -= message.text.length;
        return message;
      }
      if (this.#ended && this.#error !== undefined) throw this.#error;
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING || this.#waitingChars >= MAX_WAITING_CHARS;
  }
}
