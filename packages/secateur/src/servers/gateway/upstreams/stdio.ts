import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { editJson } from '@secateur/base/text/json-edit.ts';
import { initializeText, resultText, rpcErrorText } from '@secateur/serving/wire/protocol.ts';
import { failure } from '../answer.ts';
import {
  type ClientCall,
  type ClientMessage,
  isModernCall,
  NO_BYTES,
  sessionNotFoundText,
  type Upstream,
  type UpstreamAnswer,
} from '../client-call.ts';
import { messageEvent, type ServerEvent } from '../server-events.ts';
import type { ServerRequest } from './stdio/child.ts';
import { envelopeFailure, modernStatus } from './stdio/envelope.ts';
import { type Handshake, Processes, type ProcessesOptions, type ServerProcess } from './stdio/processes.ts';
import { MessageQueue, rejectServerRequest, type Session, Sessions } from './stdio/sessions.ts';

export type StdioUpstreamOptions = Omit<ProcessesOptions, 'handshakeMs'> &
  Partial<Pick<ProcessesOptions, 'handshakeMs'>>;

/** Time limit in ms of the handshake. A package runner may have to download the server first. */
const HANDSHAKE_MS = 120_000;

type Request = ClientMessage & { kind: 'request' };
type Notification = ClientMessage & { kind: 'notification' };

/** Connects many HTTP clients to a stdio server, for revisions with and without a handshake. */
export function stdioUpstream(options: StdioUpstreamOptions): Upstream {
  const sessions = new Sessions(randomUUID);
  const processes = new Processes(
    { handshakeMs: HANDSHAKE_MS, ...options },
    {
      news: (process, text) => routeNotification(process, text, sessions),
      question: (process, question) => routeServerRequest(process, question, sessions),
      gone: (process) => {
        for (const session of sessions.sharing(process.handshake)) session.questions.clear();
      },
    },
  );
  const server = new StdioServer(sessions, processes);
  return {
    call: (call) => server.call(call),
    state: () => ({
      kind: 'stdio',
      command: options.command[0] ?? '',
      sessions: sessions.size,
      ...processes.state(),
    }),
    close: async () => {
      sessions.closeAll();
      await processes.close();
    },
  };
}

class StdioServer {
  readonly #sessions: Sessions;
  readonly #processes: Processes;

  constructor(sessions: Sessions, processes: Processes) {
    this.#sessions = sessions;
    this.#processes = processes;
  }

  async call(call: ClientCall): Promise<UpstreamAnswer> {
    const sessionId = call.headers['mcp-session-id'];
    const session = sessionId === undefined ? undefined : this.#sessions.use(sessionId);
    if (sessionId !== undefined && session === undefined)
      return jsonAnswer(404, sessionNotFoundText(call.message));
    const { message, verb } = call;
    if (verb === 'GET') return openStream(session, call);
    if (verb === 'DELETE') return this.#endSession(session);
    if (message.kind === 'request') return this.#request(call, message, session);
    if (message.kind === 'notification') return this.#notification(call, message, session);
    if (message.kind === 'response') return answerQuestion(message, session);
    throw failure('invalid_request', 'Invalid request: this is no JSON-RPC message');
  }

  async #request(call: ClientCall, message: Request, session: Session | undefined): Promise<UpstreamAnswer> {
    const modern = isModernCall(call);
    if (message.method === 'initialize' && !modern) return this.#initialize(message, call);
    const wrong = modern ? envelopeFailure(call, message) : undefined;
    if (wrong !== undefined) return jsonAnswer(400, rpcErrorText(message.idText, wrong));
    const process = this.#processes.take(session?.handshake ?? this.#handshakeFor(call));
    if (!process.ready) await untilAborted(process.initialized, call.signal);
    const answer = await exchange(process, message, { ...call, session });
    return modern && answer.body.kind === 'bytes'
      ? { ...answer, status: modernStatus(answer.body.bytes) }
      : answer;
  }

  /** Returns the handshake for callers without one: that of a process of their user, or a minimal one. */
  #handshakeFor(call: ClientCall): Handshake {
    if (isModernCall(call)) return modernHandshake(call);
    const isOwn = ({ user, initialize }: Handshake) => user === call.user && initialize !== undefined;
    return this.#processes.find(isOwn)?.handshake ?? plainHandshake(call);
  }

  async #initialize(message: Request, { user, signal }: ClientCall): Promise<UpstreamAnswer> {
    const { protocolVersion, capabilities } = message.params;
    const key = keyOf(user, protocolVersion, capabilities);
    const handshake = { key, user, initialize: message.text };
    const process = this.#processes.take(handshake);
    const answer = (await untilAborted(process.initialized, signal)) ?? '';
    const text = withJsonId(answer, message.idText);
    const session = this.#sessions.open(handshake);
    return jsonAnswer(200, text, { 'mcp-session-id': session.id });
  }

  #notification(call: ClientCall, message: Notification, session: Session | undefined): UpstreamAnswer {
    const { key } = session?.handshake ?? (isModernCall(call) ? modernHandshake(call) : plainHandshake(call));
    const process = this.#processes.find((handshake) => handshake.key === key);
    // The process has already completed its handshake. A second notification would confuse the server.
    if (process === undefined || message.method === 'notifications/initialized') return ACCEPTED;
    if (message.method === 'notifications/cancelled') {
      process.connection.abandon(JSON.stringify(message.params.requestId), session?.id);
    } else {
      process.connection.send(message.text);
    }
    return ACCEPTED;
  }

  #endSession(session: Session | undefined): UpstreamAnswer {
    if (session === undefined) return NOT_ALLOWED;
    this.#sessions.end(session);
    return { status: 200, headers: {}, body: NO_BYTES };
  }
}

