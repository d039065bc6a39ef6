import type { RunningServer } from './launch.ts';

export interface Serving {
  readonly servers: readonly RunningServer[];
  /** Closed after the servers: stores, ledgers. */
  readonly parts: { close(): Promise<void> };
  readonly interrupted: AbortSignal;
}

/** Waits for Ctrl-C (or a stop signal), then closes everything, the last started first. */
export async function serveUntilInterrupted({ servers, parts, interrupted }: Serving): Promise<void> {
  await aborted(interrupted);
  for (const server of [...servers].reverse()) await server.close();
  await parts.close();
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
