import type { EventLog } from '@secateur/base/runtime/event-log.ts';
import { isJsonObject, type JsonObject } from '@secateur/base/text/json.ts';
import { editJson, type JsonEdit } from '@secateur/base/text/json-edit.ts';
import { META, notificationText } from '@secateur/serving/wire/protocol.ts';
import { failure, someAnswer } from '../../answer.ts';
import { responseTooLarge } from '../../server-events.ts';
import {
  Child,
  type ChildMessage,
  type ChildOptions,
  readChildMessage,
  type ServerExit,
  type ServerRequest,
  withId,
} from './child.ts';
/**
 * Initialization of a process, and its user. Clients of one user with the same handshake share
 * a process, because the handshake determines revision and capabilities.
 */
export interface Handshake {
  readonly key: string;
  /** The name of the token the process was started for; `undefined` if calls need no token. */
  readonly user: string | undefined;
  /** The `initialize` request; `undefined` for revisions without a handshake. */
  readonly initialize: string | undefined;
}

export interface ServerProcess {
  readonly handshake: Handshake;
  readonly connection: Connection;
  /** The server's answer to the handshake, with id 0; `undefined` without a handshake. */
  readonly initialized: Promise<string | undefined>;
  /** Whether the handshake was answered; then callers need not wait for `initialized`. */
  ready: boolean;
  lastUsed: number;
}

export interface ProcessEvents {
  news(process: ServerProcess, text: string): void;
  question(process: ServerProcess, question: ServerRequest): void;
  gone(process: ServerProcess): void;
}

export interface ProcessesOptions extends ChildOptions {
  readonly name: string;
  readonly maxProcesses: number;
  /**
   * Time limit of the handshake in ms. A process that takes longer is ended, so that a new one can be
   * started.
   */
  readonly handshakeMs: number;
  readonly log: EventLog;
}

/**
 * The running processes of one stdio server. They are started when first needed, kept, and started again
 * after they ended.
 */
export class Processes {
  readonly #running = new Map<string, ServerProcess>();
  readonly #options: ProcessesOptions;
  readonly #events: ProcessEvents;
  #uses = 0;
  #starts = 0;
  #closed = false;

  constructor(options: ProcessesOptions, events: ProcessEvents) {
    this.#options = options;
    this.#events = events;
  }

