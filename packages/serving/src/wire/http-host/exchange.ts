import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { attempt } from '@secateur/base/runtime/domain-error.ts';
import {
  announcedLength,
  type HttpAnswer,
  type HttpExchange,
  methodNotAllowed,
  notFound,
  type RawRoute,
} from '../http-route.ts';
import type { EncodedJson } from '../messages/rpc-message.ts';

/** One request with its response. */
export interface Exchange extends HttpExchange {
  readonly abort: AbortController;
  /** Name of the request's token, once the token was checked. */
  user: string | undefined;
}

/** Tracks the requests in progress. Aborts each one whose client disconnects, and ends all on `close`. */
export class ActiveRequests {
  readonly #server: Server;
  readonly #running = new Set<AbortController>();
  readonly #busy = new Set<Socket>();
  #closing: Promise<void> | undefined;
  isDraining = false;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Ends idle connections, and connections of clients that do not read. Connections of running calls are kept. */
  endStalled(afterMs: number): void {
    this.#server.setTimeout(afterMs, (socket) => {
      if (!this.#busy.has(socket) || socket.writableLength > 0) socket.destroy();
    });
  }

  track(response: ServerResponse): AbortController {
    // Created on first use, because it is expensive and most calls end before they need it.
    const abort = new AbortController();
    const { socket } = response;
    this.#running.add(abort);
    if (socket !== null) this.#busy.add(socket);
    response.once('close', () => {
      this.#running.delete(abort);
      if (socket !== null) this.#busy.delete(socket);
      if (!response.writableFinished) abort.abort();
      // A connection that is kept alive would prevent the server from closing.
      if (this.#closing !== undefined) setImmediate(() => this.#server.closeIdleConnections());
    });
    return abort;
  }

  close(graceMs: number): Promise<void> {
    this.isDraining = true;
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => {
      for (const abort of this.#running) abort.abort();
      this.#server.closeAllConnections();
    }, graceMs);
    await closed;
    clearTimeout(timer);
  }
}

/** Path of the readiness check. Load balancers call it without a token. */
export const READY_PATH = '/ready';

/** Responds with 200 while the server accepts calls, and with 503 once it is stopping. `more`: further members of the response. */
export function sendReadiness(
  response: ServerResponse,
  { isDraining }: ActiveRequests,
  more: Readonly<Record<string, unknown>> = {},
): void {
  const body = JSON.stringify({ ready: !isDraining, ...more });
  response.writeHead(isDraining ? 503 : 200, { 'content-type': 'application/json' }).end(body);
}

export interface RouteEntry extends Pick<RawRoute, 'path' | 'access' | 'tool' | 'failureBody'> {
  readonly method?: string;
  /** `free`: not limited, such as `/health`. `counted`: counts towards the limits. */
  readonly admission: 'free' | 'counted';
  /** Whether responses and refusals of the route are JSON-RPC. */
  readonly isRpc?: boolean;
  serve(exchange: Exchange): Promise<void>;
}

/** Returns a function that finds the route for a request and its parameters, or the refusal of an unknown path. */
export function createRouter(entries: readonly RouteEntry[]) {
  const patterns = entries.map((entry) => ({ entry, pattern: entry.path.split('/') }));
  return (method: string, path: string) => {
    const segments = path.split('/');
    const allowed: string[] = [];
    for (const { entry, pattern } of patterns) {
      const params = matchSegments(pattern, segments);
      if (params === undefined) continue;
      const { method: own = method } = entry;
      if (own === method || (own === 'GET' && method === 'HEAD')) return { entry, params };
      allowed.push(own);
    }
    return allowed.length > 0 ? methodNotAllowed(allowed) : notFound;
  };
}

function matchSegments(pattern: string[], segments: string[]): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Array<[string, string]> = [];
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (!expected.startsWith(':')) {
      if (expected !== segment) return undefined;
      continue;
    }
    const value = attempt(() => decodeURIComponent(segment));
    if (value === undefined || value === '') return undefined;
    params.push([expected.slice(1), value]);
  }
  return Object.fromEntries(params);
}

const LINGER_MS = 1000;
const LINGER_BYTES = 64 * 1024 * 1024;

export function sendAnswer(response: ServerResponse, answer: HttpAnswer): void {
  const { headers, body } = encoded(answer);
  response.writeHead(answer.status ?? 200, headers);
  response.end(body);
}

/** Sends encoded JSON; long values are sent in pieces. */
export function sendJson(response: ServerResponse, json: EncodedJson, headers: HttpAnswer['headers']): void {
  if (typeof json === 'string') {
    sendAnswer(response, { body: json, ...(headers && { headers }) });
    return;
  }
  const length = json.reduce((sum, piece) => sum + piece.length, 0);
  response.writeHead(200, { ...headers, 'content-length': length });
  for (const piece of json) response.write(piece);
  response.end();
}

/** Maximum bytes of a body that is read to its end before a refusal. A new connection of the client would cost more. */
const READ_ON_BYTES = 256 * 1024;

/**
 * Responds while the body is still arriving. Discards the rest of the body for a moment before it closes the
 * connection. An immediate close would reset the connection, and the client would not see the response.
 */
export function sendEarly(request: IncomingMessage, response: ServerResponse, answer: HttpAnswer): void {
  const isSmall =
    request.headers['transfer-encoding'] === undefined && announcedLength(request) <= READ_ON_BYTES;
  if (request.complete || isSmall) {
    sendAnswer(response, answer);
    return;
  }
  const { headers, body } = encoded(answer);
  response.writeHead(answer.status ?? 200, { ...headers, connection: 'close' });
  response.write(body);
  discard(request, () => response.end());
}

/** Maximum characters of a text that Node sends together with the headers. Longer texts are encoded here. */
const ONE_PIECE_CHARS = 16_384;

function encoded({ headers, json, body }: HttpAnswer) {
  const content = json === undefined ? (body ?? '') : JSON.stringify(json);
  const bytes =
    typeof content === 'string' && content.length > ONE_PIECE_CHARS ? Buffer.from(content) : content;
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  return { headers: { ...type, 'content-length': Buffer.byteLength(bytes), ...headers }, body: bytes };
}

function discard(request: IncomingMessage, done: () => void): void {
  let left = LINGER_BYTES;
  const timer = setTimeout(finish, LINGER_MS);
  function count(chunk: Buffer) {
    left -= chunk.length;
    if (left <= 0) finish();
  }
  function finish() {
    clearTimeout(timer);
    request.off('data', count).off('end', finish).off('close', finish);
    done();
  }
  request.on('data', count).on('end', finish).on('close', finish).resume();
}
