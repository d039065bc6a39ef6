import { AsyncLocalStorage } from 'node:async_hooks';
import { readAtMost } from '@secateur/base/runtime/bounded-reading.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { credentialsIn, publicUrl } from '@secateur/base/runtime/probe-health.ts';
import { withDeadline } from '@secateur/base/runtime/time.ts';
import { isJsonObject, type JsonObject, parsedJson } from '@secateur/base/text/json.ts';
import { INVALID_REQUEST, SESSION_NOT_FOUND } from '@secateur/base/tools/tool.ts';
import { initializeText, NEWEST_LEGACY, notificationText } from '@secateur/serving/wire/protocol.ts';
import type { Pool } from 'undici';
import { failure, someAnswer } from '../answer.ts';
import {
  type AnswerBody,
  type ClientCall,
  type Credentials,
  headersNamed,
  isModernCall,
  type Upstream,
  type UpstreamAnswer,
} from '../client-call.ts';
import { eventData, readEvents, responseTooLarge, type ServerEvent } from '../server-events.ts';

export interface HttpUpstreamOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Credentials for each call. They have priority over `headers`. */
  readonly credentials?: Credentials | undefined;
  readonly connectTimeoutMs: number;
  readonly maxResponseBytes: number;
}

/**
 * Opens an upstream with JSON-RPC over HTTP or Streamable HTTP. Sends the client's bytes to the configured
 * address over persistent connections. Redirects are returned and never followed.
 */
export function httpUpstream(options: HttpUpstreamOptions): Upstream {
  const client = new HttpClient(options);
  const sessions = new HeldSessions((call) => client.send(call));
  return {
    call: (call) => (wantsSession(call) ? sessions.call(call) : client.send(call)),
    state: () => ({ kind: 'http', url: publicUrl(options.url), ...sessions.state() }),
    close: async () => {
      await sessions.close();
      await client.close();
    },
  };
}

/** Whether a call without a session belongs to a protocol revision with sessions. */
function wantsSession(call: ClientCall): boolean {
  if (call.verb !== 'POST' || call.headers['mcp-session-id'] !== undefined) return false;
  if (call.message.kind !== 'request' || call.message.method === 'initialize') return false;
  return !isModernCall(call);
}

const BOTH = 'application/json, text/event-stream';

class HttpClient {
  #pool: Promise<Pool> | undefined;
  readonly #path: string;
  readonly #options: HttpUpstreamOptions;
  /** Headers from the configuration. They have priority over headers of the client. */
  readonly #own: Record<string, string>;

  constructor(options: HttpUpstreamOptions) {
    const url = new URL(options.url);
    this.#options = options;
    this.#path = url.pathname + url.search;
    this.#own = { ...credentialsIn(url), ...lowerCase(options.headers) };
  }

  /** Sends a call. If the upstream refuses it and there are new credentials, sends it once more. */
  async send(call: ClientCall): Promise<UpstreamAnswer> {
    const { credentials } = this.#options;
    if (credentials === undefined) return this.#sendOnce(call, {});
    const secret = await credentials.headers();
    const answer = await this.#sendOnce(call, secret);
    if (answer.status !== 401) return answer;
    const isRenewed = await credentials.renew(secret);
    const last = isRenewed ? await this.#sendOnce(call, await credentials.headers()) : answer;
    const refusal = last.status === 401 ? credentials.refusal?.() : undefined;
    if (refusal !== undefined) throw refusal;
    return last;
  }

