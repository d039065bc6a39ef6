import type { Clock } from '@secateur/base/runtime/clock.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { failure } from './failure.ts';

export interface BreakerOptions {
  /** Consecutive transport failures that open the circuit. */
  readonly failures: number;
  readonly cooldownMs: number;
  readonly clock: Clock;
}

const TRANSPORT_FAILURES: ReadonlySet<string> = new Set([
  'upstream_unavailable',
  'upstream_timeout',
  'upstream_invalid_response',
  // Flooding costs us as much as stalling (X14).
  'response_too_large',
]);

/** Failure that only a working upstream can cause. */
const ANSWERS: ReadonlySet<string> = new Set(['upstream_http_error']);

/** Leaves an upstream alone that keeps failing, and lets one call at a time find out whether it is back. */
export class CircuitBreaker {
  #failures = 0;
  #openedAt: number | undefined;
  #probing = false;
  readonly #options: BreakerOptions;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** Throws `circuit_open`; otherwise the caller must report how the call went. */
  enter(): void {
    if (this.#openedAt === undefined) return;
    const retryInMs = this.#retryInMs();
    if (retryInMs > 0 || this.#probing) {
      throw failure('circuit_open', 'The upstream failed repeatedly and is left alone for a while', {
        hint: 'Check that the server is running; calls are tried again after the pause.',
        data: { retry_in_ms: Math.ceil(retryInMs) },
      });
    }
    this.#probing = true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openedAt = undefined;
    this.#probing = false;
  }

  /** Only transport failures count; a call the client gave up on says nothing about the upstream. */
  failed(error: unknown): void {
    const code = error instanceof DomainError ? error.code : '';
    if (ANSWERS.has(code)) this.succeeded();
    if (TRANSPORT_FAILURES.has(code)) this.#count();
    this.#probing = false;
  }

  state(): Record<string, unknown> {
    const failures = this.#failures;
    if (this.#openedAt === undefined) return { state: 'closed', failures };
    const retryInMs = Math.ceil(this.#retryInMs());
    if (retryInMs > 0) return { state: 'open', failures, retry_in_ms: retryInMs };
    return { state: 'half_open', failures };
  }

  #count(): void {
    this.#failures += 1;
    if (this.#probing || this.#failures >= this.#options.failures) {
      this.#openedAt = this.#options.clock.monotonic();
    }
  }

  #retryInMs(): number {
    const waited = this.#options.clock.monotonic() - (this.#openedAt ?? 0);
    return Math.max(0, this.#options.cooldownMs - waited);
  }
}
