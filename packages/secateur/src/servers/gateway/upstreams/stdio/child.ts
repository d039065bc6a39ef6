import { LineReader, type LongLine } from '@secateur/base/runtime/bounded-reading.ts';
import { type GroupOptions, ProcessGroup } from '@secateur/base/runtime/process-group.ts';
import { withTimeoutOr } from '@secateur/base/runtime/time.ts';
import {
  isJsonObject,
  type JsonObject,
  memberSpans,
  parsedJson,
  type Span,
  skipBlank,
} from '@secateur/base/text/json.ts';
import { editJson, type JsonEdit } from '@secateur/base/text/json-edit.ts';
import { META, notificationText } from '@secateur/serving/wire/protocol.ts';
import { failure } from '../../answer.ts';
import { responseTooLarge } from '../../server-events.ts';

export interface ChildOptions extends Required<Omit<GroupOptions, 'stdio'>> {
  /** Maximum bytes per line. */
  readonly maxResponseBytes: number;
}

export interface ServerExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly cause: unknown;
  /** Last lines of the child's stderr, for the event log. */
  readonly lastWords: string;
}

const STDERR_KEPT = 500;
const CLOSE_STEPS_MS = 700;
/** Time in ms to read remaining output after the exit. A grandchild may keep the pipes open. */
const DRAIN_MS = 200;

/** A call that waits for its response. The child gets another id, because two clients may use the same one. */
interface PendingCall {
  /** The id as the client wrote it. */
  readonly idText: string;
  /** Session of the caller. `undefined` if it has none; the server then cannot send requests to it. */
  readonly session: string | undefined;
  readonly acceptsEvents: boolean;
  answer(text: string): void;
  fail(error: unknown): void;
  /** Sends a notification about this call. Returns false if it was dropped because the client reads too slowly. */
  notify(text: string): boolean;
}

interface ConnectionEvents {
  /** Called with a notification that does not belong to a call. */
  news(text: string): void;
  /** Called with a request that the server sends to a client. */
  question(question: ServerRequest): void;
  /** Called once, when the process has ended or could not start. */
  gone(end: ServerExit): void;
}

/** Process of an MCP server, with the processes that a wrapper such as npx starts, and the calls that share it. */
export class Connection {
  readonly #group: ProcessGroup;
  readonly #ended: Promise<void>;
  readonly #events: ConnectionEvents;
  readonly #pending = new Map<number, PendingCall & { tokenText: string | undefined }>();
  #lastId = 0;
  #lastWords = '';
  #end: ServerExit | undefined;

