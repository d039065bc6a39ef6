import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { Clock } from '@secateur/base/runtime/time.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import type { ModelFailure, ModelReason } from '../locales/messages/zh.ts';
import { type DocumentLanguage, specError } from '../locales.ts';
import type { SpecContext } from './context.ts';
import type { TokenUsage } from './document/document-text.ts';
import { systemPrompt } from './system-prompt.ts';

/** Price in US dollars per million tokens. */
export interface Price {
  input: number;
  output: number;
}

export interface Estimate {
  calls: number;
  systemTokens: number;
  inputTokens: number;
  /** Estimate from the size of each context. The actual number depends on the model. */
  outputTokens: number;
}

/** Estimates the calls for several contexts. */
export function estimateCalls(contexts: readonly SpecContext[], language: DocumentLanguage): Estimate {
  const systemTokens = estimateTokens(systemPrompt(language));
  const sum = (tokens: (context: SpecContext) => number) =>
    contexts.reduce((total, context) => total + tokens(context), 0);
  return {
    calls: contexts.length,
    systemTokens,
    inputTokens: sum(({ tokenCount }) => tokenCount + systemTokens),
    outputTokens: sum(({ tokenCount }) => Math.min(6_000, 1_200 + Math.round(tokenCount * 0.25))),
  };
}

/** Returns the maximum cost of a usage. Cache discounts are not subtracted. */
export function priceOfUsage({ input, output, cacheRead, cacheWrite }: TokenUsage, price: Price): number {
  return priceOf({ input: input + cacheRead + cacheWrite, output }, price);
}

/** Returns the price of token counts without cache discounts. */
export function priceOf({ input, output }: { input: number; output: number }, price: Price): number {
  return (input * price.input + output * price.output) / 1_000_000;
}

/** Keeps the cost of a run below its limit. Each request counts by its estimate before it is sent, and later by its usage. */
export class Spending {
  readonly #max: number;
  readonly #price: Price;
  #spent = 0;

  constructor(max: number, price: Price) {
    this.#max = max;
    this.#price = price;
  }

