import type { IncomingMessage, ServerResponse } from 'node:http';
import { OVERLOADED } from '@secateur/base/tools/tool.ts';
import type { HttpHostOptions } from '../http-host.ts';
import { type HttpFailure, httpFailure } from '../http-route.ts';
import { type ClientAddress, isLoopbackAddress } from './address.ts';
export interface AdmissionLimits
  extends Required<Pick<HttpHostOptions, 'maxCalls' | 'maxClientCalls' | 'maxHeldBytes' | 'maxBodyBytes'>> {
  readonly addressOf: ClientAddress;
}

/** Number of streams that may be open per allowed call. Streams are counted apart from calls. */
const STREAMS_PER_CALL = 4;

/** Key of the clients whose calls are not counted per client. */
const UNCOUNTED = '';

/**
 * Limits the calls and bytes that clients can make a server hold. Decides by the headers, so that the body of
 * a refused call is never read.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  /** Bytes of the request body, by call. */
  readonly #calls = new Map<ServerResponse, number>();
  readonly #streams = new Set<ServerResponse>();
  readonly #answers: Reservations;
  readonly #byClient = new Map<string, number>();

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
    const bodyBytes = () => this.#bodyBytes();
    this.#answers = new Reservations({ maxHeldBytes: limits.maxHeldBytes, bodyBytes });
  }

  /** Reserves bytes for the response to an admitted call. If this fails, the caller responds with `OVERLOADED_BYTES`. */
  reserve(response: ServerResponse, bytes: number): true | Promise<boolean> {
    return this.#answers.reserve(response, bytes);
  }

  /** Admits a call until its response closes; otherwise returns the failure. */
  admit(request: IncomingMessage, response: ServerResponse): HttpFailure | undefined {
    if (request.method === 'GET' || request.method === 'HEAD') return this.#admitStream(response);
    const { maxCalls, maxClientCalls, maxHeldBytes, addressOf } = this.#limits;
    if (this.#calls.size >= maxCalls) return overloaded('calls are being answered');
    const address = addressOf(request);
    // All programs on this machine have the same address and cannot be distinguished.
    const client = isLoopbackAddress(address) ? UNCOUNTED : address;
    if ((this.#byClient.get(client) ?? 0) >= maxClientCalls) return TOO_MANY;
    const bytes = this.#announced(request);
    const held = this.#bodyBytes() + this.#answers.heldBytes;
    // A body above the limit is admitted if no other body is held.
    if (held > 0 && held + bytes > maxHeldBytes) return OVERLOADED_BYTES;
    this.#calls.set(response, bytes);
    this.#answers.open(response);
    this.#count(client, 1);
    response.once('close', () => {
      this.#calls.delete(response);
      this.#answers.close(response);
      this.#count(client, -1);
    });
    return undefined;
  }

  #admitStream(response: ServerResponse): HttpFailure | undefined {
    if (this.#streams.size >= STREAMS_PER_CALL * this.#limits.maxCalls) return overloaded('streams are open');
    this.#streams.add(response);
    this.#answers.open(response);
    response.once('close', () => {
      this.#streams.delete(response);
      this.#answers.close(response);
    });
    return undefined;
  }

  #count(client: string, change: 1 | -1): void {
    if (client === UNCOUNTED) return;
    const calls = (this.#byClient.get(client) ?? 0) + change;
    if (calls > 0) this.#byClient.set(client, calls);
    else this.#byClient.delete(client);
  }

  #announced({ headers }: IncomingMessage): number {
    const { maxBodyBytes } = this.#limits;
    // A body whose length is not stated may have the maximum length.
    if (headers['transfer-encoding'] !== undefined) return maxBodyBytes;
    // A body above the maximum length is refused with 413 and not read.
    const length = Number(headers['content-length'] ?? 0);
    return length > maxBodyBytes ? 0 : length;
  }

  #bodyBytes(): number {
    let held = 0;
    for (const bytes of this.#calls.values()) held += bytes;
    return held;
  }
}

const RETRY_AFTER_S = 1;

const LATER = { headers: { 'retry-after': String(RETRY_AFTER_S) }, rpcCode: OVERLOADED };

const MANY_CALLS = 'This client has too many concurrent calls; try again in a moment';
const TOO_MANY: HttpFailure = { ...httpFailure(429, 'too_many_calls', MANY_CALLS), ...LATER };

/** Failure of a call whose response would exceed the limit on held bytes. */
export const OVERLOADED_BYTES = overloaded('bytes are held');

function overloaded(what: string): HttpFailure {
  return { ...httpFailure(503, 'overloaded', `Too many ${what} at once; try again in a moment`), ...LATER };
}

interface ReservationLimits {
  readonly maxHeldBytes: number;
  /** Returns the bytes of the request bodies that all calls hold. */
  bodyBytes(): number;
}

/** Responses up to this size reserve no bytes. Only the maximum number of calls limits how much they hold together. */
export const FREE_ANSWER_BYTES = 65_536;

/** Time in ms that a call waits for free bytes before it is refused. */
const MAX_WAIT_MS = 5000;

/** Interval in ms at which waiting calls look for free bytes. A client that reads causes no event. */
const LOOK_EVERY_MS = 25;

interface Waiting {
  readonly response: ServerResponse;
  readonly bytes: number;
  settle(isGranted: boolean): void;
}

/**
 * Counts the bytes that responses hold or will hold. A call whose response may be large reserves the bytes
 * first; if there are too few, calls wait in order of arrival. Once a response was written, only its unread
 * part counts.
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

  /** Reserves bytes for a response. Returns `true` if they are free, else a promise that resolves to whether they became free. */
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

  /** Whether a response fits. One that is larger than the whole limit fits if it is the only one. */
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
