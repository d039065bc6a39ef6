import type { IncomingMessage, ServerResponse } from 'node:http';
import { OVERLOADED } from '@secateur/base/tools/tool.ts';
import { type CallPorts, type Dispatcher, errorResponse, type RpcResponse } from '../dispatcher.ts';
import {
  acceptsEvents,
  bodyTooLarge,
  type HttpExchange,
  type HttpFailure,
  httpFailure,
  notJson,
  type PlainRoute,
  readBody,
} from '../http-route.ts';
import {
  answerTo,
  callKey,
  cancelledId,
  type EncodedJson,
  type InFlight,
  isModernMessage,
  type ReadMessage,
  type RpcRequest,
  readMessage,
  writtenId,
} from '../messages/rpc-message.ts';
import {
  clientName,
  clientOfSession,
  isModernVersion,
  LEGACY_VERSIONS,
  parseJson,
  type RpcServer,
  sessionIdFor,
  traceparentIn,
  userAgentName,
} from '../protocol.ts';
import { isLoopbackAddress } from './address.ts';
import { OVERLOADED_BYTES } from './admission.ts';
import { type ClientRoots, offersRoots, withRootsMark } from './client-roots.ts';
import { type Exchange, sendAnswer, sendJson } from './exchange.ts';

/** Whether the body is JSON. A web page cannot send JSON to another origin without a preflight. */
export function isJsonRequest({ headers }: IncomingMessage): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  const encoding = headers['content-encoding'] ?? 'identity';
  return type.trim().toLowerCase() === 'application/json' && encoding.toLowerCase() === 'identity';
}

export interface RpcEndpointDeps {
  readonly dispatcher: Dispatcher;
  readonly modern: ModernHttp;
  readonly maxBodyBytes: number;
  readonly inFlight: InFlight;
  readonly roots: ClientRoots;
  newSessionId(): string;
  refuse(exchange: Exchange, failure: HttpFailure): void;
}

/** Responds to a request of a revision since 2026-07-28, which the official SDK handles. */
export type ModernHttp = (exchange: HttpExchange, body: unknown) => Promise<void>;

/** Returns a handler for these revisions. It loads the SDK when the first such client connects. */
export function lazyModernHttp(server: RpcServer, dispatcher: Dispatcher): ModernHttp {
  let http: Promise<ModernHttp> | undefined;
  return async (exchange, body) => {
    http ??= import('../modern/sdk-server.ts').then(({ modernHttp }) => modernHttp(server, dispatcher));
    return (await http)(exchange, body);
  };
}

/** Serves JSON-RPC over POST: receives one message, returns one JSON response, an event stream, or 202. */
export function rpcEndpoint(parts: RpcEndpointDeps): (exchange: Exchange) => Promise<void> {
  const { dispatcher, maxBodyBytes, modern, refuse } = parts;
  return async (exchange) => {
    const { request, response } = exchange;
    if (!isJsonRequest(request)) return refuse(exchange, notJson);
    const body = await readBody(request, maxBodyBytes);
    if (body.kind === 'gone') return;
    if (body.kind === 'too_large') return exchange.refuse(bodyTooLarge(maxBodyBytes));
    const json = parseJson(body.bytes);
    if (json.kind === 'unparsable') return sendAnswer(response, { json: dispatcher.unparsable(json.reason) });
    const message = readMessage(json.value);
    exchange.traceparent = traceparentIn(message);
    if (isModernRequest(request, message)) return modern(exchange, json.value);
    const unsupported = versionFailure(request);
    if (unsupported !== undefined) return refuse(exchange, unsupported);
    return answerMessage({ message, bytes: body.bytes }, exchange, parts);
  };
}

/** Whether the SDK handles a request: the header or the message names a revision since 2026-07-28. */
function isModernRequest({ headers }: IncomingMessage, message: ReadMessage): boolean {
  return isModernVersion(headers['mcp-protocol-version']) || isModernMessage(message);
}

async function answerMessage(
  { message, bytes }: { message: ReadMessage; bytes: Buffer },
  exchange: Exchange,
  parts: RpcEndpointDeps,
): Promise<void> {
  const { response } = exchange;
  if (message.kind === 'request')
    return answerRequest({ ...message, writtenId: writtenId(message.id, bytes) }, exchange, parts);
  if (message.kind === 'invalid')
    return sendAnswer(response, { json: errorResponse(message.id, message.error) });
  if (message.kind === 'notification') heed(message, exchange, parts);
  if (message.kind === 'response') parts.roots.answered(message.id, message.result);
  sendAnswer(response, { status: 202 });
}

async function answerRequest(
  message: RpcRequest & { writtenId: string | undefined },
  exchange: Exchange,
  parts: RpcEndpointDeps,
): Promise<void> {
  const { request, response, abort } = exchange;
  const session = sessionOf(request);
  const key = session === undefined ? undefined : callKey(message.id, ownedBy(exchange, session));
  if (key !== undefined) parts.inFlight.begin(key, abort);
  const stream = acceptsEvents(request.headers) ? lazyEventStream(response) : undefined;
  try {
    const answer = await parts.dispatcher.dispatch(message, portsOf(exchange, { stream, session }, parts));
    if (answer === undefined || response.destroyed) return;
    const body = answerTo(message.writtenId, await parts.dispatcher.encode(answer));
    if (response.destroyed) return;
    if (stream?.isOpen() === true) return stream.end(body);
    const headers = { 'content-type': 'application/json', ...sessionHeader(message, answer, parts) };
    const isRefused = 'error' in answer && answer.error.code === OVERLOADED;
    if (!isRefused) return sendJson(response, body, headers);
    const { status, headers: advice } = OVERLOADED_BYTES;
    const text = typeof body === 'string' ? body : Buffer.concat(body);
    sendAnswer(response, { status, body: text, headers: { ...headers, ...advice } });
  } finally {
    if (key !== undefined) parts.inFlight.end(key, abort);
  }
}

