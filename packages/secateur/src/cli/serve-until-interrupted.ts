import { setTimeout } from 'node:timers/promises';
import type { HttpHost } from '@secateur/serving/wire/http-host.ts';

export interface Serving {
  readonly servers: readonly HttpHost[];
  readonly interrupted: AbortSignal;
  /** Time in which the servers still answer, unready, before they close. */
  readonly drainMs?: number;
}

/** Waits for Ctrl-C (or a stop signal), then closes the servers, the last started first. */
export async function serveUntilInterrupted({ servers, interrupted, drainMs = 0 }: Serving): Promise<void> {
  await aborted(interrupted);
  for (const server of servers) server.drain();
  if (drainMs > 0) await setTimeout(drainMs);
  for (const server of [...servers].reverse()) await server.close();
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
