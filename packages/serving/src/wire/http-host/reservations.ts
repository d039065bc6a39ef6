import type { ServerResponse } from 'node:http';

export interface ReservationLimits {
  readonly maxHeldBytes: number;
  /** Bytes of request bodies that all calls hold. */
  bodyBytes(): number;
}

/** Answers up to this size need no reservation: the limit on concurrent calls bounds them. */
export const FREE_ANSWER_BYTES = 65_536;

/** How long a call waits until the answers of others are taken; then it is refused. */
const MAX_WAIT_MS = 5000;

/** Clients take their answers without an event for each piece, so that waiting calls have to look. */
const LOOK_EVERY_MS = 25;

interface Waiting {
  readonly response: ServerResponse;
  readonly bytes: number;
  settle(isGranted: boolean): void;
}

/**
 * The bytes that answers hold, or may hold once they are made: a call that may need many reserves them before it starts.
 * Calls that find too little left wait in order of arrival. Once an answer is written, what its client has not taken counts.
 */
export class Reservations {
  readonly #limits: ReservationLimits;
  readonly #reserved = new Map<ServerResponse, number>();
  readonly #queue: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: ReservationLimits) {
    this.#limits = limits;
  }

  open(response: ServerResponse): void {
    this.#reserved.set(response, 0);
  }

  close(response: ServerResponse): void {
    this.#reserved.delete(response);
    for (const waiting of this.#queue.filter((each) => each.response === response)) waiting.settle(false);
    this.#grant();
  }

  get heldBytes(): number {
    let held = 0;
    for (const [response, bytes] of this.#reserved) held += heldBy(response, bytes);
    return held;
  }

  /** Makes sure that the answer may be as long as `bytes`: `true` if so, otherwise a promise that tells after waiting. */
  reserve(response: ServerResponse, bytes: number): true | Promise<boolean> {
    const reserved = this.#reserved.get(response);
    if (reserved === undefined || bytes <= Math.max(reserved, FREE_ANSWER_BYTES)) return true;
    if (this.#queue.length === 0 && this.#fits(response, bytes)) {
      this.#reserved.set(response, bytes);
      return true;
    }
    return new Promise((resolve) => this.#wait(response, bytes, resolve));
  }

  #wait(response: ServerResponse, bytes: number, resolve: (isGranted: boolean) => void): void {
    const expiry = setTimeout(() => waiting.settle(false), MAX_WAIT_MS);
    const waiting: Waiting = {
      response,
      bytes,
      settle: (isGranted) => {
        clearTimeout(expiry);
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        if (this.#queue.length === 0) clearInterval(this.#timer);
        if (isGranted) this.#reserved.set(response, bytes);
        resolve(isGranted);
      },
    };
    this.#queue.push(waiting);
    if (this.#queue.length === 1) this.#timer = setInterval(() => this.#grant(), LOOK_EVERY_MS);
  }

  #grant(): void {
    for (let [first] = this.#queue; first !== undefined; [first] = this.#queue) {
      if (!this.#fits(first.response, first.bytes)) return;
      first.settle(true);
    }
  }

  /** An answer larger than the limit may still be the only one. */
  #fits(response: ServerResponse, bytes: number): boolean {
    const others = this.heldBytes - heldBy(response, this.#reserved.get(response) ?? 0);
    return others === 0 || others + bytes + this.#limits.bodyBytes() <= this.#limits.maxHeldBytes;
  }
}

function heldBy(response: ServerResponse, reserved: number): number {
  const { writableLength, writableEnded, socket } = response;
  const untaken = Math.max(writableLength, socket?.writableLength ?? 0);
  return writableEnded ? untaken : Math.max(reserved, untaken);
}
