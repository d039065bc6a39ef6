import type { Clock } from '@secateur/base/runtime/clock.ts';
import type { TokenGrant } from '../token-file.ts';

/** Adds to a counter that starts at nothing each minute, and tells what it is now. */
export interface CallMeter {
  add(counter: string, amount: number): Promise<number>;
  close?(): void;
}

/** Why a call is not taken now, and in how many seconds it may be. */
export interface Refusal {
  readonly message: string;
  readonly retryAfterS: number;
}

const MINUTE_MS = 60_000;

/** Holds each token to its calls and bytes a minute and to its calls at once. */
export class CallLimits {
  readonly #clock: Clock;
  readonly #shared: CallMeter | undefined;
  readonly #own: CallMeter;
  readonly #running = new Map<string, number>();

  constructor(clock: Clock, meter: CallMeter | undefined) {
    this.#clock = clock;
    this.#shared = meter;
    this.#own = minuteCounters();
  }

  async admit(grant: TokenGrant, bytes: number): Promise<Refusal | undefined> {
    const running = this.#running.get(grant.sha256) ?? 0;
    if (running >= (grant.concurrentCalls ?? Number.POSITIVE_INFINITY)) {
      return { message: `The token ${grant.name} has ${running} calls running already`, retryAfterS: 1 };
    }
    // Counted before anything is waited for: calls that arrive together must not all pass.
    this.#running.set(grant.sha256, running + 1);
    const refusal = await this.#overMinute(grant, bytes);
    if (refusal !== undefined) this.release(grant);
    return refusal;
  }

  release({ sha256 }: TokenGrant): void {
    const running = (this.#running.get(sha256) ?? 1) - 1;
    if (running > 0) this.#running.set(sha256, running);
    else this.#running.delete(sha256);
  }

  async #overMinute(grant: TokenGrant, bytes: number): Promise<Refusal | undefined> {
    const { name, callsPerMinute, bytesPerMinute } = grant;
    const retryAfterS = Math.ceil((MINUTE_MS - (this.#clock.now() % MINUTE_MS)) / 1000);
    if (callsPerMinute !== undefined && (await this.#add(name, 'calls', 1)) > callsPerMinute) {
      return { message: `The token ${name} may make ${callsPerMinute} calls a minute`, retryAfterS };
    }
    if (bytesPerMinute !== undefined && (await this.#add(name, 'bytes', bytes)) > bytesPerMinute) {
      return { message: `The token ${name} may send ${bytesPerMinute} bytes a minute`, retryAfterS };
    }
    return undefined;
  }

  /** A shared meter that does not answer is no reason to turn anybody away, nor to let everybody pass. */
  async #add(name: string, what: string, amount: number): Promise<number> {
    const counter = `${name}:${what}:${Math.floor(this.#clock.now() / MINUTE_MS)}`;
    const own = await this.#own.add(counter, amount);
    return (await this.#shared?.add(counter, amount).catch(() => own)) ?? own;
  }
}

/** Counters of this process; those of past minutes are forgotten. */
function minuteCounters(): CallMeter {
  const counts = new Map<string, number>();
  return {
    add: async (counter, amount) => {
      const minute = counter.slice(counter.lastIndexOf(':'));
      for (const each of counts.keys()) if (!each.endsWith(minute)) counts.delete(each);
      const count = (counts.get(counter) ?? 0) + amount;
      counts.set(counter, count);
      return count;
    },
  };
}
