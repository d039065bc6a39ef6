import { readAtMost } from '@secateur/base/runtime/bounded-reading.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { credentialsIn, publicUrl } from '@secateur/base/runtime/probe-health.ts';
import type { Pool } from 'undici';
import { failure } from '../answer.ts';
import {
  type AnswerBody,
  type ClientCall,
  type Credentials,
  headersNamed,
  isModernCall,
  type Upstream,
  type UpstreamAnswer,
} from '../client-call.ts';
import { readEvents, responseTooLarge } from '../server-events.ts';
import { HeldSessions } from './http/held-sessions.ts';

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
    // A stream may be silent for hours, so only the caller's signal limits the time.
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
