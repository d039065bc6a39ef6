import type { Config } from '../config/settings.ts';
import { workerEngine } from '../pruning/engine.ts';
import { createPruner, type Pruner } from '../pruning/pruner.ts';
import { deepInfraRanking, type RemoteRanking } from '../pruning/remote-ranking.ts';
import type { Recovery } from '../recovery/recovery.ts';
import type { Clock } from '../runtime/clock.ts';

export interface OpenedPruner {
  readonly pruner: Pruner;
  /** Cuts that wait for a worker. */
  waiting(): number;
  close(): Promise<void>;
}

/** The engine the settings ask for, on its worker threads. */
export function openPruner(
  config: Config['pruner'],
  parts: { recovery: Recovery; clock: Clock },
): OpenedPruner {
  const engine = workerEngine();
  const remote = remoteOf(config, parts.clock);
  const { maxInputChars, structure } = config;
  const pruner = createPruner({ ...parts, engine, maxInputChars, structure, ...(remote && { remote }) });
  return { pruner, waiting: () => engine.waiting(), close: () => engine.close() };
}

function remoteOf(config: Config['pruner'], clock: Clock): RemoteRanking | undefined {
  if (config.backend !== 'deepinfra') return undefined;
  return deepInfraRanking({
    endpointUrl: config.deepinfraEndpointUrl,
    apiKey: config.deepinfraApiKey,
    timeoutMs: config.deepinfraTimeoutMs,
    maxDocuments: config.deepinfraMaxDocs,
    cache: { ttlMs: config.cacheTtlS * 1000, maxEntries: config.cacheMaxItems },
    clock,
  });
}
