/** Node fires longer timers at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

const LATE = Symbol('late');

/** What `work` gives, or a rejection once `timeoutMs` have passed. Late work goes on unobserved. */
export async function within<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  if (timeoutMs > LONGEST_TIMER_MS) return work;
  const done = await withinOr<Value | typeof LATE>(work, timeoutMs, LATE);
  if (done === LATE) throw new Error(`not done within ${timeoutMs} ms`);
  return done;
}

/** What `work` gives, or `late` once `ms` have passed. */
export async function withinOr<Value>(work: Promise<Value>, ms: number, late: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<Value>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  return Promise.race([work, passed]).finally(() => clearTimeout(timer));
}
