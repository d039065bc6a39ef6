import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { BoundedBytes } from '@secateur/base/runtime/bounded-reading.ts';
import { carrierErrorResponse } from './dispatcher.ts';

/** A route of an HTTP host. `:name` in a path matches one segment; its decoded value is in `params`. */
export type HttpRoute = PlainRoute | RawRoute;

/**
 * Callers that may use a route if the server has a token. `token` (default): callers with the token or a
 * named token. `page`: also browsers that logged in with one. `public`: all callers. Host and Origin are
 * always checked.
 */
export type RouteAccess = 'token' | 'page' | 'public';

interface RoutePlace {
  readonly path: string;
  readonly access?: RouteAccess | undefined;
  /** Tool that this route serves. Callers that may not use the tool get 404. */
  readonly tool?: string | undefined;
}

/** A route that reads JSON (with POST and PUT) and returns one response. */
export interface PlainRoute extends RoutePlace {
  readonly kind?: 'plain';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  handle(request: PlainRequest): Promise<HttpAnswer>;
}

export interface PlainRequest extends Pick<HttpExchange, 'params' | 'query' | 'signal'> {
  readonly headers: IncomingHttpHeaders;
  /** JSON body, parsed. `undefined` if the method has none. */
  readonly body: unknown;
}

export interface HttpAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. For other content, set `body` and a `content-type` header. */
  readonly json?: unknown;
  readonly body?: string | Uint8Array;
}

/** A route that handles request and response itself, after the checks of Host, Origin and token. */
export interface RawRoute extends RoutePlace {
  readonly kind: 'raw';
  readonly method?: 'GET' | 'POST';
  /** Creates the body of refusals on this route. Default: the function of the host. */
  readonly failureBody?: FailureBody | undefined;
  handle(exchange: HttpExchange): Promise<void>;
}

export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Aborts if the client disconnects before the response is complete, or if the host closes. */
  readonly signal: AbortSignal;
  readonly maxBodyBytes: number;
  /** Returns who sent the request. */
  caller(): Promise<Caller>;
  /** Responds with a failure, even while the body is still arriving. */
  refuse(failure: HttpFailure): void;
  /** Reserves bytes for the response. Returns `true` if they are free, else a promise of the result. Absent without a limit. */
  readonly reserve?: ((bytes: number) => true | Promise<boolean>) | undefined;
  /** Name of the token in the request; `undefined` if no token was needed. */
  readonly user?: string | undefined;
  /** Trace that the message claims to belong to. Set when the message is read. */
  traceparent?: string | undefined;
}

/**
 * Sender of a request. `socket`: a process of the server's user, through a socket file that only this user
 * can open. `own_user`: a loopback connection of the server's user, according to the kernel. `other`: all
 * other or unknown senders, even with a token.
 */
export type Caller = 'socket' | 'own_user' | 'other';

export type ReadBody =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' }
  /** The client disconnected before it had sent the whole body. */
  | { readonly kind: 'gone' };

/** Reads at most `maxBytes` of a request body. The rest of a longer body is not read. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  if (announcedLength(request) > maxBytes) return Promise.resolve({ kind: 'too_large' });
  return new Promise((resolve) => {
    const body = new BoundedBytes(maxBytes);
    const finish = (outcome: ReadBody) => {
      request.off('data', take).off('end', end).off('close', gone).off('error', gone);
      resolve(outcome);
    };
    const take = (chunk: Buffer) => {
      if (!body.add(chunk)) finish({ kind: 'too_large' });
    };
    const end = () => finish({ kind: 'read', bytes: body.bytes() });
    const gone = () => finish({ kind: 'gone' });
    request.on('data', take).on('end', end).on('close', gone).on('error', gone);
  });
}

/** Resolves when a slow client has read the written bytes, or has disconnected. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      response.off('drain', finish).off('close', finish);
      resolve();
    };
    response.on('drain', finish).on('close', finish);
  });
}

export function acceptsEvents(headers: IncomingHttpHeaders): boolean {
  return headers.accept?.includes('text/event-stream') ?? false;
}

export function announcedLength(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}

/** A refusal at the level of HTTP, outside of JSON-RPC. */
export interface HttpFailure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Error code of JSON-RPC. Default: that of an invalid request. */
  readonly rpcCode?: number;
}

export type FailureBody = (failure: HttpFailure) => unknown;

/** Returns `{jsonrpc, id: null, error}`, the format for MCP clients. */
export const rpcFailureBody: FailureBody = ({ code, message, rpcCode }) =>
  carrierErrorResponse(code, message, rpcCode);

/** Returns `{ok: false, error: {code, message}}`, the format of the focus tools. */
export const plainFailureBody: FailureBody = ({ code, message }) => ({ ok: false, error: { code, message } });

export function httpFailure(status: number, code: string, message: string): HttpFailure {
  return { status, code, message };
}

export function methodNotAllowed(allowed: readonly string[]): HttpFailure {
  const allow = allowed.join(', ');
  return { ...httpFailure(405, 'method_not_allowed', `This path answers ${allow} only`), headers: { allow } };
}

export const notFound = httpFailure(404, 'not_found', 'There is nothing at this path');

export const notJson = httpFailure(
  415,
  'unsupported_media_type',
  'Send the body as plain, uncompressed application/json',
);

export function bodyTooLarge(maxBytes: number): HttpFailure {
  return httpFailure(413, 'input_too_large', `The body is larger than ${maxBytes} bytes`);
}

export const internalFailure = httpFailure(500, 'internal_error', 'The request failed on our side');
