import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpExchange } from '../http-route.ts';
import type { LazyAbort } from '../messages/lazy-abort.ts';
import type { Traffic } from './traffic.ts';
import type { Turns } from './turns.ts';

export interface ExchangeParts {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  /** What followed `?`. */
  readonly search: string;
  readonly traffic: Traffic;
}

/** One request and its answer; what most routes never ask for is made when they do. */
export class Exchange implements HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  readonly abort: LazyAbort;
  /** The name of the token it came with, once that is known. */
  user: string | undefined;
  traceparent: string | undefined;
  readonly #search: string;
  readonly #turns: Turns;

  constructor({ request, response, params, search, traffic }: ExchangeParts) {
    this.request = request;
    this.response = response;
    this.params = params;
    this.abort = traffic.begin(response);
    this.#search = search;
    this.#turns = traffic.turns;
  }

  turn(): Promise<void> {
    return this.#turns.next();
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#search);
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }
}
