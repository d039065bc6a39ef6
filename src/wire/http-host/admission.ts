import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpFailure } from '../http-failure.ts';
import type { HttpHostOptions } from '../http-host.ts';
import type { ClientAddress } from './client-address.ts';
import { isLoopbackAddress } from './loopback.ts';

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
  /** The bytes each of them holds. */
  readonly #calls = new Map<ServerResponse, number>();
  readonly #streams = new Set<ServerResponse>();
  readonly #byClient = new Map<string, number>();

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
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
    const held = this.#heldBytes();
    // One that is larger than the bound all by itself may still come in alone.
    if (held > 0 && held + bytes > maxHeldBytes) return overloaded('bytes are held');
    this.#calls.set(response, bytes);
    this.#count(client, 1);
    response.once('close', () => {
      this.#calls.delete(response);
      this.#count(client, -1);
    });
    return undefined;
  }

  #admitStream(response: ServerResponse): HttpFailure | undefined {
    if (this.#streams.size >= STREAMS_PER_CALL * this.#limits.maxCalls) return overloaded('streams are open');
    this.#streams.add(response);
    response.once('close', () => this.#streams.delete(response));
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

  #heldBytes(): number {
    let held = 0;
    for (const [response, bytes] of this.#calls) held += bytes + untaken(response);
    for (const response of this.#streams) held += untaken(response);
    return held;
  }
}

function untaken({ writableLength, socket }: ServerResponse): number {
  return Math.max(writableLength, socket?.writableLength ?? 0);
}

const RETRY_AFTER_S = 1;
const OVERLOADED = -32009;

const TOO_MANY: HttpFailure = {
  status: 429,
  code: 'too_many_calls',
  message: 'This client has too many calls running at once; try again in a moment',
  headers: { 'retry-after': String(RETRY_AFTER_S) },
  rpcCode: OVERLOADED,
};

function overloaded(what: string): HttpFailure {
  return {
    status: 503,
    code: 'overloaded',
    message: `Too many ${what} at once; try again in a moment`,
    headers: { 'retry-after': String(RETRY_AFTER_S) },
    rpcCode: OVERLOADED,
  };
}
