import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { readAtMost } from '@secateur/base/runtime/read-at-most.ts';
import type { Pool } from 'undici';
import { credentialsIn, publicUrl } from '../../url-credentials.ts';
import { type ClientCall, headersNamed, isModernCall } from '../client-call.ts';
import type { Credentials } from '../credentials.ts';
import { failure } from '../failure.ts';
import { readEvents, tooLarge } from '../server-events.ts';
import type { AnswerBody, Upstream, UpstreamAnswer } from '../upstream.ts';
import { HeldSessions } from './http/held-session.ts';

export interface HttpUpstreamOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Asked with each call; they win over `headers`. */
  readonly credentials?: Credentials | undefined;
  readonly connectTimeoutMs: number;
  readonly maxResponseBytes: number;
}

/**
 * Plain JSON-RPC over HTTP and Streamable HTTP: the client's bytes go to the one configured address over connections
 * that are kept. Redirects are answers like any other here, never followed.
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

/** A caller that knows nothing of sessions, in a revision that has them. */
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
  /** Headers from the configuration; they win over the client's. */
  readonly #own: Record<string, string>;

  constructor(options: HttpUpstreamOptions) {
    const url = new URL(options.url);
    this.#options = options;
    this.#path = url.pathname + url.search;
    this.#own = { ...credentialsIn(url), ...lowerCase(options.headers) };
  }

  /** A refused call is tried once more where there are new credentials to try. */
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
      const response = await pool.request({
        method: verb,
        path: this.#path,
        headers: { ...this.#headers(call), ...this.#own, ...lowerCase(secret) },
        body: verb === 'POST' ? body : null,
        signal,
      });
      const headers = headersNamed(PASSED_BACK, response.headers);
      return { status: response.statusCode, headers, body: await this.#body(response.body, headers, call) };
    } catch (error) {
      throw transportFailure(error, call, this.#options);
    }
  }

  #headers({ verb, headers, acceptsEvents }: ClientCall): Record<string, string> {
    if (verb !== 'POST') return headers;
    // Streamable HTTP servers refuse clients that do not take both; what this client wants is settled on the way back.
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
    if (bytes === undefined) throw tooLarge(limits.maxBytes);
    return { kind: 'bytes', bytes };
  }

  async close(): Promise<void> {
    await (await this.#pool)?.destroy();
  }
}

/** The HTTP client is loaded with the first call: a gateway is up before it is. */
async function openPool({ url, connectTimeoutMs }: HttpUpstreamOptions): Promise<Pool> {
  const undici = await import('undici');
  return new undici.Pool(new URL(url).origin, {
    connect: { timeout: connectTimeoutMs },
    // Time limits are the caller's signal; a stream may be silent for hours.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Below the five seconds after which common servers close idle connections without a word.
    keepAliveTimeout: 4000,
  });
}

function lowerCase(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

const PASSED_BACK: ReadonlySet<string> = new Set([
  'content-type',
  'allow',
  'retry-after',
  'www-authenticate',
]);

/** The stream, read on only as far as what was read may be held: a wait slows the upstream down. */
async function* holding(stream: AsyncIterable<Buffer>, hold: ClientCall['hold']): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    await hold?.(size);
    yield chunk;
  }
}

/** The stream, with a break in it told in the gateway's own words. */
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
