import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { EventLoopQueue } from '@secateur/base/runtime/event-loop-queue.ts';
import { HTTP_LIMITS } from '@secateur/base/runtime/http-limits.ts';
import { httpUrl } from '@secateur/base/runtime/probe-health.ts';
import { createDispatcher } from './dispatcher.ts';
import { clientAddress, listenOn, requireSafeBindAddress } from './http-host/address.ts';
import { Admission } from './http-host/admission.ts';
import { ClientRoots } from './http-host/client-roots.ts';
import { isJsonRequest, lazyModernHttp, plainEndpoint, rpcEndpoint } from './http-host/endpoints.ts';
import {
  ActiveRequests,
  createRouter,
  type Exchange,
  READY_PATH,
  type RouteEntry,
  sendEarly,
  sendReadiness,
} from './http-host/exchange.ts';
import {
  carriesToken,
  createGuard,
  createPeerUserCheck,
  createStrictPeerUserCheck,
  createTokenGate,
  WRONG_USER,
} from './http-host/guard.ts';
import {
  announcedLength,
  type FailureBody,
  type HttpExchange,
  type HttpFailure,
  type HttpRoute,
  internalFailure,
  notJson,
  rpcFailureBody,
} from './http-route.ts';
import { InFlight } from './messages/rpc-message.ts';
import type { RpcServer } from './protocol.ts';
import { allowsTool, rulesOf, type Tokens } from './tokens.ts';

export interface HttpHostOptions {
  readonly host: string;
  /** Port to listen on. If 0, the system chooses a port. */
  readonly port: number;
  readonly rpc?: { readonly server: RpcServer; readonly paths: readonly string[] };
  readonly routes?: readonly HttpRoute[];
  /** Maximum bytes of a request body. Default: 16 MiB. */
  readonly maxBodyBytes?: number;
  /** Further names, without ports, that the Host and Origin headers may contain. */
  readonly allowedHosts?: readonly string[];
  /** Whether the host may listen on other addresses than loopback. This also requires `bearerToken` or `tokens`. */
  readonly allowRemote?: boolean;
  /** Addresses and networks of proxies whose `X-Forwarded-For` header is trusted. */
  readonly trustedProxies?: readonly string[];
  /** Whether a proxy in front of the host uses TLS. Required to listen on other addresses than loopback. */
  readonly tlsTerminated?: boolean;
  readonly bearerToken?: string | undefined;
  /** Named tokens. The host reads them for every request and does not close them. */
  readonly tokens?: Tokens | undefined;
  /** Creates the body of a refusal (403, 404, 405, 415 and others). Default: a JSON-RPC error. */
  readonly failureBody?: FailureBody;
  /** Time in ms that `close` waits for running calls before it aborts them. Default: 2000. */
  readonly closeGraceMs?: number;
  /** Time in ms in which a client must send a whole request. Default: 60000. */
  readonly requestTimeoutMs?: number;
  /** Users of this machine that may call without a token. Default: `own`, the user that runs the server (only on Linux). */
  readonly loopbackUsers?: 'own' | 'any';
  /** Token that a caller must send if the system cannot tell its user. */
  readonly localToken?: string | undefined;
  /** Maximum number of concurrent calls, in total (default: 128) and per other machine (default: 64). */
  readonly maxCalls?: number;
  readonly maxClientCalls?: number;
  /** Maximum bytes of requests and unread responses in memory. Default: 128 MiB. */
  readonly maxHeldBytes?: number;
  /** Time in ms that a client may leave a response unread. Default: 30000. */
  readonly writeTimeoutMs?: number;
  /** Called after the response to a call was sent. Must not throw. */
  readonly onAnswered?: (answer: { status: number; seconds: number; user: string | undefined }) => void;
  /** Wraps each call from its headers to its response, for traces. */
  readonly around?: ((exchange: HttpExchange, work: () => Promise<void>) => Promise<void>) | undefined;
  /** Returns additional members of the response to `GET /ready`. */
  readonly readiness?: (() => Readonly<Record<string, unknown>>) | undefined;
  /** Called with unexpected errors of routes. Must not throw. */
  readonly onError?: (error: unknown) => void;
  readonly newId?: () => string;
}

export interface HttpHost {
  readonly host: string;
  readonly port: number;
  /** Address of the host, without a trailing slash. */
  readonly url: string;
  /** Every route that it serves, except `/ready`. */
  readonly routes: readonly RouteEntry[];
  /** Makes `GET /ready` return 503, so that load balancers send no more clients. Calls are still served. */
  drain(): void;
  /** Closes the host. Resolves when all connections are closed, shortly after `closeGraceMs` at the latest. */
  close(): Promise<void>;
}

