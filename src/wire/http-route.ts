import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** `:name` in a path stands for one segment and is found, decoded, in `params`. */
export type HttpRoute = PlainRoute | RawRoute;

/**
 * Who may use a route where a token is set: whoever carries it or a named one (the default), also a browser that logged
 * in with it, or everybody. Host and Origin are checked in any case.
 */
export type RouteAccess = 'token' | 'page' | 'public';

/** JSON in (for POST and PUT), one answer out. */
export interface PlainRoute {
  readonly kind?: 'plain';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly access?: RouteAccess;
  /** The tool it does the work of: whoever may not use that one does not find this. */
  readonly tool?: string;
  handle(request: PlainRequest): Promise<HttpAnswer>;
}

export interface PlainRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON body; `undefined` where the method has none. */
  readonly body: unknown;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; for anything else give `body` and a `content-type`. */
  readonly json?: unknown;
  readonly body?: string | Uint8Array;
}

/** Every method, the streams themselves; the checks of Host, Origin and token are already done. */
export interface RawRoute {
  readonly kind: 'raw';
  readonly path: string;
  readonly access?: RouteAccess;
  handle(exchange: HttpExchange): Promise<void>;
}

export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Aborts when the client goes away before the answer is complete, or the host closes. */
  readonly signal: AbortSignal;
  /**
   * Reserves bytes for the answer before it is made: `true` if there is room, otherwise a promise that tells after waiting.
   * Absent on carriers without a limit.
   */
  readonly reserve?: ((bytes: number) => true | Promise<boolean>) | undefined;
  /** The name of the token the request came with; `undefined` if it needed none. */
  readonly user?: string | undefined;
  /** Set by whoever reads the message: the trace it says it belongs to. */
  traceparent?: string | undefined;
}
