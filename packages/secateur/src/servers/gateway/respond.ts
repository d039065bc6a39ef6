import type { ServerResponse } from 'node:http';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { type Json, parsedJson } from '@secateur/base/text/json.ts';
import { drained } from '@secateur/serving/wire/http-route.ts';
import { failure, failureText, isAnswerTo, readUpstreamAnswer, someAnswer } from './answer.ts';
import type { AnswerEdit } from './answer-edit.ts';
import {
  type ClientCall,
  type ClientMessage,
  readClientMessage,
  type UpstreamAnswer,
} from './client-call.ts';
import type { GatewayServer } from './server.ts';
import { eventData, isResumable, messageEvent, type ServerEvent } from './server-events.ts';

export interface Responding {
  readonly response: ServerResponse;
  readonly call: ClientCall;
  readonly edit: AnswerEdit;
}

/** Hands an upstream's answer to the client, in the form this client can read. Throws as long as nothing was sent. */
export async function respond(answer: UpstreamAnswer, to: Responding): Promise<void> {
  const { body } = answer;
  if (body.kind === 'events' && to.call.acceptsEvents) return sendEvents(answer, body.events, to);
  const bytes = await answerBytes(answer, to);
  if (body.kind === 'bytes') return sendBytes(to.response, asSeen(answer, to.call), bytes);
  const headers = { ...answer.headers, 'content-type': 'application/json' };
  sendBytes(to.response, { ...answer, headers }, bytes);
}

/** Returns the one message that answers the call, edited. */
async function answerBytes(answer: UpstreamAnswer, to: Pick<Responding, 'call' | 'edit'>): Promise<Buffer> {
  const { body } = answer;
  if (body.kind === 'bytes') return checkedBody(answer, body.bytes, to);
  return to.edit.body(await answerAmong(body.events, to.call));
}

export function sendJsonText(response: ServerResponse, status: number, text: string): void {
  const bytes = Buffer.from(text);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
}

/** An upstream's 401 would send a client to sign in to the gateway, where its sign-in is of no use: the body says why. */
function asSeen(answer: UpstreamAnswer, { message }: ClientCall): UpstreamAnswer {
  if (answer.status !== 401) return answer;
  const { 'www-authenticate': _, ...headers } = answer.headers;
  return { ...answer, headers, status: message.kind === 'request' ? 200 : 502 };
}

function sendBytes(response: ServerResponse, { status, headers }: UpstreamAnswer, bytes: Buffer): void {
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.end(bytes);
}

/** A request is owed a JSON-RPC answer: an upstream's own, whatever its HTTP status, or the gateway's complaint. */
async function checkedBody(
  { status }: UpstreamAnswer,
  bytes: Buffer,
  { call, edit }: Pick<Responding, 'call' | 'edit'>,
): Promise<Buffer> {
  if (call.message.kind !== 'request') return bytes;
  try {
    return await edit.body(bytes);
  } catch (error) {
    const isForeign = error instanceof DomainError && error.code === 'upstream_invalid_response';
    if (!isForeign || status < 300) throw error;
    const data = { http_status: status };
    throw failure('upstream_http_error', `The upstream answered with HTTP ${status}`, { data, cause: error });
  }
}

async function sendEvents(
  { status, headers }: UpstreamAnswer,
  events: AsyncIterable<ServerEvent>,
  { response, call, edit }: Responding,
): Promise<void> {
  response.writeHead(status, { ...headers, 'cache-control': 'no-cache' });
  response.flushHeaders();
  try {
    const delivery: Delivery = { response, edit, awaited: call.message.kind === 'request' };
    await deliver(events, delivery);
  } catch (error) {
    if (call.message.kind === 'request' && !response.destroyed) {
      response.write(messageEvent(failureText(error, call.message.idText)).raw);
    }
    response.end();
    throw error;
  }
  response.end();
}

interface Delivery {
  readonly response: ServerResponse;
  readonly edit: AnswerEdit;
  /** Does the client wait for an answer? */
  readonly awaited: boolean;
}

