import { runInNewContext } from 'node:vm';
import { MAX_TIMER_MS } from './within.ts';

/**
 * Returns the result of `work`, or undefined once `timeoutMs` have passed. A timer cannot fire while this
 * thread works; V8's own watchdog stops it wherever it is, in a loop, a pattern or WebAssembly. Whatever
 * `work` had begun to change stays half changed.
 */
export function runWithin<Value>(work: () => Value, timeoutMs: number): Value | undefined {
  const timeout = Math.min(Math.ceil(timeoutMs), MAX_TIMER_MS);
  if (timeout < 1) return undefined;
  try {
    return runInNewContext('work()', { work }, { timeout }) as Value;
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  }
}

/** By its code: the error is made in the other context and is not an `Error` of this one. */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