function portsOf(
  exchange: Exchange,
  {
    stream,
    session,
  }: { stream: ReturnType<typeof lazyEventStream> | undefined; session: string | undefined },
  { roots }: RpcEndpointDeps,
): CallPorts {
  const { request, response, abort } = exchange;
  const canAsk = stream !== undefined && offersRoots(session) && isTrustedWithRoots(exchange);
  return {
    roots: canAsk ? () => roots.of(session, { send: stream.send, signal: abort.signal }) : undefined,
    notify: stream?.send,
    reserve: exchange.reserve,
    get signal() {
      return abort.signal;
    },
    get delivered() {
      return deliveryOf(response);
    },
    get client() {
      return clientOfSession(session) ?? userAgentName(request.headers);
    },
  };
}

/** Whether the roots of a client are used. They are for clients on this machine without a named token. */
function isTrustedWithRoots({ request, user }: Exchange): boolean {
  return user === undefined && isLoopbackAddress(request.socket.remoteAddress ?? '');
}

/** Resolves to whether the system accepted the whole response. Node emits `finish` even after a failure. */
function deliveryOf(response: ServerResponse): Promise<boolean> {
  const { socket } = response;
  return new Promise((resolve) => {
    response.once('finish', () => resolve(socket?.destroyed === false)).once('close', () => resolve(false));
  });
}

/**
 * Returns the header with a session id. Clients need not send it back. It distinguishes clients that use the
 * same request ids, so that a cancellation reaches the right call. It also contains the client's name and
 * whether it offers roots.
 */
function sessionHeader(
  message: RpcRequest,
  answer: RpcResponse,
  parts: RpcEndpointDeps,
): Record<string, string> {
  if (message.method !== 'initialize' || 'error' in answer) return {};
  const id = withRootsMark(parts.newSessionId(), message.params);
  return { 'mcp-session-id': sessionIdFor(clientName(message.params.clientInfo), id) };
}

function sessionOf({ headers }: IncomingMessage): string | undefined {
  const session = headers['mcp-session-id'];
  return typeof session === 'string' ? session : undefined;
}

/** Returns the key of a session for this user. A user then cannot cancel calls of other users. */
function ownedBy({ user }: Exchange, session: string): string {
  return JSON.stringify([user ?? null, session]);
}

function heed(
  { method, params }: { method: string; params: Readonly<Record<string, unknown>> },
  exchange: Exchange,
  { inFlight, roots }: RpcEndpointDeps,
): void {
  const session = sessionOf(exchange.request);
  if (session === undefined) return;
  if (method === 'notifications/roots/list_changed' && isTrustedWithRoots(exchange)) roots.forget(session);
  const id = cancelledId(params);
  if (method === 'notifications/cancelled' && id !== undefined)
    inFlight.cancel(callKey(id, ownedBy(exchange, session)));
}

function versionFailure({ headers }: IncomingMessage): HttpFailure | undefined {
  const version = headers['mcp-protocol-version'];
  if (version === undefined || LEGACY_VERSIONS.includes(String(version))) return undefined;
  const message = `MCP-Protocol-Version must be one of ${LEGACY_VERSIONS.join(', ')} or newer`;
  return httpFailure(400, 'unsupported_protocol_version', message);
}

/** Creates a response that becomes a stream of server-sent events only if a message is sent before the result. */
function lazyEventStream(response: ServerResponse) {
  const isOpen = () => response.headersSent;
  return {
    isOpen,
    /** Sends a message; the first one opens the stream. A slow client loses progress messages, but never the response. */
    send: (message: unknown) => {
      if (response.destroyed || response.writableNeedDrain) return;
      if (!isOpen())
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      response.write(event(JSON.stringify(message)));
    },
    end: (message: EncodedJson) => {
      if (typeof message === 'string') return void response.end(event(message));
      response.write(EVENT_START);
      for (const piece of message) response.write(piece);
      response.end(EVENT_END);
    },
  };
}

const EVENT_START = 'event: message\ndata: ';
const EVENT_END = '\n\n';

function event(messageText: string): string {
  return EVENT_START + messageText + EVENT_END;
}

export function plainEndpoint(
  route: PlainRoute,
  { maxBodyBytes, refuse }: Pick<RpcEndpointDeps, 'maxBodyBytes' | 'refuse'>,
): (exchange: Exchange) => Promise<void> {
  const hasBody = route.method === 'POST' || route.method === 'PUT';

  const answer = async (exchange: Exchange, body: unknown) => {
    const { request, response, params, query, signal } = exchange;
    sendAnswer(response, await route.handle({ params, query, headers: request.headers, body, signal }));
  };

  return async (exchange) => {
    if (!hasBody) return answer(exchange, undefined);
    if (!isJsonRequest(exchange.request)) return refuse(exchange, notJson);
    const body = await readBody(exchange.request, maxBodyBytes);
    if (body.kind === 'gone') return;
    if (body.kind === 'too_large') return refuse(exchange, bodyTooLarge(maxBodyBytes));
    const json = parseJson(body.bytes);
    if (json.kind === 'parsed') return answer(exchange, json.value);
    const message = `The body cannot be read: ${json.reason}`;
    return refuse(exchange, httpFailure(400, 'invalid_json', message));
  };
}
