import { METHOD_NOT_FOUND } from '@secateur/base/tools/tool.ts';
import { rpcErrorText } from '@secateur/serving/wire/protocol.ts';
import type { Handshake, ServerProcess } from './processes.ts';

/** State of a client that has initialized a stdio server. */
export interface Session {
  readonly id: string;
  readonly handshake: Handshake;
  /** Stream that the client keeps open for notifications; `undefined` if it has none. */
  stream: MessageQueue | undefined;
  /** Requests of the server that this client has not answered, by the id that the client got. `idText` is the server's id as written. */
  readonly questions: Map<string, { readonly process: ServerProcess; readonly idText: string }>;
}

const MAX_SESSIONS = 1000;

export class Sessions {
  /** Sessions in order of last use. A Map iterates in order of insertion. */
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

export function rejectServerRequest(process: ServerProcess, idText: string): void {
  const error = { code: METHOD_NOT_FOUND, message: 'No connected client can answer this' };
  process.connection.send(rpcErrorText(idText, error));
}

export interface QueuedMessage {
  readonly text: string;
  /** Whether the message is the response that the client waits for. Not set for a notification before it. */
  readonly isAnswer: boolean;
}

const MAX_WAITING = 1000;
const MAX_WAITING_CHARS = 1_048_576;

/** Messages for one client, in order. Has one reader. */
export class MessageQueue {
  readonly #waiting: QueuedMessage[] = [];
  #waitingChars = 0;
  #wake: (() => void) | undefined;
  #ended = false;
  #error: unknown;

  /** Adds a message. Returns false if it was dropped. A slow client loses notifications, but never its response. */
  push(message: QueuedMessage): boolean {
    if (this.#ended || (!message.isAnswer && this.#isFull())) return false;
    this.#waiting.push(message);
    this.#waitingChars += message.text.length;
    this.#wake?.();
    return true;
  }

  /** Ends the queue. Earlier messages can still be read. After them, `next` throws `error`, if there is one. */
  end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#wake?.();
  }

  /** Returns the next message; `undefined` after the last one. */
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
