import type { IncomingMessage, ServerResponse } from 'node:http';
import { OVERLOADED } from '@secateur/base/tools/rpc-error.ts';
import type { HttpFailure } from '../http-failure.ts';
import type { HttpHostOptions } from '../http-host.ts';
import type { ClientAddress } from './client-address.ts';
import { isLoopbackAddress } from './loopback.ts';
import { Reservations } from './reservations.ts';

export interface AdmissionLimits
  extends Required<Pick<HttpHostOptions, 'maxCalls' | 'maxClientCalls' | 'maxHeldBytes' | 'maxBodyBytes'>> {
  readonly addressOf: ClientAddress;
}

/** Streams a client keeps open are counted apart from calls. */
const STREAMS_PER_CALL = 4;

/** The address of who has none; nobody's calls are counted under it. */
const UNCOUNTED = '';

/** Bounds what clients can make a server hold at once. Decided by headers: nothing of a refused body is kept. */
export class Admission {
  readonly #limits: AdmissionLimits;
  /** The bytes of each call's body. */
  readonly #calls = new Map<ServerResponse, number>();
  readonly #streams = new Set<ServerResponse>();
  readonly #answers: Reservations;
  readonly #byClient = new Map<string, number>();

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
    const bodyBytes = () => this.#bodyBytes();
    this.#answers = new Reservations({ maxHeldBytes: limits.maxHeldBytes, bodyBytes });
  }

  /** Reserves bytes for the answer to an admitted exchange; `OVERLOADED_BYTES` is what to answer if it is refused. */
  reserve(response: ServerResponse, bytes: number): true | Promise<boolean> {
    return this.#answers.reserve(response, bytes);
  }

  /** Lets the exchange in until its response closes, or says why not. */
  admit(request: IncomingMessage, response: ServerResponse): HttpFailure | undefined {
    if (request.method === 'GET' || request.method === 'HEAD') return this.#admitStream(response);
    const { maxCalls, maxClientCalls, maxHeldBytes, addressOf } = this.#limits;
    if (this.#calls.size >= maxCalls) return overloaded('calls are being answered');
    const address = addressOf(request);
    // Programs on this machine share one address and are not told apart.
    const client = isLoopbackAddress(address) ? UNCOUNTED : address;
    if ((this.#byClient.get(client) ?? 0) >= maxClientCalls) return TOO_MANY;
    const bytes = this.#announced(request);
    const held = this.#bodyBytes() + this.#answers.heldBytes;
    // One that is larger than the bound all by itself may still come in alone.
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
    // What is not announced may be as much as is allowed.
    if (headers['transfer-encoding'] !== undefined) return maxBodyBytes;
    // A longer one is refused with 413 and never read.
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

const TOO_MANY: HttpFailure = {
  status: 429,
  code: 'too_many_calls',
  message: 'This client has too many calls running at once; try again in a moment',
  headers: { 'retry-after': String(RETRY_AFTER_S) },
  rpcCode: OVERLOADED,
};

/** For a call whose answer finds no room within the limit on held bytes. */
export const OVERLOADED_BYTES = overloaded('bytes are held');

function overloaded(what: string): HttpFailure {
  return {
    status: 503,
    code: 'overloaded',
    message: `Too many ${what} at once; try again in a moment`,
    headers: { 'retry-after': String(RETRY_AFTER_S) },
    rpcCode: OVERLOADED,
  };
}
