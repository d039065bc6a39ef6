import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { EventLog } from '@secateur/base/runtime/event-log.ts';
import type { ProcessWatchdog } from '@secateur/base/runtime/process-watchdog.ts';
import type { Notes } from '@secateur/engine/recovery/notes.ts';
import {
  acceptsEvents,
  type HttpExchange,
  type HttpRoute,
  readBody,
} from '@secateur/serving/wire/http-route.ts';
import { claimedClient, clientName, traceparentIn, userAgentName } from '@secateur/serving/wire/protocol.ts';
import type { ToolRules } from '@secateur/serving/wire/tokens.ts';
import type { CommonDeps, EmbeddedPruning } from '../prune-outcome.ts';
import { failure, failureText } from './answer.ts';
import {
  type ClientCall,
  type ClientMessage,
  forwardedHeaders,
  isEndless,
  limitCall,
  readClientMessage,
  requestId,
  SessionIds,
  sessionNotFoundText,
  type UpstreamAnswer,
  type Verb,
} from './client-call.ts';
import { type InProcessCalls, inProcessCalls, respond, sendJsonText } from './respond.ts';
import { GatewayServer } from './server.ts';
import { type ServerEntry, type ServerSettings, upstreamOptions } from './server-table.ts';
export interface GatewaySettings {
  readonly servers: Readonly<Record<string, ServerEntry>>;
  readonly defaults: ServerSettings;
  readonly breaker: { readonly failures: number; readonly cooldownMs: number };
  readonly maxBodyBytes: number;
}

export interface GatewayDeps extends Omit<CommonDeps, 'version'> {
  /** Stores the visible part of each masked value, for `secateur explain`. */
  readonly notes: Pick<Notes, 'keep'> | undefined;
  /** Needed if texts of a server are pruned before they are masked. */
  readonly pruning: EmbeddedPruning | undefined;
  /** Whether the user switched off cuts in all projects (A17). */
  isOff(): boolean;
  /** Ends the child processes if the gateway is killed. */
  readonly watchdog: ProcessWatchdog;
  /** Returns the tools that the current call's token may use; `undefined` without a token. */
  callerRules(): ToolRules | undefined;
  /** Returns the servers that the current call's token may use. `undefined`: all servers. */
  callerServers(): readonly string[] | undefined;
  /** Returns the secret that binds session ids to users. It is the same in all processes of a team. */
  sessionKey(): Promise<Uint8Array>;
  /** Environment for the child processes of stdio servers. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Gateway extends InProcessCalls {
  readonly routes: readonly HttpRoute[];
  /** Returns whether calls to a server are allowed (circuit closed), by server name. */
  upstreams(): Record<string, boolean>;
  /** Ends child processes and connections. Calls that are still running fail. */
  close(): Promise<void>;
}

/** Creates a gateway. It forwards calls of clients to servers, and shortens long results. */
export function createGateway(options: GatewaySettings, parts: GatewayDeps): Gateway {
  const servers = new Map<string, GatewayServer>();
  const serverParts = { ...parts, breaker: options.breaker };
  for (const [name, entry] of Object.entries(options.servers)) {
    servers.set(name, new GatewayServer(upstreamOptions(name, entry, options.defaults), serverParts));
  }
  const sessions = new SessionIds(parts.sessionKey);
  const running = { servers, clients: new ClientNames(), sessions, options, parts };
  const handle = (exchange: HttpExchange) => answerExchange(exchange, running);
  return {
    ...inProcessCalls((name) => findServer(name, running)),
    routes: [
      {
        method: 'GET',
        path: '/api/mcp-gateway/servers',
        handle: async () => {
          const offered = offeredServers(running);
          return { json: { servers: [...offered.values()].map((server) => server.state()) } };
        },
      },
      { method: 'GET', path: '/health', handle: async () => ({ json: { status: 'ok' } }) },
      { kind: 'raw', path: '/api/mcp-gateway/:server/rpc', handle },
      // Some clients choose the transport by the last segment of the path.
      { kind: 'raw', path: '/api/mcp-gateway/:server/mcp', handle },
    ],
    upstreams: () => Object.fromEntries([...servers].map(([name, server]) => [name, server.isCalled()])),
    close: async () => {
      await Promise.all([...servers.values()].map((server) => server.close()));
    },
  };
}

const ALLOWED: ReadonlySet<string | undefined> = new Set(['POST', 'GET', 'DELETE']);

async function answerExchange(exchange: HttpExchange, running: Running): Promise<void> {
  const { request, response, params } = exchange;
  if (!ALLOWED.has(request.method))
    return void response.writeHead(405, { allow: 'POST, GET, DELETE', 'content-length': 0 }).end();
  const { maxBodyBytes } = running.options;
  const body = await readBody(request, maxBodyBytes);
  if (body.kind === 'gone') return;
  let message: ClientMessage = { kind: 'none' };
  try {
    if (body.kind === 'too_large')
      throw failure('input_too_large', `Invalid request: the body is larger than ${maxBodyBytes} bytes`);
    if (request.method === 'POST') message = readClientMessage(body.bytes);
    exchange.traceparent = traceparentIn(message);
    const server = findServer(params.server ?? '', running);
    await answerFrom(server, { exchange, bytes: body.bytes, message }, running);
  } catch (error) {
    complain(error, { exchange, message, log: running.parts.log });
  }
}

