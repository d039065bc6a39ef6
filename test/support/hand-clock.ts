import type { Clock } from '../../packages/base/src/runtime/time.ts';

/** A clock that moves only by `advance`. */
export function handClock(startMs = 1_700_000_000_000): Clock & { advance(ms: number): void } {
  let now = startMs;
  return {
    now: () => now,
    monotonic: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}
