/** Node fires longer timers immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

const LATE = Symbol('late');

/** Resolves like `work`, or rejects once `timeoutMs` have passed. Late work goes on unobserved. */
export async function within<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  if (timeoutMs > MAX_TIMER_MS) return work;
  const done = await withinOr<Value | typeof LATE>(work, timeoutMs, LATE);
  if (done === LATE) throw new Error(`not done within ${timeoutMs} ms`);
  return done;
}

/** Resolves like `work`, or with `late` once `ms` have passed. */
export async function withinOr<Value>(work: Promise<Value>, ms: number, late: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<Value>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  return Promise.race([work, passed]).finally(() => clearTimeout(timer));
}
