import type { Clock } from './clock.ts';

/** A moment work must be done by. Cheap enough to ask inside a loop. */
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
