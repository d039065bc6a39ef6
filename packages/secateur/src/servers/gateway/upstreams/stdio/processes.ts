import type { EventLog } from '@secateur/base/runtime/event-log.ts';
import { notificationText } from '@secateur/serving/wire/protocol.ts';
import { failure, someAnswer } from '../../answer.ts';
import { type ChildOptions, Connection, type ServerRequest } from './child.ts';

/**
 * Handshake of a process, and its user. Clients of one user with the same handshake share a process, because
 * the handshake determines revision and capabilities.
 */
export interface Handshake {
  readonly key: string;
  /** Name of the token for which the process was started; `undefined` if calls need none. */
  readonly user: string | undefined;
  /** The `initialize` request; `undefined` for revisions without a handshake. */
  readonly initialize: string | undefined;
}

export interface ServerProcess {
  readonly handshake: Handshake;
  readonly connection: Connection;
  /** The server's response to the handshake, with id 0; `undefined` without a handshake. */
  readonly initialized: Promise<string | undefined>;
  /** Whether the server has responded to the handshake, so that callers need not wait for `initialized`. */
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
  /** Time limit in ms of the handshake. Above it, the process is ended and may be started again. */
  readonly handshakeMs: number;
  readonly log: EventLog;
}

/** Processes of one stdio server. They start when they are needed, also after they have ended. */
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

  /** Returns a process with this handshake. Throws `upstream_unavailable` if there are too many processes. */
  take(handshake: Handshake): ServerProcess {
    if (this.#closed) throw failure('upstream_unavailable', 'The gateway is shutting down');
    const process = this.#running.get(handshake.key) ?? this.#start(handshake);
    this.#uses += 1;
    process.lastUsed = this.#uses;
    return process;
  }

  /** Returns the process whose handshake `fits` accepts; of several, the one used last. */
  find(fits: (handshake: Handshake) => boolean): ServerProcess | undefined {
    const fitting = [...this.#running.values()].filter((process) => fits(process.handshake));
    return fitting.sort((a, b) => b.lastUsed - a.lastUsed)[0];
  }

  state(): Record<string, unknown> {
    const processes = [...this.#running.values()].map(({ connection: { pid, pending } }) => {
      return { pid, in_flight: pending.length };
    });
    return { processes, starts: this.#starts };
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
    // Callers get the error of the handshake. If there are no callers, the rejection must not be unhandled.
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

/** Performs the handshake. All clients with the same handshake use its result. */
async function initialize(connection: Connection, handshake: Handshake): Promise<string | undefined> {
  if (handshake.initialize === undefined) return undefined;
  const request = handshake.initialize;
  const answer = await new Promise<string>((resolve, reject) => {
    const call = { idText: '0', session: undefined, acceptsEvents: false, notify: () => false };
    connection.request(request, {}, { ...call, answer: resolve, fail: reject });
  });
  const read = someAnswer(Buffer.from(answer));
  if (read === undefined) {
    // The process cannot be used any more. The next call starts another one.
    void connection.close();
    throw failure('upstream_invalid_response', 'The upstream answered the handshake with broken JSON');
  }
  if (read.message.error === undefined) {
    connection.send(notificationText('notifications/initialized'));
  }
  return answer;
}
