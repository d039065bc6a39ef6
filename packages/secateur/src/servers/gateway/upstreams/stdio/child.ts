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

export interface ChildOptions extends Required<Omit<GroupOptions, 'stdio'>> {
  /** Maximum bytes per line. */
  readonly maxResponseBytes: number;
}

export interface ChildEvents {
  line(text: string): void;
  /**
   * Called when a line beyond the limit was discarded. Its first and last bytes may show which call it
   * answers.
   */
  tooLong(edges: string): void;
  /** Called once, when the process has ended or could not be started. */
  gone(reason: ServerExit): void;
}

export interface ServerExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly cause: unknown;
  /** The end of its stderr, for the event log. */
  readonly lastWords: string;
}

const STDERR_KEPT = 500;
const CLOSE_STEPS_MS = 700;
/**
 * Time in ms to read the rest of the output: a grandchild may keep the pipes open after the server has ended.
 */
const DRAIN_MS = 200;

/** One MCP server process, including processes that a wrapper such as npx started for it. */
export class Child {
  readonly #group: ProcessGroup;
  readonly #ended: Promise<void>;
  #lastWords = '';
  #gone = false;

  constructor(options: ChildOptions, events: ChildEvents) {
    this.#group = new ProcessGroup({ ...options, stdio: 'pipe' });
    const reader = new LineReader(options.maxResponseBytes, {
      line: (bytes) => events.line(bytes.toString()),
      tooLong: () => edgesOf((edges) => events.tooLong(edges)),
    });
    this.#group.stdout?.on('data', (chunk: Buffer) => reader.push(chunk));
    this.#group.stderr?.on('data', (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk.toString()).slice(-STDERR_KEPT);
    });
    // `events.gone` reports a child that ends while it is written to.
    this.#group.stdin?.on('error', () => {});
    this.#ended = this.#watch(events);
  }

  get pid(): number | undefined {
    return this.#group.pid;
  }

  get alive(): boolean {
    return !this.#gone;
  }

  send(text: string): void {
    if (!this.#gone) this.#group.stdin?.write(`${text}\n`);
  }

  /** Closes stdin, then sends SIGTERM, then SIGKILL, each if the process has not ended in time. */
  async close(): Promise<void> {
    if (this.#gone) return;
    this.#group.stdin?.end();
    if (!(await this.#group.endsWithin(CLOSE_STEPS_MS))) await this.#group.stop(CLOSE_STEPS_MS);
    await this.#ended;
  }

  async #watch(events: ChildEvents): Promise<void> {
    const end = await this.#group.ended;
    if (end.kind === 'exited') await withTimeoutOr(this.#group.closed, DRAIN_MS, undefined);
    this.#gone = true;
    events.gone({ ...NOT_STARTED, ...end, lastWords: this.#lastWords });
    // Ends processes that the leader left behind.
    await this.#group.kill();
  }
}

const NOT_STARTED = { code: null, signal: null, cause: undefined };

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

/** A server's response, request or notification; anything else on its stdout is ignored. */
export type ChildMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly idSpan: Span; readonly text: string }
  | ({ readonly kind: 'request' } & ServerRequest)
  | { readonly kind: 'notification'; readonly params: JsonObject; readonly text: string };

/** A request of a server to a client. */
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

/** Returns the answer with the id that the client gave. */
export function withId({ text, idSpan }: { text: string; idSpan: Span }, idText: string): string {
  return text.slice(0, idSpan.start) + idText + text.slice(idSpan.end);
}