  async #sendOnce(call: ClientCall, secret: Readonly<Record<string, string>>): Promise<UpstreamAnswer> {
    const { verb, body, signal } = call;
    try {
      this.#pool ??= openPool(this.#options);
      const pool = await this.#pool;
      const sent = { ...this.#headers(call), ...this.#own, ...lowerCase(secret) };
      const content = { headers: sent, body: verb === 'POST' ? body : null };
      const response = await pool.request({ method: verb, path: this.#path, ...content, signal });
      const headers = headersNamed(PASSED_BACK, response.headers);
      return { status: response.statusCode, headers, body: await this.#body(response.body, headers, call) };
    } catch (error) {
      throw transportFailure(error, call, this.#options);
    }
  }

  #headers({ verb, headers, acceptsEvents }: ClientCall): Record<string, string> {
    if (verb !== 'POST') return headers;
    // Streamable HTTP servers require that both content types are accepted. The response is converted for the
    // client.
    return { ...headers, 'content-type': 'application/json', ...(acceptsEvents ? {} : { accept: BOTH }) };
  }

  async #body(
    stream: AsyncIterable<Buffer>,
    headers: Record<string, string>,
    { signal, hold }: ClientCall,
  ): Promise<AnswerBody> {
    const limits = { maxBytes: this.#options.maxResponseBytes, hold };
    const chunks = unbroken(stream, signal);
    if (headers['content-type']?.toLowerCase().startsWith('text/event-stream'))
      return { kind: 'events', events: readEvents(chunks, limits) };
    const bytes = await readAtMost(holding(chunks, hold), limits.maxBytes);
    if (bytes === undefined) throw responseTooLarge(limits.maxBytes);
    return { kind: 'bytes', bytes };
  }

  async close(): Promise<void> {
    await (await this.#pool)?.destroy();
  }
}

/** Loads the HTTP client on the first call, so that the gateway starts faster. */
async function openPool({ url, connectTimeoutMs }: HttpUpstreamOptions): Promise<Pool> {
  const undici = await import('undici');
  return new undici.Pool(new URL(url).origin, {
    connect: { timeout: connectTimeoutMs },
    // The caller's signal limits the time. A stream may be silent for hours.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Common servers close idle connections after five seconds without notice, so this is shorter.
    keepAliveTimeout: 4000,
  });
}

function lowerCase(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

const PASSED_BACK = new Set('content-type allow retry-after www-authenticate'.split(' '));

/** Yields the stream. Reads more only if memory allows it, so that the upstream becomes slower. */
async function* holding(stream: AsyncIterable<Buffer>, hold: ClientCall['hold']): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    await hold?.(size);
    yield chunk;
  }
}

/** Yields the stream. A broken connection becomes an error of the gateway. */
async function* unbroken(stream: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw failure('upstream_unavailable', 'The upstream broke off in the middle of its answer', { cause });
  }
}

function transportFailure(error: unknown, { signal }: ClientCall, options: HttpUpstreamOptions): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof DomainError) return error;
  const { code, name } = error as { code?: string; name?: string };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    const message = `The upstream accepted no connection within ${options.connectTimeoutMs} ms`;
    return failure('upstream_timeout', message, { cause: error });
  }
  if (name === 'HTTPParserError') {
    return failure('upstream_invalid_response', 'The upstream does not speak HTTP', { cause: error });
  }
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') {
    const message = 'The upstream closed the connection without an answer';
    return failure('upstream_unavailable', message, { cause: error });
  }
  const hint = 'Check that the server is running and that its url in the configuration is right.';
  return failure('upstream_unavailable', 'The upstream cannot be reached', { hint, cause: error });
}

type Send = (call: ClientCall) => Promise<UpstreamAnswer>;

const HANDSHAKE_MS = 10_000;
const CLOSE_GRACE_MS = 500;

interface OpenSession {
  readonly id: string;
  readonly protocolVersion: string;
}

/** Sessions for callers that have none. Each user has one, because it may contain state of the user. */
export class HeldSessions {
  readonly #byUser = new Map<string | undefined, HeldSession>();
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  call(call: ClientCall): Promise<UpstreamAnswer> {
    const session = this.#byUser.get(call.user) ?? new HeldSession(this.#send);
    this.#byUser.set(call.user, session);
    return session.call(call);
  }