/** Throws where a stream ends without the answer its client waits for, and nothing would let it ask for the rest. */
async function deliver(
  events: AsyncIterable<ServerEvent>,
  { response, edit, awaited }: Delivery,
): Promise<void> {
  let isOwed = awaited;
  for await (const received of events) {
    if (response.destroyed) return;
    const { event, role } = await edit.event(received);
    // An answer to another call, or not an answer: no client has a use for it.
    if (role === 'foreign') continue;
    if (role === 'answer' || isResumable(received)) isOwed = false;
    // A slow client slows its upstream down instead of filling our memory.
    if (!response.write(event.raw)) await drained(response);
  }
  if (isOwed) throw failure('upstream_invalid_response', NO_ANSWER);
}

const NO_ANSWER = 'The upstream closed its event stream without an answer';

/** For a client that reads no events: the one message it waits for. */
async function answerAmong(events: AsyncIterable<ServerEvent>, { message }: ClientCall): Promise<Buffer> {
  const idText = message.kind === 'request' ? message.idText : undefined;
  for await (const event of events) {
    const answer = someAnswer(eventData(event));
    if (answer !== undefined && isAnswerTo(answer, idText)) return answer.bytes;
  }
  throw failure('upstream_invalid_response', NO_ANSWER);
}

/** Calls to the servers behind the gateway from the same process, without HTTP in between. */
export interface InProcessCalls {
  /**
   * Forwards one JSON-RPC message to a server and returns its answer, shortened as over HTTP. A server that fails is a
   * JSON-RPC error with the id of the request, never a rejection. Returns `undefined` for a notification.
   */
  handleRpc(serverName: string, request: unknown): Promise<Json | undefined>;
  /** Forwards one JSON-RPC message and returns the answer as the server gave it, without masking. */
  forwardJsonrpc(serverName: string, request: unknown): Promise<Json | undefined>;
}

export interface InProcessDeps {
  /** Throws `unknown_server` if the table has no server of this name. */
  find(serverName: string): GatewayServer;
  limit(client: AbortSignal, timeoutMs: number): { signal: AbortSignal; end(): void };
}

export function inProcessCalls(parts: InProcessDeps): InProcessCalls {
  return {
    handleRpc: (serverName, request) =>
      answered(request, parts, { serverName, editFor: (server, call) => server.editFor(call) }),
    forwardJsonrpc: (serverName, request) =>
      answered(request, parts, { serverName, editFor: (_, call) => checkOnly(call) }),
  };
}

interface Target {
  readonly serverName: string;
  editFor(server: GatewayServer, call: ClientCall): AnswerEdit;
}

async function answered(request: unknown, parts: InProcessDeps, target: Target): Promise<Json | undefined> {
  let message: ClientMessage = { kind: 'none' };
  try {
    const body = Buffer.from(JSON.stringify(request) ?? '');
    message = readClientMessage(body);
    const server = parts.find(target.serverName);
    const limit = parts.limit(new AbortController().signal, server.options.timeoutMs);
    const call: ClientCall = { ...POSTED, body, message, signal: limit.signal };
    const text = await callServer(server, call, target).finally(limit.end);
    return parsedJson(text) as Json | undefined;
  } catch (error) {
    return JSON.parse(failureText(error, message.kind === 'request' ? message.idText : 'null')) as Json;
  }
}

const POSTED = {
  verb: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  acceptsEvents: false,
} as const;

async function callServer(server: GatewayServer, call: ClientCall, target: Target): Promise<string> {
  const own = await server.ownAnswer(call);
  if (own !== undefined) return own;
  let bytes = Buffer.alloc(0);
  const edit = target.editFor(server, call);
  await server.serve(call, async (answer) => {
    bytes = Buffer.from(await answerBytes(answer, { call, edit }));
  });
  return bytes.toString('utf8');
}

function checkOnly({ message }: ClientCall): AnswerEdit {
  const idText = message.kind === 'request' ? message.idText : undefined;
  return {
    body: async (bytes) => readUpstreamAnswer(bytes, idText).bytes,
    event: async (event) => ({ event, role: 'other' }),
  };
}