  constructor(options: ChildOptions, events: ConnectionEvents) {
    this.#events = events;
    this.#group = new ProcessGroup({ ...options, stdio: 'pipe' });
    const { maxResponseBytes } = options;
    const reader = new LineReader(maxResponseBytes, {
      line: (bytes) => this.#received(readChildMessage(bytes.toString())),
      tooLong: () => edgesOf((edges) => this.#tooLong(edges, maxResponseBytes)),
    });
    this.#group.stdout?.on('data', (chunk: Buffer) => reader.push(chunk));
    this.#group.stderr?.on('data', (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk.toString()).slice(-STDERR_KEPT);
    });
    // If the child ends during a write, `events.gone` reports it.
    this.#group.stdin?.on('error', () => {});
    this.#ended = this.#watch();
  }

  get pid(): number | undefined {
    return this.#group.pid;
  }

  get pending(): readonly PendingCall[] {
    return [...this.#pending.values()];
  }

  /** Sends a request under an id of the gateway. `call` gets the result. */
  request(text: string, params: JsonObject, call: PendingCall): { cancel(): void } {
    if (this.#end !== undefined) {
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

  /** Cancels a client's call: notifies the server, and ignores a later response. */
  abandon(idText: string, session: string | undefined): void {
    for (const [id, call] of this.#pending) {
      if (call.idText !== idText || call.session !== session) continue;
      this.#cancel(id);
      call.fail(failure('client_gone', 'The client cancelled this call'));
    }
  }

  /** Sends one line to the child. Line breaks between JSON tokens are replaced. */
  send(text: string): void {
    if (this.#end === undefined) this.#group.stdin?.write(`${text.replaceAll(/[\r\n]+/g, ' ')}\n`);
  }

  /** Closes stdin, then sends SIGTERM, then SIGKILL, until the process has ended. */
  async close(): Promise<void> {
    if (this.#end !== undefined) return;
    this.#group.stdin?.end();
    if (!(await this.#group.endsWithin(CLOSE_STEPS_MS))) await this.#group.stop(CLOSE_STEPS_MS);
    await this.#ended;
  }

  #cancel(id: number): void {
    if (!this.#pending.delete(id)) return;
    const params = { requestId: id, reason: 'the client gave up' };
    this.send(notificationText('notifications/cancelled', params));
  }

  #received(message: ChildMessage | undefined): void {
    if (message?.kind === 'request') this.#events.question(message);
    if (message?.kind === 'notification') this.#notified(message);
    if (message?.kind !== 'answer') return;
    const call = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    call?.answer(withId(message, call.idText));
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

  /** Fails the call to which an oversized line belongs. If neither its start nor its end contains an id, fails all calls. */
  #tooLong(edges: string, maxBytes: number): void {
    const ids = [...edges.matchAll(/"id"\s*:\s*(\d+)/g)].map((found) => Number(found[1]));
    const known = ids.filter((id) => this.#pending.has(id));
    this.#fail(known.length > 0 ? known : [...this.#pending.keys()], responseTooLarge(maxBytes));
  }

  #fail(ids: readonly number[], error: unknown): void {
    for (const id of ids) {
      const call = this.#pending.get(id);
      this.#pending.delete(id);
      call?.fail(error);
    }
  }

  async #watch(): Promise<void> {
    const end = await this.#group.ended;
    if (end.kind === 'exited') await withTimeoutOr(this.#group.closed, DRAIN_MS, undefined);
    this.#end = { code: null, signal: null, cause: undefined, ...end, lastWords: this.#lastWords };
    this.#fail([...this.#pending.keys()], diedFailure(this.#end));
    this.#events.gone(this.#end);
    // Ends processes that the main process left behind.
    await this.#group.kill();
  }
}

function requestEdits(id: number, hasToken: boolean): JsonEdit[] {
  const json = String(id);
  const edits: JsonEdit[] = [{ kind: 'replace', path: ['id'], json }];
  if (hasToken) edits.push({ kind: 'replace', path: ['params', '_meta', 'progressToken'], json });
  return edits;
}

function diedFailure({ code, signal, cause }: ServerExit): Error {
  const started = cause === undefined;
  const message = started
    ? 'The upstream process ended before it answered'
    : 'The upstream could not be started';
  return failure('upstream_unavailable', message, {
    hint: started ? 'It is started again for the next call.' : 'Check its command in the configuration.',
    data: { exit_code: code, signal },
    cause,
  });
}

const EDGE_BYTES = 512;

function edgesOf(found: (edges: string) => void): LongLine {
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  return {
    push: (piece) => {
      if (head.length < EDGE_BYTES) head = Buffer.concat([head, piece]).subarray(0, EDGE_BYTES);
      tail = Buffer.concat([tail, piece.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
    },
    end: () => found(`${head.toString()} ${tail.toString()}`),
  };
}

/** Response, request or notification of the server. Other lines on its stdout are ignored. */
type ChildMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly idSpan: Span; readonly text: string }
  | ({ readonly kind: 'request' } & ServerRequest)
  | { readonly kind: 'notification'; readonly params: JsonObject; readonly text: string };

export interface ServerRequest {
  readonly idText: string;
  readonly method: string;
  readonly text: string;
}

export function readChildMessage(text: string): ChildMessage | undefined {
  const start = skipBlank(text, 0);
  if (text[start] !== '{') return undefined;
  const spans = memberSpans(text, start);
  const idSpan = spans.get('id');
  if (spans.has('method')) return readCall(text, idSpan);
  if (idSpan === undefined || !(spans.has('result') || spans.has('error'))) return undefined;
  const id = Number(text.slice(idSpan.start, idSpan.end));
  return Number.isInteger(id) ? { kind: 'answer', id, idSpan, text } : undefined;
}

function readCall(text: string, idSpan: Span | undefined): ChildMessage | undefined {
  const message = parsedJson(text);
  if (!isJsonObject(message) || typeof message.method !== 'string') return undefined;
  const { method } = message;
  if (idSpan !== undefined) {
    return { kind: 'request', idText: text.slice(idSpan.start, idSpan.end), method, text };
  }
  return { kind: 'notification', params: isJsonObject(message.params) ? message.params : {}, text };
}

/** Returns the response with the id that the client sent. */
export function withId({ text, idSpan }: { text: string; idSpan: Span }, idText: string): string {
  return text.slice(0, idSpan.start) + idText + text.slice(idSpan.end);
}
