import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpFailure } from '../http-failure.ts';
import type { Caller, HttpExchange } from '../http-route.ts';
import type { Traffic } from './traffic.ts';

export interface ExchangeParts {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  /** Text after `?`. */
  readonly search: string;
  readonly traffic: Traffic;
  readonly maxBodyBytes: number;
  /** Whether the kernel's socket table assigns the connection to the server's own user. */
  isOwnUser(request: IncomingMessage): boolean | Promise<boolean>;
  refuse(failure: HttpFailure): void;
  reserve(bytes: number): true | Promise<boolean>;
}

/** One request and its answer; what most routes never ask for is made when they do. */
export class Exchange implements HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  readonly abort: AbortController;
  readonly reserve: (bytes: number) => true | Promise<boolean>;
  /** The name of the token it came with, once that is known. */
  user: string | undefined;
  traceparent: string | undefined;
  readonly #parts: ExchangeParts;

  constructor(parts: ExchangeParts) {
    const { request, response, params, traffic } = parts;
    this.request = request;
    this.response = response;
    this.params = params;
    this.reserve = parts.reserve;
    this.abort = traffic.begin(response);
    this.#parts = parts;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#parts.search);
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  get maxBodyBytes(): number {
    return this.#parts.maxBodyBytes;
  }

  refuse(failure: HttpFailure): void {
    this.#parts.refuse(failure);
  }

  async caller(): Promise<Caller> {
    // A named token names a person, who may be someone other than the user of this account.
    if (this.user !== undefined) return 'other';
    return (await this.#parts.isOwnUser(this.request)) ? 'own_user' : 'other';
  }
}