function modernHandshake({ user }: ClientCall): Handshake {
  return { key: keyOf(user, 'modern'), user, initialize: undefined };
}

function plainHandshake({ user }: ClientCall): Handshake {
  return { key: keyOf(user, 'plain'), user, initialize: PLAIN_INITIALIZE };
}

/** Returns the key of a process. Clients share a process if they have the same user and the same handshake. */
function keyOf(user: string | undefined, ...opening: readonly unknown[]): string {
  return JSON.stringify([user ?? null, ...opening]);
}

const PLAIN_INITIALIZE = initializeText('secateur-gateway');

const ACCEPTED: UpstreamAnswer = { status: 202, headers: {}, body: NO_BYTES };
const NOT_ALLOWED: UpstreamAnswer = { status: 405, headers: { allow: 'POST' }, body: NO_BYTES };

/** Sends a request. The response is JSON, or an event stream if the server sends other messages first. */
async function exchange(
  { connection }: ServerProcess,
  { idText, text, params }: Request,
  { session, acceptsEvents, signal, hold }: ClientCall & { readonly session: Session | undefined },
): Promise<UpstreamAnswer> {
  signal.throwIfAborted();
  const queue = new MessageQueue();
  const running = connection.request(text, params, {
    idText,
    session: session?.id,
    acceptsEvents,
    answer: (text) => {
      queue.push({ text, isAnswer: true });
      queue.end();
    },
    fail: (error) => queue.end(error),
    notify: (text) => acceptsEvents && queue.push({ text, isAnswer: false }),
  });
  const abort = () => {
    running.cancel();
    queue.end(signal.reason);
  };
  signal.addEventListener('abort', abort, { once: true });
  const first = await queue.next();
  if (first === undefined || first.isAnswer) {
    await hold?.(first?.text.length ?? 0);
    return jsonAnswer(200, first?.text ?? '');
  }
  return eventAnswer(events(first.text, queue));
}

function openStream(session: Session | undefined, { acceptsEvents, signal }: ClientCall): UpstreamAnswer {
  if (session === undefined || !acceptsEvents) return NOT_ALLOWED;
  session.stream?.end();
  const stream = new MessageQueue();
  session.stream = stream;
  const leave = () => {
    stream.end();
    if (session.stream === stream) session.stream = undefined;
  };
  signal.addEventListener('abort', leave, { once: true });
  return eventAnswer(events(undefined, stream));
}

async function* events(first: string | undefined, queue: MessageQueue): AsyncGenerator<ServerEvent> {
  if (first !== undefined) yield messageEvent(first);
  for (let next = await queue.next(); next !== undefined; next = await queue.next()) {
    yield messageEvent(next.text);
  }
}

function answerQuestion(
  { idText, text }: { idText: string; text: string },
  session: Session | undefined,
): UpstreamAnswer {
  const question = session?.questions.get(idText);
  session?.questions.delete(idText);
  question?.process.connection.send(withJsonId(text, question.idText));
  return ACCEPTED;
}

function withJsonId(text: string, idText: string): string {
  return editJson(text, [{ kind: 'replace', path: ['id'], json: idText }]);
}

function jsonAnswer(status: number, text: string, headers: Record<string, string> = {}): UpstreamAnswer {
  const body = { kind: 'bytes', bytes: Buffer.from(text) } as const;
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

function eventAnswer(stream: AsyncIterable<ServerEvent>): UpstreamAnswer {
  const headers = { 'content-type': 'text/event-stream' };
  return { status: 200, headers, body: { kind: 'events', events: stream } };
}

async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const aborted = once(signal, 'abort').then(() => Promise.reject<never>(signal.reason));
  return Promise.race([promise, aborted]);
}

/**
 * Routes a notification that names no call. On stdio it is unknown which call caused it. If one call is
 * running, its client gets the notification; otherwise all clients that listen to this process do.
 */
export function routeNotification(process: ServerProcess, text: string, sessions: Sessions): void {
  const { pending } = process.connection;
  const [only] = pending;
  if (pending.length === 1 && only?.acceptsEvents) {
    only.notify(text);
    return;
  }
  for (const session of sessions.sharing(process.handshake)) {
    if (session.stream !== undefined) session.stream.push({ text, isAnswer: false });
    else pending.findLast((call) => call.session === session.id && call.acceptsEvents)?.notify(text);
  }
}

/** Sends a server's request to a client: that of the latest call which accepts requests, because it is the likely cause. */
export function routeServerRequest(
  process: ServerProcess,
  question: ServerRequest,
  sessions: Sessions,
): void {
  const { idText, method, text } = question;
  if (method === 'ping') {
    process.connection.send(resultText(idText, {}));
    return;
  }
  const asked = whoToAsk(process, sessions);
  if (asked === undefined) {
    rejectServerRequest(process, idText);
    return;
  }
  const askedId = JSON.stringify(`secateur-${process.connection.pid}-${idText.replaceAll('"', '')}`);
  const isSent = asked.send(withJsonId(text, askedId));
  if (isSent) asked.session.questions.set(askedId, { process, idText });
  else rejectServerRequest(process, idText);
}

function whoToAsk(process: ServerProcess, sessions: Sessions) {
  const call = process.connection.pending.findLast(
    (each) => each.acceptsEvents && sessions.get(each.session) !== undefined,
  );
  const caller = sessions.get(call?.session);
  if (call !== undefined && caller !== undefined)
    return { session: caller, send: (text: string) => call.notify(text) };
  const listener = sessions.sharing(process.handshake).find((session) => session.stream !== undefined);
  if (listener === undefined) return undefined;
  return {
    session: listener,
    send: (text: string) => listener.stream?.push({ text, isAnswer: false }) ?? false,
  };
}
