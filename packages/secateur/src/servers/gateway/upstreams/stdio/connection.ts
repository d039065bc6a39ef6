import { editJson, type JsonEdit } from '@secateur/base/text/json-edit.ts';
import { isJsonObject, type JsonObject } from '@secateur/base/text/json-value.ts';
import { META, notificationText } from '@secateur/serving/wire/protocol.ts';
import { failure } from '../../failure.ts';
import { tooLarge } from '../../server-events.ts';
import { Child, type ChildEnd, type ChildOptions } from './child.ts';
import { type ChildMessage, type Question, readChildMessage, withId } from './child-message.ts';

/** A call that waits for its answer. The child knows it by a number of ours: two clients may both count from 1. */
export interface PendingCall {
  /** The client's own id, as written. */
  readonly idText: string;
  /** Which session asked; calls without one have no way to be asked back. */
  readonly session: string | undefined;
  readonly acceptsEvents: boolean;
  answer(text: string): void;
  fail(error: unknown): void;
  /** News about this call, while it runs; false when the client does not keep up and it was left out. */
  notify(text: string): boolean;
}

export interface ConnectionEvents {
  /** A notification that belongs to no call in particular. */
  news(text: string): void;
  /** The server asks a client something. */
  question(question: Question): void;
  gone(end: ChildEnd): void;
}

/** One child process and the calls that share it. */
export class Connection {
  readonly #child: Child;
  readonly #events: ConnectionEvents;
  readonly #pending = new Map<number, PendingCall & { tokenText: string | undefined }>();
  #lastId = 0;
  #end: ChildEnd | undefined;

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

  /** Sends a request under an id of ours; what comes of it is told to `call`. */
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

  /** A client takes a call back: its server is told, and owes no answer any more. */
  abandon(idText: string, session: string | undefined): void {
    for (const [id, call] of this.#pending) {
      if (call.idText !== idText || call.session !== session) continue;
      this.#cancel(id);
      call.fail(failure('client_gone', 'The client cancelled this call'));
    }
  }

  /** One line to the child; blanks between the tokens of a client's JSON may contain line breaks. */
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

  /** Which call the line would have answered can mostly be read off its edges; if not, none of them can be trusted. */
  #tooLong(edges: string, maxBytes: number): void {
    const error = tooLarge(maxBytes);
    const ids = [...edges.matchAll(/"id"\s*:\s*(\d+)/g)].map((found) => Number(found[1]));
    const known = ids.filter((id) => this.#pending.has(id));
    for (const id of known.length > 0 ? known : [...this.#pending.keys()]) {
      const call = this.#pending.get(id);
      this.#pending.delete(id);
      call?.fail(error);
    }
  }

  #died(end: ChildEnd): void {
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

function diedFailure(end: ChildEnd | undefined): Error {
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