const DEFAULT_REQUEST_TIMEOUT_MS = 60_000;
const MAX_CONNECTIONS = 4096;

/** Starts the HTTP host. Every request passes the same checks before it reaches a route. */
export async function serveHttp(given: HttpHostOptions): Promise<HttpHost> {
  requireSafeBindAddress(given);
  const maxClientCalls = Math.ceil((given.maxCalls ?? HTTP_LIMITS.maxCalls) / 2);
  const options = { ...HTTP_LIMITS, maxClientCalls, ...given };
  const { host, requestTimeoutMs = DEFAULT_REQUEST_TIMEOUT_MS } = options;
  const server = createServer({
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(requestTimeoutMs, 10_000),
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 5000),
  });
  server.maxConnections = MAX_CONNECTIONS;
  const traffic = new ActiveRequests(server);
  traffic.endStalled(options.writeTimeoutMs);
  const refuse = createRefuse(options.failureBody ?? rpcFailureBody);
  const routes = entriesOf(options, refuse);
  const handle = createHandler(options, { traffic, refuse, routes });
  server.on('request', handle);
  // Without this listener, Node would request the body before the headers are checked.
  server.on('checkContinue', handle);
  const port = await listenOn(server, host, options.port);
  // A later error of the listening socket must not end the process.
  server.on('error', (error) => options.onError?.(error));
  return {
    host,
    port,
    url: httpUrl(host, port),
    routes,
    drain: () => {
      traffic.isDraining = true;
    },
    close: () => traffic.close(options.closeGraceMs),
  };
}

type Settled = HttpHostOptions & Required<Pick<HttpHostOptions, keyof typeof HTTP_LIMITS>>;

function createHandler(
  options: Settled,
  { traffic, refuse, routes }: { traffic: ActiveRequests; refuse: Refuse; routes: readonly RouteEntry[] },
) {
  const { maxBodyBytes } = options;
  const guard = createGuard(options);
  const route = createRouter(routes);
  const admission = new Admission({ ...options, addressOf: clientAddress(options.trustedProxies ?? []) });
  const { isAllowedCaller, isOwnUser } = callerChecks(options);
  const passGate = createTokenGate(options.tokens, servingInTurn(options));
  const serve = ({ request, response, entry, params, search }: Routed) => {
    const refusal = entry.admission === 'free' ? undefined : admission.admit(request, response);
    if (refusal !== undefined) return refuse({ request, response }, refusal, entry);
    if (request.headers.expect !== undefined && announcedLength(request) <= maxBodyBytes)
      response.writeContinue();
    const refuseHere = (failure: HttpFailure) => refuse({ request, response }, failure, entry);
    const reserve = (bytes: number) => admission.reserve(response, bytes);
    const abort = traffic.track(response);
    const exchange: Exchange = {
      ...{ request, response, params, maxBodyBytes, reserve, abort, user: undefined, refuse: refuseHere },
      get query() {
        return new URLSearchParams(search);
      },
      get signal() {
        return abort.signal;
      },
      caller: async () => {
        // A caller with a named token may be another person than the user of this account.
        return exchange.user === undefined && (await isOwnUser(request)) ? 'own_user' : 'other';
      },
    };
    if (options.onAnswered !== undefined && entry.admission === 'counted')
      timeAnswer(exchange, options.onAnswered);
    const answered = passGate(exchange, entry).then((refusal) => {
      if (refusal !== undefined) refuseHere(refusal);
    });
    answered.catch((error: unknown) => {
      options.onError?.(error);
      if (response.headersSent) response.destroy();
      else refuseHere(internalFailure);
    });
  };

  const forOwnUser = (routed: Routed) => {
    const { admission: asked, access } = routed.entry;
    // The dashboard shows what agents read. Another user of this machine may therefore only use `free` routes
    // such as health.
    const allowed = (asked === 'free' && access === undefined) || isAllowedCaller(routed.request);
    if (allowed === true) return serve(routed);
    const decide = (isAllowed: boolean) =>
      isAllowed ? serve(routed) : refuse(routed, WRONG_USER, routed.entry);
    return void Promise.resolve(allowed).then(decide);
  };

  return (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '' } = request;
    const [path = '', ...query] = url.split('?');
    if (path === READY_PATH && ['GET', 'HEAD'].includes(method))
      return sendReadiness(response, traffic, options.readiness?.());
    const match = route(method, path);
    const known = 'entry' in match ? match.entry : undefined;
    const failure = guard(request, known?.access ?? 'token');
    if (failure !== undefined) return refuse({ request, response }, failure, known);
    if (!('entry' in match)) return refuse({ request, response }, match);
    const { entry, params } = match;
    if (isForeignForm(request, entry)) return refuse({ request, response }, notJson, entry);
    return forOwnUser({ request, response, entry, params, search: query.join('?') });
  };
}

