import type { Clock } from '@secateur/base/runtime/time.ts';
import { createPruner, type Pruner } from '@secateur/engine/pruner.ts';
import type { Recovery } from '@secateur/engine/recovery/recovery.ts';
import type { RedisCache } from '@secateur/engine/recovery/redis.ts';
import { deepInfraRanking, type RemoteRanking } from '@secateur/engine/remote-ranking.ts';
import { workerEngine } from '@secateur/engine/worker-engine.ts';
import type { Config } from '@secateur/serving/config/settings.ts';

export interface OpenedPruner {
  readonly pruner: Pruner;
  /** Cuts that wait for a worker. */
  waiting(): number;
  close(): Promise<void>;
}

/** The engine the settings ask for, on its worker threads. */
export async function openPruner(config: Config['pruner'], parts: PrunerDeps): Promise<OpenedPruner> {
  const engine = workerEngine();
  const shared = config.backend === 'deepinfra' ? await parts.openSharedCache() : undefined;
  const remote = config.backend === 'deepinfra' ? remoteOf(config, { ...parts, shared }) : undefined;
  const { recovery, clock } = parts;
  const { maxInputChars, structure } = config;
  const own = { recovery, clock, engine, maxInputChars, structure };
  return {
    pruner: createPruner({ ...own, ...(remote && { remote }) }),
    waiting: () => engine.waiting(),
    close: async () => {
      shared?.close();
      await engine.close();
    },
  };
}

export interface PrunerDeps {
  readonly recovery: Recovery;
  readonly clock: Clock;
  /** Whose call is in progress, where callers have names. */
  owner(): string | undefined;
  /** Opens the cache shared by processes behind one address, if any. */
  openSharedCache(): Promise<RedisCache | undefined>;
}

type RemoteDeps = Pick<PrunerDeps, 'clock' | 'owner'> & { readonly shared: RedisCache | undefined };

function remoteOf(config: Config['pruner'], { clock, owner, shared }: RemoteDeps): RemoteRanking {
  return deepInfraRanking({
    endpointUrl: config.deepinfraEndpointUrl,
    apiKey: config.deepinfraApiKey,
    timeoutMs: config.deepinfraTimeoutMs,
    maxDocuments: config.deepinfraMaxDocs,
    cache: { ttlMs: config.cacheTtlS * 1000, maxEntries: config.cacheMaxItems, owner, shared },
    clock,
  });
}
