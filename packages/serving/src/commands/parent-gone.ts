const LOOK_EVERY_MS = 250;

/** Aborts when the process that started this one has ended, from the moment of the call on. */
export function parentGone(): AbortSignal {
  const parent = process.ppid;
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    controller.abort();
  }, LOOK_EVERY_MS);
  timer.unref();
  return controller.signal;
}
