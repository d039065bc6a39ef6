import { MAX_TIMER_MS } from './within.ts';

export interface DeadlineOptions {
  readonly timeoutMs: number;
  /** Ends the work earlier, with its own reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` with a signal that aborts after `timeoutMs` (reason: a `TimeoutError`) or when `signal` does. The timer is an
 * ordinary one, which Node keeps until it fires or the work ends: Node 20 can lose the timer of `AbortSignal.timeout` to
 * garbage collection once `AbortSignal.any` is the only one that refers to it. When the work has ended, the signal aborts
 * too, so that a response the work did not read releases its connection.
 */
export async function withDeadline<Value>(
  { timeoutMs, signal }: DeadlineOptions,
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