  /**
   * Reserves the estimated price of a request. The caller passes the actual usage to the returned function.
   * Undefined if the limit would be exceeded.
   */
  reserve(estimate: Estimate): ((usage: TokenUsage) => void) | undefined {
    const expected = priceOf({ input: estimate.inputTokens, output: estimate.outputTokens }, this.#price);
    if (this.#spent + expected > this.#max) return undefined;
    this.#spent += expected;
    return (usage) => {
      this.#spent += priceOfUsage(usage, this.#price) - expected;
    };
  }
}

const REASONS: Readonly<Record<number, ModelReason>> = {
  400: 'bad-request',
  401: 'unauthorised',
  402: 'no-credit',
  403: 'forbidden',
  404: 'not-found',
  408: 'timeout',
  413: 'too-large',
  429: 'rate-limit',
  500: 'internal-error',
  503: 'unavailable',
  504: 'gateway-timeout',
  529: 'overloaded',
};

const BILLING = /credit|billing|balance|quota|insufficient_quota|payment/i;

/**
 * Converts an error of the model service or the network by its status. The message of the service is included
 * (with secrets redacted) only for status 400, where it says what was wrong. Errors that concern all modules
 * (key, permission, billing) are `fatal`.
 */
export function apiFailure(error: unknown, service: ModelFailure['service']): DomainError {
  const { status } = (error ?? {}) as { status?: unknown };
  if (typeof status !== 'number')
    return specError('llm_failed', { service, reason: unreachable(error), fatal: false }, error);
  const words = serviceMessage(error);
  const isBilling = (status === 400 || status === 429) && BILLING.test(words);
  const other = status >= 500 ? 'server-error' : 'refused';
  const reason = isBilling ? 'no-credit' : (REASONS[status] ?? other);
  const said = status === 400 && words !== '' ? { said: words } : {};
  const fatal = isBilling || FATAL.has(status);
  return specError('llm_failed', { service, status, reason, fatal, ...said }, error);
}

const FATAL: ReadonlySet<number> = new Set([401, 402, 403]);

/** Whether all other calls would fail for the same reason. */
export function isFatal(error: unknown): boolean {
  return error instanceof DomainError && (error.data.fatal === true || error.code === 'package_missing');
}

const MAX_WORDS = 300;

function serviceMessage(error: unknown): string {
  const body = (error as { error?: unknown }).error as
    | { error?: { message?: unknown }; message?: unknown }
    | undefined;
  const message = body?.error?.message ?? body?.message ?? '';
  return typeof message === 'string' ? redactSecrets(message.replace(/\s+/g, ' ')).slice(0, MAX_WORDS) : '';
}

function unreachable(error: unknown): ModelReason {
  const kind = (error as { constructor?: { name?: string } } | undefined)?.constructor?.name ?? '';
  if (kind === 'APIConnectionTimeoutError') return 'timeout';
  const isAborted =
    kind === 'APIUserAbortError' || (error as { name?: string } | undefined)?.name === 'AbortError';
  if (isAborted) return 'cancelled';
  return kind === 'APIConnectionError' ? 'unreachable' : 'strange-answer';
}

const DEFAULT_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 300_000;
const DEFAULT_BACK_OFF_MS = 500;
/** Time in ms during which requests fail without being sent, after a rate limit lasted longer than all retries. */
const LASTING_MS = 60_000;

interface PauseParts {
  readonly clock: Clock;
  /** Rejects if the signal aborts. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  readonly maxRetries: number;
}

/**
 * Retries failed requests to one service. After a 429, all requests wait until the time in `Retry-After`,
 * because the limit is per key. If the limit outlasts the retries of one request, the others fail without
 * being sent.
 */
export class RateLimitPause {
  readonly #parts: PauseParts;
  /** Monotonic time in ms until which no request is sent. */
  #until = 0;
  #lasting: { error: unknown; until: number } | undefined;

  constructor(parts: PauseParts) {
    this.#parts = parts;
  }

  async request<Answer>(send: () => Promise<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      await this.#wait(signal);
      if (this.#isLasting()) throw this.#lasting?.error;
      try {
        return await send();
      } catch (error) {
        if (signal?.aborted === true) throw error;
        await this.#failed(error, { attempt, signal });
      }
    }
  }

  async #failed(
    error: unknown,
    { attempt, signal }: { attempt: number; signal: AbortSignal | undefined },
  ): Promise<void> {
    if (!isWorthRepeating(error)) throw error;
    const isLast = attempt >= this.#parts.maxRetries;
    const asked = retryAfterMs(error, this.#parts.clock);
    if (statusOf(error) !== 429) {
      if (isLast) throw error;
      await this.#parts.sleep(asked ?? DEFAULT_BACK_OFF_MS * 2 ** attempt, signal);
      return;
    }
    const now = this.#parts.clock.monotonic();
    if (isLast) this.#lasting = { error, until: now + LASTING_MS };
    if (isLast) throw error;
    const pauseMs = Math.min(MAX_PAUSE_MS, asked ?? DEFAULT_PAUSE_MS * 2 ** attempt);
    this.#until = Math.max(this.#until, now + pauseMs);
  }

  #isLasting(): boolean {
    return this.#lasting !== undefined && this.#parts.clock.monotonic() < this.#lasting.until;
  }

  /** Waits until the pause ends. Other requests may extend the pause meanwhile. */
  async #wait(signal: AbortSignal | undefined): Promise<void> {
    while (!this.#isLasting()) {
      const leftMs = this.#until - this.#parts.clock.monotonic();
      if (leftMs <= 0) return;
      await this.#parts.sleep(leftMs, signal);
    }
  }
}

function statusOf(error: unknown): unknown {
  return (error as { status?: unknown } | undefined)?.status;
}

/** Whether a retry may succeed. Errors about billing or permissions do not end within seconds. */
function isWorthRepeating(error: unknown): boolean {
  const status = statusOf(error);
  if (status === 429) return !/credit|billing|quota|payment/i.test(String((error as Error).message));
  if (typeof status === 'number') return status === 408 || status === 409 || status >= 500;
  return error instanceof Error && /^APIConnection/.test(error.constructor.name);
}

/** Returns the requested delay in ms: from `retry-after-ms`, or from `Retry-After` in seconds or as a date. */
function retryAfterMs(error: unknown, clock: Clock): number | undefined {
  const { headers } = (error ?? {}) as { headers?: unknown };
  if (!(headers instanceof Headers)) return undefined;
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (ms >= 0) return ms;
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}
