import type { Clock } from '@secateur/base/runtime/clock.ts';

const DEFAULT_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 300_000;
const DEFAULT_BACK_OFF_MS = 500;
/** How long requests fail without being sent after a limit outlasted the retries. */
const LASTING_MS = 60_000;

/** Resolves after so many milliseconds; rejects if the signal aborts. */
type Sleep = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

interface PauseParts {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly maxRetries: number;
}

/**
 * Repeats failed requests of one service. A 429 stops all requests until the moment that `Retry-After` names: the limit
 * belongs to the key, not to one request. If the limit outlasts the retries of one request, the others fail without being sent.
 */
export class RateLimitPause {
  readonly #clock: Clock;
  readonly #sleep: Sleep;
  readonly #maxRetries: number;
  /** On the clock's monotonic scale. */
  #until = 0;
  #lasting: { error: unknown; until: number } | undefined;

  constructor({ clock, sleep, maxRetries }: PauseParts) {
    this.#clock = clock;
    this.#sleep = sleep;
    this.#maxRetries = maxRetries;
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
    const isLast = attempt >= this.#maxRetries;
    const asked = retryAfterMs(error, this.#clock);
    if (statusOf(error) !== 429) {
      if (isLast) throw error;
      await this.#sleep(asked ?? DEFAULT_BACK_OFF_MS * 2 ** attempt, signal);
      return;
    }
    const now = this.#clock.monotonic();
    if (isLast) this.#lasting = { error, until: now + LASTING_MS };
    if (isLast) throw error;
    const pauseMs = Math.min(MAX_PAUSE_MS, asked ?? DEFAULT_PAUSE_MS * 2 ** attempt);
    this.#until = Math.max(this.#until, now + pauseMs);
  }

  #isLasting(): boolean {
    return this.#lasting !== undefined && this.#clock.monotonic() < this.#lasting.until;
  }

  /** Another request may have made the pause longer meanwhile. */
  async #wait(signal: AbortSignal | undefined): Promise<void> {
    while (!this.#isLasting()) {
      const leftMs = this.#until - this.#clock.monotonic();
      if (leftMs <= 0) return;
      await this.#sleep(leftMs, signal);
    }
  }
}

function statusOf(error: unknown): unknown {
  return (error as { status?: unknown } | undefined)?.status;
}

/** Money and rights do not come back within seconds. */
function isWorthRepeating(error: unknown): boolean {
  const status = statusOf(error);
  if (status === 429) return !/credit|billing|quota|payment/i.test(String((error as Error).message));
  if (typeof status === 'number') return status === 408 || status === 409 || status >= 500;
  return error instanceof Error && /^APIConnection/.test(error.constructor.name);
}

/** `Retry-After` in seconds or as a date, or `retry-after-ms`. */
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
