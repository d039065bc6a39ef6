import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, withDeadline } from '@secateur/base/runtime/time.ts';
import type { NewEntry } from './ledger.ts';

export interface TracesDeps {
  /** Base address of an OTLP/HTTP collector. */
  readonly endpoint: string;
  /** Headers as in `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,…`, values percent-encoded. */
  readonly headers: string | undefined;
  readonly version: string;
  readonly clock: Clock;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly fetch: typeof fetch;
}

/** Data of a span: an operation, its sizes and its result. It contains no texts. */
export interface TracedCall {
  readonly server: string;
  /** Returns the trace context of the call. Available after the message was read. */
  traceparent(): string | undefined;
  readonly requestBytes: number;
  /** Returns the HTTP status. Available after the call has ended. */
  status(): number;
}

interface Context {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** Whether the client records its trace. If not, no spans are sent. */
  readonly isSampled: boolean;
}

interface Span extends Context {
  readonly name: string;
  readonly kind: typeof SERVER_KIND | typeof INTERNAL_KIND;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
}

const MAX_WAITING = 2048;
const SEND_EVERY_MS = 2000;
const SEND_TIMEOUT_MS = 5000;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = '01';
const SAMPLED_BIT = 1;

/** Sends spans to an OTLP/HTTP collector as JSON. Calls never wait for the collector. Spans that it refuses are dropped. */
export class Traces {
  readonly #parts: TracesDeps;
  readonly #current = new AsyncLocalStorage<() => Context>();
  #waiting: Span[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: TracesDeps) {
    this.#parts = parts;
  }

  /** Runs one call inside a span that continues the client's trace. */
  async around(call: TracedCall, work: () => Promise<void>): Promise<void> {
    const context = this.#contextOf(call);
    const { clock } = this.#parts;
    const [startedAt, begun] = [clock.now(), clock.monotonic()];
    try {
      await this.#current.run(context, work);
    } finally {
      const status = call.status();
      const attributes = { 'secateur.server': call.server, 'http.response.status_code': status };
      this.#add({
        ...{ ...context(), name: `secateur ${call.server}`, kind: SERVER_KIND, startedAt },
        ...{ durationMs: clock.monotonic() - begun, isError: status >= 500 },
        attributes: { ...attributes, 'http.request.body.size': call.requestBytes },
      });
    }
  }

  /** Adds a span for a ledger entry. Its parent is the call that caused the entry. */
  record(entry: NewEntry): void {
    const call = this.#current.getStore()?.();
    if (call === undefined) return;
    const { spanId, ...parent } = call;
    const { durationMs = 0, fallback } = entry;
    this.#add({
      ...{ ...parent, parentSpanId: spanId, spanId: this.#id(8) },
      ...{ name: `secateur ${entry.kind}`, kind: INTERNAL_KIND },
      ...{ startedAt: this.#parts.clock.now() - durationMs, durationMs, isError: false },
      attributes: {
        ...{ 'secateur.system': entry.system, 'secateur.outcome': fallback ?? 'done' },
        ...{ 'secateur.tokens_before': entry.tokensBefore, 'secateur.tokens_after': entry.tokensAfter },
      },
    });
  }

  /** Sends all waiting spans. Also resolves if the collector did not accept them. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const spans = this.#waiting;
    this.#waiting = [];
    if (spans.length === 0) return;
    const url = `${this.#parts.endpoint.replace(/\/$/, '')}/v1/traces`;
    const body = JSON.stringify(payload(spans, this.#parts.version));
    const headers = { ...headersOf(this.#parts.headers), 'content-type': 'application/json' };
    const send = (signal: AbortSignal) =>
      this.#parts.fetch(url, { method: 'POST', headers, body, signal }).catch(() => undefined);
    await withDeadline({ timeoutMs: SEND_TIMEOUT_MS }, send);
  }

  /** Returns a function that determines the context when it is first called, after the message was read. */
  #contextOf(call: TracedCall): () => Context {
    const spanId = this.#id(8);
    let settled: Context | undefined;
    return () => {
      const [, traceId = this.#id(16), parentSpanId, flags = SAMPLED] =
        TRACEPARENT.exec(call.traceparent() ?? '') ?? [];
      const isSampled = (Number.parseInt(flags, 16) & SAMPLED_BIT) === SAMPLED_BIT;
      settled ??= { traceId, spanId, parentSpanId, isSampled };
      return settled;
    };
  }

  #add(span: Span): void {
    if (!span.isSampled || this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push(span);
    this.#timer ??= setTimeout(() => void this.flush(), SEND_EVERY_MS).unref();
  }

  #id(bytes: number): string {
    return Buffer.from(this.#parts.randomBytes(bytes)).toString('hex');
  }
}

const SERVER_KIND = 2;
const INTERNAL_KIND = 1;
const ERROR_CODE = 2;

/** Returns an `ExportTraceServiceRequest` as JSON. */
function payload(spans: readonly Span[], version: string): object {
  const attributes = [
    { key: 'service.name', value: { stringValue: 'secateur' } },
    { key: 'service.version', value: { stringValue: version } },
  ];
  const scopeSpans = [{ scope: { name: 'secateur', version }, spans: spans.map(spanJson) }];
  return { resourceSpans: [{ resource: { attributes }, scopeSpans }] };
}

function spanJson({ startedAt, durationMs, isError, isSampled: _, attributes, ...span }: Span): object {
  return {
    ...span,
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(startedAt + durationMs),
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(Math.round(value)) } : { stringValue: value },
    })),
    status: isError ? { code: ERROR_CODE } : {},
  };
}

/** Parses headers. Malformed ones are skipped, because wrong settings for traces must not stop a server. */
function headersOf(given = ''): Record<string, string> {
  const pairs = given.split(',').flatMap((pair): [string, string][] => {
    const [name = '', ...value] = pair.split('=');
    if (!HEADER_NAME.test(name.trim()) || value.length === 0) return [];
    try {
      return [[name.trim(), decodeURIComponent(value.join('=').trim())]];
    } catch {
      return [];
    }
  });
  return Object.fromEntries(pairs);
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}
