/** Source of time; injected, so that tests move it by hand. */
export interface Clock {
  /** Milliseconds since the epoch: for stamps and expiry. */
  now(): number;
  /** Milliseconds that only grow: for durations and deadlines. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
