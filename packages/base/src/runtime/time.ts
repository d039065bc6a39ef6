import { runInNewContext } from 'node:vm';

/** Source of time; injected, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch, for timestamps and expiry. */
  now(): number;
  /** Milliseconds that never decrease, for durations and deadlines. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** Maximum delay of a timer in ms. Node fires longer timers immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

const LATE = Symbol('late');

/** Resolves like `work`, or rejects after `timeoutMs`. Late work continues, and its result is ignored. */
export async function withTimeout<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  if (timeoutMs > MAX_TIMER_MS) return work;
  const done = await withTimeoutOr<Value | typeof LATE>(work, timeoutMs, LATE);
  if (done === LATE) throw new Error(`not done within ${timeoutMs} ms`);
  return done;
}

/** Resolves like `work`, or with `late` after `ms`. */
export async function withTimeoutOr<Value>(work: Promise<Value>, ms: number, late: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<Value>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  return Promise.race([work, passed]).finally(() => clearTimeout(timer));
}

/** Point in time by which work must be done. Checking it is cheap enough for inner loops. */
export interface Deadline {
  remainingMs(): number;
  passed(): boolean;
}

export function deadlineIn(timeoutMs: number, clock: Clock): Deadline {
  const end = clock.monotonic() + timeoutMs;
  return {
    remainingMs: () => Math.max(0, end - clock.monotonic()),
    passed: () => clock.monotonic() >= end,
  };
}

export const noDeadline: Deadline = { remainingMs: () => Number.POSITIVE_INFINITY, passed: () => false };

/**
 * Runs `work` with a signal that aborts after `timeoutMs` (reason: a `TimeoutError`) or together with
 * `signal` (same reason). It also aborts when the work has ended, so that an unread response releases its
 * connection. The timer is an ordinary one, because in Node 20 the timer of `AbortSignal.timeout` can be lost
 * to garbage collection inside `AbortSignal.any`.
 */
export async function withDeadline<Value>(
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const follow = () => controller.abort(signal?.reason);
  const expire = () =>
    controller.abort(new DOMException(`not finished within ${timeoutMs} ms`, 'TimeoutError'));
  if (signal?.aborted) follow();
  signal?.addEventListener('abort', follow, { once: true });
  const timer = setTimeout(expire, Math.min(timeoutMs, MAX_TIMER_MS));
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', follow);
    controller.abort();
  }
}

/**
 * Returns the result of `work`, or `undefined` after `timeoutMs`. A timer cannot fire while synchronous code
 * runs, so V8's watchdog stops the code: in a loop, a pattern or WebAssembly. Changes that the code had begun
 * remain incomplete.
 */
export function runSyncWithTimeout<Value>(work: () => Value, timeoutMs: number): Value | undefined {
  const timeout = Math.min(Math.ceil(timeoutMs), MAX_TIMER_MS);
  if (timeout < 1) return undefined;
  try {
    return runInNewContext('work()', { work }, { timeout }) as Value;
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  }
}

/** Recognises a timeout by its code. The error comes from another V8 context, so `instanceof Error` is false. */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