interface Running {
  readonly servers: ReadonlyMap<string, GatewayServer>;
  readonly clients: ClientNames;
  readonly sessions: SessionIds;
  readonly options: GatewaySettings;
  readonly parts: GatewayDeps;
}

/** Returns the servers that the caller's token may use. The caller cannot see the others. */
function offeredServers({ servers, parts }: Running): ReadonlyMap<string, GatewayServer> {
  const names = parts.callerServers();
  return names === undefined ? servers : new Map([...servers].filter(([name]) => names.includes(name)));
}

function findServer(name: string, running: Running): GatewayServer {
  const servers = offeredServers(running);
  const server = servers.get(name);
  if (server !== undefined) return server;
  throw failure('unknown_server', 'The gateway has no server of this name', {
    hint: 'Add a table [mcp_gateway.servers.<name>] to config.toml.',
    data: { known_servers: [...servers.keys()] },
  });
}

async function answerFrom(
  server: GatewayServer,
  { exchange, bytes, message }: { exchange: HttpExchange; bytes: Buffer; message: ClientMessage },
  { clients, sessions }: Running,
): Promise<void> {
  const { request, response, user } = exchange;
  const owner = { server: server.options.name, user };
  const headers = await sessions.opened(forwardedHeaders(request.headers), owner);
  if (headers === undefined) return sendJsonText(response, 404, sessionNotFoundText(message));
  const limit = limitCall(exchange.signal, isEndless(message) ? undefined : server.options.timeoutMs);
  const call: ClientCall = {
    verb: request.method as Verb,
    headers,
    body: bytes,
    message,
    client: clients.of({ ...request.headers, ...headers }, message),
    user,
    hold: holdFor(exchange),
    acceptsEvents: acceptsEvents(request.headers),
    signal: limit.signal,
  };
  try {
    const own = await server.ownAnswer(call);
    if (own !== undefined) return sendJsonText(response, 200, own);
    const edit = server.editFor(call);
    await server.serve(call, async (answer) => {
      clients.learn(message, answer);
      await respond(await sessions.issuedIn(answer, owner), { response, call, edit });
    });
  } finally {
    limit.end();
  }
}

function holdFor({ reserve }: HttpExchange): ClientCall['hold'] {
  if (reserve === undefined) return undefined;
  return async (bytes) => {
    const isReserved = reserve(bytes);
    if (isReserved === true || (await isReserved)) return;
    throw failure('overloaded', 'Too many bytes are held at once; try again in a moment');
  };
}

function complain(
  error: unknown,
  { exchange, message, log }: { exchange: HttpExchange; message: ClientMessage; log: EventLog },
): void {
  const { request, response, params } = exchange;
  const code = error instanceof DomainError ? error.code : 'internal_error';
  if (code !== 'client_gone') {
    log.emit({ level: 'warn', event: 'call_failed', data: { server: params.server, code } });
  }
  if (response.headersSent || response.destroyed) return;
  const idText = requestId(message) ?? 'null';
  const status = httpStatus(error, message, request.headers['mcp-session-id'] !== undefined);
  if (code === 'overloaded') response.setHeader('retry-after', '1');
  sendJsonText(response, status, failureText(error, idText));
}

/**
 * Returns the HTTP status of a failure. JSON-RPC failures have status 200. Exceptions are failures for which
 * clients check only the status: unknown servers and sessions, and messages without a response.
 */
function httpStatus(error: unknown, { kind }: ClientMessage, inSession: boolean): number {
  const { code, data } =
    error instanceof DomainError ? error : { code: '', data: {} as { http_status?: unknown } };
  if (code === 'parse_error' || code === 'invalid_request') return 200;
  if (inSession && data.http_status === 404) return 404;
  return STATUS[code] ?? (kind === 'request' || kind === 'other' ? 200 : 502);
}

const STATUS: Record<string, number> = { unknown_server: 404, input_too_large: 413, overloaded: 503 };

const MAX_SESSIONS = 1000;

/**
 * Names of clients for the savings ledger. A client sends its name only in `initialize`, so later calls are
 * recognised by the upstream's session id. Without a session, the user agent is used.
 */
export class ClientNames {
  readonly #bySession = new Map<string, string>();

  of(headers: IncomingHttpHeaders, message: ClientMessage): string | undefined {
    const session = headers['mcp-session-id'];
    const known = typeof session === 'string' ? this.#bySession.get(session) : undefined;
    return known ?? introduced(message) ?? userAgentName(headers);
  }

  /** Stores the client's name when an upstream opens a session in its response to `initialize`. */
  learn(message: ClientMessage, { headers }: Pick<UpstreamAnswer, 'headers'>): void {
    const session = headers['mcp-session-id'];
    const name = introduced(message);
    if (session === undefined || name === undefined) return;
    this.#bySession.set(session, name);
    const [oldest = ''] = this.#bySession.keys();
    if (this.#bySession.size > MAX_SESSIONS) this.#bySession.delete(oldest);
  }
}

function introduced(message: ClientMessage): string | undefined {
  if (message.kind !== 'request') return undefined;
  return message.method === 'initialize'
    ? clientName(message.params.clientInfo)
    : claimedClient(message.params);
}
