import { METHOD_NOT_FOUND } from '@secateur/base/tools/tool.ts';
import { rpcErrorText } from '@secateur/serving/wire/protocol.ts';
import type { Handshake, ServerProcess } from './processes.ts';

/** State of a client that has initialized a stdio server. */
export interface Session {
  readonly id: string;
  readonly handshake: Handshake;
  /** The stream the client keeps open for news, while it does. */
  stream: MessageQueue | undefined;
  /** Questions of the server this client has yet to answer, by the id it was given for them. */
  readonly questions: Map<string, OpenQuestion>;
}

export interface OpenQuestion {
  readonly process: ServerProcess;
  /** The server's own id, as written. */
  readonly idText: string;
}

const MAX_SESSIONS = 1000;

export class Sessions {
  /** In order of last use: a Map iterates in insertion order. */
  readonly #sessions = new Map<string, Session>();
  readonly #newId: () => string;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  open(handshake: Handshake): Session {
    const session: Session = { id: this.#newId(), handshake, stream: undefined, questions: new Map() };
    this.#sessions.set(session.id, session);
    if (this.#sessions.size > MAX_SESSIONS) {
      const [oldest] = this.#sessions.values();
      if (oldest !== undefined) this.end(oldest);
    }
    return session;
  }

  use(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  get(id: string | undefined): Session | undefined {
    return id === undefined ? undefined : this.#sessions.get(id);
  }

  sharing({ key }: Handshake): Session[] {
    return [...this.#sessions.values()].filter(({ handshake }) => handshake.key === key);
  }

  end(session: Session): void {
    this.#sessions.delete(session.id);
    session.stream?.end();
    for (const { process, idText } of session.questions.values()) rejectServerRequest(process, idText);
    session.questions.clear();
  }

  get size(): number {
    return this.#sessions.size;
  }

  closeAll(): void {
    for (const session of this.#sessions.values()) session.stream?.end();
    this.#sessions.clear();
  }
}

/** Rejects a server's request that no client will answer. */
export function rejectServerRequest(process: ServerProcess, idText: string): void {
  const error = { code: METHOD_NOT_FOUND, message: 'No connected client can answer this' };
  process.connection.send(rpcErrorText(idText, error));
}

export interface QueuedMessage {
  readonly text: string;
  /** Is it the answer the client waits for? Otherwise it is news on the way there. */
  readonly isAnswer: boolean;
}

const MAX_WAITING = 1000;
const MAX_WAITING_CHARS = 1_048_576;

/** Messages on their way to one client, read in order by one reader. */
export class MessageQueue {
  readonly #waiting: QueuedMessage[] = [];
  #waitingChars = 0;
  #wake: (() => void) | undefined;
  #ended = false;
  #error: unknown;

  /** False when the message was left out: a client that does not read loses news, never its answer. */
  push(message: QueuedMessage): boolean {
    if (this.#ended || (!message.isAnswer && this.#isFull())) return false;
    this.#waiting.push(message);
    this.#waitingChars += message.text.length;
    this.#wake?.();
    return true;
  }

  /** Ends the queue. Earlier items are still read; with an error, reading throws at the end. */
  end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#wake?.();
  }

  /** The next message; `undefined` after the last. */
  async next(): Promise<QueuedMessage | undefined> {
    for (;;) {
      const message = this.#waiting.shift();
      if (message !== undefined) {
        this.#waitingChars -= message.text.length;
        return message;
      }
      if (this.#ended && this.#error !== undefined) throw this.#error;
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING || this.#waitingChars >= MAX_WAITING_CHARS;
  }
}
