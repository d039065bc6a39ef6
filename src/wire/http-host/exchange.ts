import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpExchange } from '../http-route.ts';
import type { Traffic } from './traffic.ts';

export interface ExchangeParts {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  /** What followed `?`. */
  readonly search: string;
  readonly traffic: Traffic;
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
  readonly #search: string;

  constructor({ request, response, params, search, traffic, reserve }: ExchangeParts) {
    this.request = request;
    this.response = response;
    this.params = params;
    this.reserve = reserve;
    this.abort = traffic.begin(response);
    this.#search = search;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#search);
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }
}
