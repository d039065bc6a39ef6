import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createDispatcher } from './dispatcher.ts';
import { announcedLength } from './http-body.ts';
import {
  type FailureBody,
  type HttpFailure,
  internalFailure,
  methodNotAllowed,
  notFound,
  rpcFailureBody,
} from './http-failure.ts';
import { sendEarly } from './http-host/answer.ts';
import { Exchange } from './http-host/exchange.ts';
import { checkExposure } from './http-host/exposure.ts';
import { createGuard } from './http-host/guard.ts';
import { listen } from './http-host/listen.ts';
import { plainEndpoint } from './http-host/plain-endpoint.ts';
import { createRouter, type Entry } from './http-host/router.ts';
import { rpcEndpoint } from './http-host/rpc-endpoint.ts';
import { Traffic } from './http-host/traffic.ts';
import type { HttpExchange, HttpRoute } from './http-route.ts';
import { InFlight } from './in-flight.ts';
import { createModernLeg } from './modern.ts';
import type { RpcServer } from './rpc-server.ts';

export interface HttpHostOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** JSON-RPC at these paths. */
  readonly rpc?: { readonly server: RpcServer; readonly paths: readonly string[] };
  readonly routes?: readonly HttpRoute[];
  /** Default 32 MiB. */
  readonly maxBodyBytes?: number;
  /** Further names the Host and Origin headers may carry, without ports. */
  readonly allowedHosts?: readonly string[];
  /** Must be set for an address that other machines reach; then `bearerToken` is needed too. */
  readonly allowRemote?: boolean;
  readonly bearerToken?: string | undefined;
  /** The body of 403, 404, 405, 415 and the like. Default: a JSON-RPC error. */
  readonly failureBody?: FailureBody;
  /** How long `close` waits for running calls before it aborts them. Default 2000. */
  readonly closeGraceMs?: number;
  /** How long a client may take to send a whole request. Default 60000. */
  readonly requestTimeoutMs?: number;
  /** Told of bugs in routes; must not throw. */
  readonly onError?: (error: unknown) => void;
  readonly newId?: () => string;
}

export interface HttpHost {
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. */
  readonly url: string;
  /** Resolves when every connection is gone; bounded by `closeGraceMs`. */
  close(): Promise<void>;
}

const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;
const DEFAULT_REQUEST_TIMEOUT_MS = 60_000;
const DEFAULT_CLOSE_GRACE_MS = 2000;

/** One address, one door: every request passes the same checks before a route sees it. */
export async function serveHttp(options: HttpHostOptions): Promise<HttpHost> {
  checkExposure(options);
  const { host, requestTimeoutMs = DEFAULT_REQUEST_TIMEOUT_MS } = options;
  const server = createServer({
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(requestTimeoutMs, 10_000),
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 5000),
  });
  const traffic = new Traffic(server);
  const handle = createHandler(options, traffic);
  server.on('request', handle);
  // Without this listener node invites the body before anybody looked at the headers.
  server.on('checkContinue', handle);
  const port = await listen(server, host, options.port);
  // Later failure of the listening socket must not end the process.
  server.on('error', (error) => options.onError?.(error));
  return {
    host,
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    close: () => traffic.close(options.closeGraceMs ?? DEFAULT_CLOSE_GRACE_MS),
  };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

function createHandler(options: HttpHostOptions, traffic: Traffic): Handler {
  const { failureBody = rpcFailureBody, maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options;
  const refuse = ({ request, response }: Refusable, failure: HttpFailure) => {
    const { status, headers = {} } = failure;
    sendEarly(request, response, { status, headers, json: failureBody(failure) });
  };
  const guard = createGuard({
    allowedHosts: [options.host, ...(options.allowedHosts ?? [])].map((name) => name.toLowerCase()),
    bearerToken: options.bearerToken,
  });
  const route = createRouter(entriesOf(options, refuse));

  return (request, response) => {
    const failure = guard(request);
    if (failure !== undefined) return refuse({ request, response }, failure);
    const [path = '', search = ''] = (request.url ?? '').split('?', 2);
    const match = route(request.method ?? '', path);
    if (match.kind === 'nothing') return refuse({ request, response }, notFound);
    if (match.kind === 'other_methods') return refuse({ request, response }, methodNotAllowed(match.allowed));
    if (request.headers.expect !== undefined && announcedLength(request) <= maxBodyBytes)
      response.writeContinue();
    const { entry, params } = match;
    const exchange = new Exchange({ request, response, params, search, abort: traffic.begin(response) });
    entry.serve(exchange).catch((error: unknown) => {
      options.onError?.(error);
      if (response.headersSent) response.destroy();
      else refuse(exchange, internalFailure);
    });
  };
}

type Refusable = Pick<HttpExchange, 'request' | 'response'>;
type Refuse = (exchange: Refusable, failure: HttpFailure) => void;

function entriesOf(options: HttpHostOptions, refuse: Refuse): Entry[] {
  const { rpc, routes = [], maxBodyBytes = DEFAULT_MAX_BODY_BYTES, newId = randomUUID } = options;
  const entries = routes.map((route): Entry => {
    if (route.kind === 'raw')
      return { path: route.path, method: undefined, serve: async (exchange) => route.handle(exchange) };
    return { path: route.path, method: route.method, serve: plainEndpoint(route, { maxBodyBytes, refuse }) };
  });
  if (rpc === undefined) return entries;
  const dispatcher = createDispatcher(rpc.server, { newId });
  const serve = rpcEndpoint({
    dispatcher,
    modern: createModernLeg(rpc.server, dispatcher),
    maxBodyBytes,
    refuse,
    inFlight: new InFlight(),
    newSessionId: newId,
  });
  return [...rpc.paths.map((path) => ({ path, method: 'POST', serve })), ...entries];
}