/** Queues calls, and serves `free` routes between them. */
function servingInTurn({ around }: HttpHostOptions) {
  const turns = new EventLoopQueue();
  return async (entry: RouteEntry, exchange: Exchange): Promise<void> => {
    if (entry.admission === 'free') return entry.serve(exchange);
    await turns.next();
    // The client disconnected while the call was queued.
    if (exchange.response.destroyed) return;
    if (around === undefined) return entry.serve(exchange);
    return around(exchange, () => entry.serve(exchange));
  };
}

interface Routed extends Refusable {
  readonly entry: RouteEntry;
  readonly params: Readonly<Record<string, string>>;
  readonly search: string;
}

/**
 * Whether the request may come from a web page of another origin. Browsers send POST requests that are not
 * JSON without a preflight. Programs send no Origin header.
 */
function isForeignForm(request: IncomingMessage, { admission }: RouteEntry): boolean {
  const isPosted = request.method === 'POST' && admission === 'counted';
  return isPosted && request.headers.origin !== undefined && !isJsonRequest(request);
}

/** Returns the checks of callers. Allowed are the user that runs the server, and callers with the token. */
function callerChecks(options: HttpHostOptions): { isAllowedCaller: CallerCheck; isOwnUser: CallerCheck } {
  const { loopbackUsers = 'own', bearerToken, localToken, tokens, trustedProxies = [] } = options;
  const { platform } = process;
  const ownUid = process.getuid?.();
  const ownsSocket = createPeerUserCheck(platform, ownUid);
  const isBehindProxy = options.tlsTerminated === true || trustedProxies.length > 0;
  const isOpen = loopbackUsers === 'any' || bearerToken !== undefined;
  return {
    isOwnUser: createStrictPeerUserCheck(ownsSocket, { platform, ownUid, isBehindProxy }),
    // Tokens may have become required since the start. The guard has then checked the caller.
    isAllowedCaller: (request) => {
      if (isOpen || tokens?.required === true) return true;
      return localToken === undefined ? ownsSocket(request.socket) : carriesToken(request, localToken);
    },
  };
}

type CallerCheck = (request: IncomingMessage) => boolean | Promise<boolean>;

type Refusable = Pick<HttpExchange, 'request' | 'response'>;
type Refuse = (exchange: Refusable, failure: HttpFailure, entry?: Partial<RouteEntry>) => void;

function createRefuse(failureBody: FailureBody): Refuse {
  return ({ request, response }, failure, entry = {}) => {
    const { status, headers = {} } = failure;
    const bodyOf = entry.failureBody ?? (entry.isRpc ? rpcFailureBody : failureBody);
    sendEarly(request, response, { status, headers, json: bodyOf(failure) });
  };
}

function timeAnswer(exchange: Exchange, told: NonNullable<HttpHostOptions['onAnswered']>): void {
  const startedAt = performance.now();
  const { response } = exchange;
  response.once('close', () => {
    const seconds = (performance.now() - startedAt) / 1000;
    told({ status: response.statusCode, seconds, user: exchange.user });
  });
}

function entriesOf(options: Settled, refuse: Refuse): RouteEntry[] {
  const { rpc, routes = [], maxBodyBytes, newId = randomUUID } = options;
  const entries = routes.map((route): RouteEntry => {
    const { path, access } = route;
    // Routes of the dashboard and plain GET routes do not count, because a page may be open all day.
    const isFree = access !== undefined || (route.kind !== 'raw' && route.method === 'GET');
    const admission = isFree ? ('free' as const) : ('counted' as const);
    const common = { path, access, tool: route.tool, admission };
    if (route.kind !== 'raw')
      return { ...common, method: route.method, serve: plainEndpoint(route, { maxBodyBytes, refuse }) };
    const { method, failureBody, handle } = route;
    return { ...common, ...(method && { method }), failureBody, serve: (exchange) => handle(exchange) };
  });
  if (rpc === undefined) return entries;
  const { tokens } = options;
  const isOffered = (tool: string) => allowsTool(rulesOf(tokens?.current()), tool);
  const server = tokens === undefined ? rpc.server : { ...rpc.server, isOffered };
  const dispatcher = createDispatcher(server, { newId });
  const serve = rpcEndpoint({
    dispatcher,
    modern: lazyModernHttp(server, dispatcher),
    maxBodyBytes,
    refuse,
    inFlight: new InFlight(),
    roots: new ClientRoots(),
    newSessionId: newId,
  });
  const common = { method: 'POST', admission: 'counted', isRpc: true, serve } as const;
  return [...rpc.paths.map((path) => ({ path, ...common })), ...entries];
}