  /**
   * Returns a running process with this handshake. Throws `upstream_unavailable` if the limit of processes is
   * reached.
   */
  take(handshake: Handshake): ServerProcess {
    if (this.#closed) throw failure('upstream_unavailable', 'The gateway is shutting down');
    const process = this.#running.get(handshake.key) ?? this.#start(handshake);
    this.#uses += 1;
    process.lastUsed = this.#uses;
    return process;
  }

  /** Returns the most recently used process whose handshake `fits`. */
  find(fits: (handshake: Handshake) => boolean): ServerProcess | undefined {
    const fitting = [...this.#running.values()].filter((process) => fits(process.handshake));
    return fitting.sort((a, b) => b.lastUsed - a.lastUsed)[0];
  }

  state(): Record<string, unknown> {
    const running = [...this.#running.values()];
    return {
      processes: running.map(({ connection }) => ({
        pid: connection.pid,
        in_flight: connection.pending.length,
      })),
      starts: this.#starts,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#running.values()].map(({ connection }) => connection.close()));
  }

  #start(handshake: Handshake): ServerProcess {
    this.#makeRoom();
    this.#starts += 1;
    const connection = new Connection(this.#options, {
      news: (text) => this.#events.news(process, text),
      question: (question) => this.#events.question(process, question),
      gone: ({ code, signal, lastWords }) => {
        if (this.#running.get(handshake.key) === process) this.#running.delete(handshake.key);
        const data = { server: this.#options.name, code, signal, last_words: lastWords };
        if (!this.#closed) this.#options.log.emit({ level: 'warn', event: 'upstream_ended', data });
        this.#events.gone(process);
      },
    });
    const initialized = initialize(connection, handshake);
    const process: ServerProcess = { handshake, connection, initialized, ready: false, lastUsed: 0 };
    const late = setTimeout(() => void connection.close(), this.#options.handshakeMs).unref();
    const ready = () => {
      process.ready = true;
      clearTimeout(late);
    };
    // Callers that wait for the handshake get its error; without a handler here, a failure without callers
    // would be unhandled.
    initialized.then(ready, () => clearTimeout(late));
    this.#running.set(handshake.key, process);
    return process;
  }

  #makeRoom(): void {
    if (this.#running.size < this.#options.maxProcesses) return;
    const idle = [...this.#running.values()].filter(({ connection }) => connection.pending.length === 0);
    const [oldest] = idle.sort((a, b) => a.lastUsed - b.lastUsed);
    if (oldest === undefined) {
      throw failure('upstream_unavailable', 'All processes of this upstream are busy', {
        hint: 'Users, and clients with different capabilities, need a process each; raise max_processes for this server.',
      });
    }
    this.#running.delete(oldest.handshake.key);
    void oldest.connection.close();
  }
}

/** Performs the handshake once, for all clients that share it. */
async function initialize(connection: Connection, handshake: Handshake): Promise<string | undefined> {
  if (handshake.initialize === undefined) return undefined;
  const request = handshake.initialize;
  const answer = await new Promise<string>((resolve, reject) => {
    const call = { idText: '0', session: undefined, acceptsEvents: false, notify: () => false };
    connection.request(request, {}, { ...call, answer: resolve, fail: reject });
  });
  const read = someAnswer(Buffer.from(answer));
  if (read === undefined) {
    // The process is unusable; the next call starts another one.
    void connection.close();
    throw failure('upstream_invalid_response', 'The upstream answered the handshake with broken JSON');
  }
  if (read.message.error === undefined) {
    connection.send(notificationText('notifications/initialized'));
  }
  return answer;
}

/**
 * A call that waits for its answer. The child gets an id of our own, because two clients may both count from
 * 1.
 */
interface PendingCall {
  /** The client's id, as written. */
  readonly idText: string;
  /** Session of the caller; the server cannot send requests to calls without one. */
  readonly session: string | undefined;
  readonly acceptsEvents: boolean;
  answer(text: string): void;
  fail(error: unknown): void;
  /**
   * Sends a notification about this call; false if it was dropped because the client does not read fast
   * enough.
   */
  notify(text: string): boolean;
}

interface ConnectionEvents {
  /** Called with a notification that names no call. */
  news(text: string): void;
  /** Called with a request of the server to a client. */
  question(question: ServerRequest): void;
  gone(end: ServerExit): void;
}

/** One child process and the calls that share it. */
export class Connection {
  readonly #child: Child;
  readonly #events: ConnectionEvents;
  readonly #pending = new Map<number, PendingCall & { tokenText: string | undefined }>();
  #lastId = 0;
  #end: ServerExit | undefined;

  constructor(options: ChildOptions, events: ConnectionEvents) {
    this.#events = events;
    this.#child = new Child(options, {
      line: (text) => this.#received(readChildMessage(text)),
      tooLong: (edges) => this.#tooLong(edges, options.maxResponseBytes),
      gone: (end) => this.#died(end),
    });
  }

  get alive(): boolean {
    return this.#child.alive;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get pending(): readonly PendingCall[] {
    return [...this.#pending.values()];
  }

  /** Sends a request under an id of our own; `call` gets the result. */
  request(text: string, params: JsonObject, call: PendingCall): { cancel(): void } {
    if (!this.alive) {
      call.fail(diedFailure(this.#end));
      return { cancel: () => {} };
    }
    this.#lastId += 1;
    const id = this.#lastId;
    const token = isJsonObject(params._meta) ? params._meta.progressToken : undefined;
    this.#pending.set(id, { ...call, tokenText: token === undefined ? undefined : JSON.stringify(token) });
    this.send(editJson(text, requestEdits(id, token !== undefined)));
    return { cancel: () => this.#cancel(id) };
  }

  /** Cancels a client's call: the server is notified, and its answer is not awaited any more. */
  abandon(idText: string, session: string | undefined): void {
    for (const [id, call] of this.#pending) {
      if (call.idText !== idText || call.session !== session) continue;
      this.#cancel(id);
      call.fail(failure('client_gone', 'The client cancelled this call'));
    }
  }

  /**
   * Sends one line to the child; whitespace between the tokens of a client's JSON may contain line breaks,
   * which are replaced.
   */
  send(text: string): void {
    this.#child.send(/[\r\n]/.test(text) ? text.replaceAll(/[\r\n]+/g, ' ') : text);
  }

  close(): Promise<void> {
    return this.#child.close();
  }

  #cancel(id: number): void {
    if (!this.#pending.delete(id)) return;
    const params = { requestId: id, reason: 'the client gave up' };
    this.send(notificationText('notifications/cancelled', params));
  }

  #received(message: ChildMessage | undefined): void {
    if (message === undefined) return;
    if (message.kind === 'request') {
      this.#events.question(message);
      return;
    }
    if (message.kind === 'notification') {
      this.#notified(message);
      return;
    }
    const call = this.#pending.get(message.id);
    if (call === undefined) return;
    this.#pending.delete(message.id);
    call.answer(withId(message, call.idText));
  }

  #notified({ params, text }: ChildMessage & { kind: 'notification' }): void {
    const token = params.progressToken;
    const byToken = typeof token === 'number' ? this.#pending.get(token) : undefined;
    if (byToken?.tokenText !== undefined) {
      const edit = { kind: 'replace', path: ['params', 'progressToken'], json: byToken.tokenText } as const;
      byToken.notify(editJson(text, [edit]));
      return;
    }
    const subscription = isJsonObject(params._meta) ? params._meta[META.subscription] : undefined;
    const subscriber = this.#pending.get(Number(subscription));
    if (subscriber === undefined) {
      this.#events.news(text);
      return;
    }
    const path = ['params', '_meta', META.subscription];
    subscriber.notify(editJson(text, [{ kind: 'replace', path, json: subscriber.idText }]));
  }

  /** Fails the call that the line would have answered, if its edges show which one; otherwise all calls. */
  #tooLong(edges: string, maxBytes: number): void {
    const error = responseTooLarge(maxBytes);
    const ids = [...edges.matchAll(/"id"\s*:\s*(\d+)/g)].map((found) => Number(found[1]));
    const known = ids.filter((id) => this.#pending.has(id));
    for (const id of known.length > 0 ? known : [...this.#pending.keys()]) {
      const call = this.#pending.get(id);
      this.#pending.delete(id);
      call?.fail(error);
    }
  }

  #died(end: ServerExit): void {
    this.#end = end;
    const calls = this.pending;
    this.#pending.clear();
    for (const call of calls) call.fail(diedFailure(end));
    this.#events.gone(end);
  }
}

function requestEdits(id: number, hasToken: boolean): JsonEdit[] {
  const edits: JsonEdit[] = [{ kind: 'replace', path: ['id'], json: String(id) }];
  if (hasToken) edits.push({ kind: 'replace', path: ['params', '_meta', 'progressToken'], json: String(id) });
  return edits;
}

function diedFailure(end: ServerExit | undefined): Error {
  const started = end?.cause === undefined;
  const message = started
    ? 'The upstream process ended before it answered'
    : 'The upstream could not be started';
  return failure('upstream_unavailable', message, {
    hint: started ? 'It is started again for the next call.' : 'Check its command in the configuration.',
    data: { exit_code: end?.code ?? null, signal: end?.signal ?? null },
    cause: end?.cause,
  });
}
