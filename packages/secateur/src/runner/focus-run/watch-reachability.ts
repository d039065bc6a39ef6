export interface ReachabilityWatch {
  probe: () => Promise<boolean>;
  intervalMs: number;
  maxFailures: number;
  onUnreachable: () => void;
}

/** Probes one after the other until so many fail in a row; returns how to stop. */
export function watchReachability(watch: ReachabilityWatch): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failures = 0;

  const probeOnce = async () => {
    failures = (await watch.probe()) ? 0 : failures + 1;
    if (stopped) return;
    if (failures >= watch.maxFailures) return watch.onUnreachable();
    schedule();
  };
  const schedule = () => {
    timer = setTimeout(probeOnce, watch.intervalMs);
    // A run that has ended without shutdown must not be kept alive by its watch.
    timer.unref();
  };

  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