  state(): Record<string, unknown> {
    const isHeld = [...this.#byUser.values()].some((session) => session.isHeld);
    return { session: isHeld ? 'held' : 'none' };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#byUser.values()].map((session) => session.close()));
  }
}

/**
 * A session for callers without one, if the upstream requires it. The upstream shows this by refusing the
 * first call. That call was not executed and is sent again.
 */
export class HeldSession {
  #session: OpenSession | undefined;
  /** Runs work with the credentials of the user for whom the session was opened. */
  #asOwner: ReturnType<typeof AsyncLocalStorage.snapshot> | undefined;
  #opening: Promise<OpenSession | undefined> | undefined;
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async call(call: ClientCall): Promise<UpstreamAnswer> {
    const used = this.#session;
    const answer = await this.#send(used === undefined ? call : within(used, call));
    if (!lacksSession(answer)) return answer;
    if (this.#session === used) this.#session = undefined;
    const fresh = await this.#open().catch(() => undefined);
    return fresh === undefined ? answer : this.#send(within(fresh, call));
  }

  get isHeld(): boolean {
    return this.#session !== undefined;
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) return;
    const headers = { 'mcp-session-id': session.id, 'mcp-protocol-version': session.protocolVersion };
    const farewell = { verb: 'DELETE', headers, body: Buffer.alloc(0), message: { kind: 'none' } } as const;
    const end = (signal: AbortSignal) =>
      this.#send({ ...farewell, acceptsEvents: false, signal }).catch(() => undefined);
    const asOwner = this.#asOwner ?? ((work: () => Promise<unknown>) => work());
    await asOwner(() => withDeadline({ timeoutMs: CLOSE_GRACE_MS }, end));
  }

  /** Opens the session. Concurrent callers share the handshake. */
  #open(): Promise<OpenSession | undefined> {
    if (this.#session !== undefined) return Promise.resolve(this.#session);
    this.#opening ??= withDeadline({ timeoutMs: HANDSHAKE_MS }, (signal) => this.#handshake(signal)).finally(
      () => {
        this.#opening = undefined;
      },
    );
    return this.#opening;
  }

  async #handshake(signal: AbortSignal): Promise<OpenSession | undefined> {
    const opened = await this.#send(posted(INITIALIZE, signal));
    const id = opened.headers['mcp-session-id'];
    if (id === undefined) return undefined;
    const session = { id, protocolVersion: await negotiatedVersion(opened) };
    await this.#send(within(session, posted(INITIALIZED, signal)));
    this.#session = session;
    this.#asOwner = AsyncLocalStorage.snapshot();
    return session;
  }
}

/** Error codes by which servers of the SDKs report a missing or unknown session. */
const SESSION_CODES: ReadonlySet<unknown> = new Set([-32000, SESSION_NOT_FOUND, INVALID_REQUEST]);

/** Whether the upstream refused a call without executing it. Only such calls are sent twice. */
function lacksSession({ status, body }: UpstreamAnswer): boolean {
  if ((status !== 400 && status !== 404) || body.kind !== 'bytes') return false;
  const message = parsedJson(body.bytes.toString());
  if (!isJsonObject(message) || !isJsonObject(message.error)) return true;
  return message.id === undefined || message.id === null || SESSION_CODES.has(message.error.code);
}

const INITIALIZE = initializeText('secateur-gateway');
const INITIALIZED = notificationText('notifications/initialized');

/** Creates a call for a message of the gateway itself. No single caller can abort it, because several may wait for it. */
function posted(message: string, signal: AbortSignal): ClientCall {
  const body = Buffer.from(message);
  return { verb: 'POST', headers: {}, body, message: { kind: 'none' }, acceptsEvents: false, signal };
}

function within({ id, protocolVersion }: OpenSession, call: ClientCall): ClientCall {
  const headers = { 'mcp-protocol-version': protocolVersion, ...call.headers, 'mcp-session-id': id };
  return { ...call, headers };
}

async function negotiatedVersion({ body }: UpstreamAnswer): Promise<string> {
  const message = body.kind === 'bytes' ? parsedJson(body.bytes.toString()) : await firstAnswer(body.events);
  const result = isJsonObject(message) ? message.result : undefined;
  const version = isJsonObject(result) ? result.protocolVersion : undefined;
  return typeof version === 'string' ? version : NEWEST_LEGACY;
}

/** Returns the first response. A server may send log notifications before it. */
async function firstAnswer(events: AsyncIterable<ServerEvent>): Promise<JsonObject> {
  for await (const event of events) {
    const answer = someAnswer(eventData(event));
    if (answer !== undefined) return answer.message;
  }
  throw failure('upstream_invalid_response', 'The upstream opened a session without an answer');
}
