import type { ServerResponse } from 'node:http';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { type Json, parsedJson } from '@secateur/base/text/json.ts';
import { drained } from '@secateur/serving/wire/http-route.ts';
import { failure, failureText, isAnswerTo, readUpstreamAnswer, someAnswer } from './answer.ts';
import type { AnswerEdit } from './answer-edit.ts';
import {
  type ClientCall,
  type ClientMessage,
  limitCall,
  readClientMessage,
  requestId,
  type UpstreamAnswer,
} from './client-call.ts';
import type { GatewayServer } from './server.ts';
import { eventData, isResumable, messageEvent, type ServerEvent } from './server-events.ts';

export interface Responding {
  readonly response: ServerResponse;
  readonly call: ClientCall;
  readonly edit: AnswerEdit;
}

/** Sends an upstream's response in a form that the client accepts. Throws only before the first byte is sent. */
export async function respond(answer: UpstreamAnswer, to: Responding): Promise<void> {
  const { body } = answer;
  if (body.kind === 'events' && to.call.acceptsEvents) return sendEvents(answer, body.events, to);
  const bytes = await answerBytes(answer, to);
  if (body.kind === 'bytes') return sendBytes(to.response, asSeen(answer, to.call), bytes);
  const headers = { ...answer.headers, 'content-type': 'application/json' };
  sendBytes(to.response, { ...answer, headers }, bytes);
}

async function answerBytes(answer: UpstreamAnswer, to: Pick<Responding, 'call' | 'edit'>): Promise<Buffer> {
  const { body } = answer;
  if (body.kind === 'bytes') return checkedBody(answer, body.bytes, to);
  return to.edit.body(await answerAmong(body.events, to.call));
}

function sendBytes(
  response: ServerResponse,
  { status, headers }: Omit<UpstreamAnswer, 'body'>,
  bytes: Buffer,
): void {
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.end(bytes);
}

export function sendJsonText(response: ServerResponse, status: number, text: string): void {
  sendBytes(response, { status, headers: { 'content-type': 'application/json' } }, Buffer.from(text));
}
/** Replaces status 401 of an upstream. Otherwise the client would try to sign in to the gateway. */
function asSeen(answer: UpstreamAnswer, { message }: ClientCall): UpstreamAnswer {
  if (answer.status !== 401) return answer;
  const { 'www-authenticate': _, ...headers } = answer.headers;
  return { ...answer, headers, status: message.kind === 'request' ? 200 : 502 };
}

/** Returns the response body: that of the upstream, or an error of the gateway. */
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
  to: Responding,
): Promise<void> {
  const { response, call } = to;
  response.writeHead(status, { ...headers, 'cache-control': 'no-cache' });
  response.flushHeaders();
  try {
    await deliver(events, to);
  } catch (error) {
    const idText = requestId(call.message);
    if (idText !== undefined && !response.destroyed)
      response.write(messageEvent(failureText(error, idText)).raw);
    throw error;
  } finally {
    response.end();
  }
}

/** Sends events. Throws if the expected response is missing and the client cannot resume the stream. */
async function deliver(events: AsyncIterable<ServerEvent>, { response, call, edit }: Responding) {
  let isOwed = call.message.kind === 'request';
  for await (const received of events) {
    if (response.destroyed) return;
    const { event, role } = await edit.event(received);
    // The response to another call is useless for this client.
    if (role === 'foreign') continue;
    if (role === 'answer' || isResumable(received)) isOwed = false;
    // Waits for a slow client. The upstream then becomes slower too, and memory does not fill.
    if (!response.write(event.raw)) await drained(response);
  }
  if (isOwed) throw failure('upstream_invalid_response', NO_ANSWER);
}

const NO_ANSWER = 'The upstream closed its event stream without an answer';

async function answerAmong(events: AsyncIterable<ServerEvent>, { message }: ClientCall): Promise<Buffer> {
  const idText = requestId(message);
  for await (const event of events) {
    const answer = someAnswer(eventData(event));
    if (answer !== undefined && isAnswerTo(answer, idText)) return answer.bytes;
  }
  throw failure('upstream_invalid_response', NO_ANSWER);
}

/** Calls to the servers of the gateway from the same process, without HTTP. */
export interface InProcessCalls {
  /**
   * Forwards a JSON-RPC message to a server and returns its response, shortened as over HTTP. If the server
   * fails, returns a JSON-RPC error with the request's id. Never rejects. `undefined` for a notification.
   */
  handleRpc(serverName: string, request: unknown): Promise<Json | undefined>;
  /** Forwards a JSON-RPC message to a server and returns its response without masking. */
  forwardJsonrpc(serverName: string, request: unknown): Promise<Json | undefined>;
}

/** Creates the functions; `find` returns the named server or throws `unknown_server`. */
export function inProcessCalls(find: (serverName: string) => GatewayServer): InProcessCalls {
  const answered = async (serverName: string, request: unknown, editOf: EditOf) => {
    let message: ClientMessage = { kind: 'none' };
    try {
      const body = Buffer.from(JSON.stringify(request) ?? '');
      message = readClientMessage(body);
      const server = find(serverName);
      const limit = limitCall(undefined, server.options.timeoutMs);
      const call: ClientCall = { ...POSTED, body, message, signal: limit.signal };
      const text = await callServer(server, call, editOf(server, call)).finally(limit.end);
      return parsedJson(text) as Json | undefined;
    } catch (error) {
      return JSON.parse(failureText(error, requestId(message) ?? 'null')) as Json;
    }
  };
  return {
    handleRpc: (serverName, request) => answered(serverName, request, (server, call) => server.editFor(call)),
    forwardJsonrpc: (serverName, request) => answered(serverName, request, (_, call) => checkOnly(call)),
  };
}

type EditOf = (server: GatewayServer, call: ClientCall) => AnswerEdit;

const POSTED = {
  verb: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  acceptsEvents: false,
} as const;

async function callServer(server: GatewayServer, call: ClientCall, edit: AnswerEdit): Promise<string> {
  const own = await server.ownAnswer(call);
  if (own !== undefined) return own;
  let bytes = Buffer.alloc(0);
  await server.serve(call, async (answer) => {
    bytes = Buffer.from(await answerBytes(answer, { call, edit }));
  });
  return bytes.toString('utf8');
}

function checkOnly({ message }: ClientCall): AnswerEdit {
  const idText = requestId(message);
  return {
    body: async (bytes) => readUpstreamAnswer(bytes, idText).bytes,
    event: async (event) => ({ event, role: 'other' }),
  };
}
