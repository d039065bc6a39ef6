import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { EventLog } from '@secateur/base/runtime/event-log.ts';
import { type Clock, systemClock } from '@secateur/base/runtime/time.ts';
import { createPruner } from '@secateur/engine/pruner.ts';
import { deepInfraRanking } from '@secateur/engine/ranking/deepinfra.ts';
import { openStore, type StoreOptions } from '@secateur/engine/recovery/open-store.ts';
import { createRecovery, type Recovery } from '@secateur/engine/recovery/recovery.ts';
import type { RedisCache } from '@secateur/engine/recovery/redis.ts';
import { ownedStore, type RecoveryStore } from '@secateur/engine/recovery/store.ts';
import { workerEngine } from '@secateur/engine/worker-engine.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import { fileLedger, type Ledger, noLedger } from '../savings/ledger.ts';

export type StoresConfig = Pick<Config, 'recovery' | 'audit'>;

interface RecoveryHooks extends Pick<StoreOptions, 'onSetAside' | 'sweepEveryMs'> {
  /** Returns the owner of the current call; `undefined` if calls have no owners. */
  readonly owner?: () => string | undefined;
}

/** Logs that the store renamed files of another program that had the names of its own files. */
export function setAsideLog(log: EventLog): NonNullable<StoreOptions['onSetAside']> {
  return ({ reason, movedTo }) =>
    log.emit({ level: 'error', event: 'recovery.set_aside', data: { reason, moved_to: movedTo } });
}

export function recoveryOver(store: RecoveryStore, { maxRecoveredBytes }: Config['recovery']): Recovery {
  return createRecovery({ store, randomBytes, maxRecoveredBytes });
}

/** Opens the configured store. Sets how long it keeps a text. */
export async function openRecoveryStore(
  config: Config['recovery'],
  { owner = () => undefined, ...hooks }: RecoveryHooks,
): Promise<RecoveryStore> {
  const ttlS = config.ttlS ?? (config.store === 'memory' ? TEN_MINUTES_S : WEEK_S);
  const store = await openStore({
    kind: config.store,
    ttlMs: ttlS * 1000,
    maxBytes: config.maxBytes,
    directory: storeDirectory(config),
    redisUrl: config.redisUrl,
    redisPrefix: config.redisPrefix,
    clock: systemClock,
    ...hooks,
  }).catch((error: unknown) => {
    const isUnavailable = error instanceof DomainError && error.code === 'store_unavailable';
    throw isUnavailable ? withSettings(error, config) : error;
  });
  return ownedStore(store, owner);
}

function withSettings(error: DomainError, { store, dataDir }: Config['recovery']): DomainError {
  const place = store === 'redis' ? 'SECATEUR_REDIS_URL' : `SECATEUR_DATA_DIR (${dataDir})`;
  return new DomainError(error.code, error.message, {
    hint: `Check ${place}, or choose another store with SECATEUR_STORE.`,
    data: { ...error.data },
    cause: error,
  });
}

export function openLedger({ audit, recovery }: StoresConfig): Ledger {
  if (audit.level === 'off') return noLedger;
  const { ledgerMaxBytes: maxBytes, ledgerMaxAgeDays: maxAgeDays } = audit;
  return fileLedger({ directory: savingsDirectory(recovery), clock: systemClock, maxBytes, maxAgeDays });
}

export function storeDirectory({ dataDir }: Config['recovery']): string {
  return join(dataDir, 'recovery');
}

export function savingsDirectory({ dataDir }: Config['recovery']): string {
  return join(dataDir, 'savings');
}

const TEN_MINUTES_S = 600;
const WEEK_S = 604_800;

export async function openPruner(config: Config['pruner'], parts: PrunerDeps) {
  const engine = workerEngine();
  const { recovery, clock, owner } = parts;
  const isRemote = config.backend === 'deepinfra';
  const shared = isRemote ? await parts.openSharedCache() : undefined;
  const cache = { ttlMs: config.cacheTtlS * 1000, maxEntries: config.cacheMaxItems, owner, shared };
  const ranking = {
    endpointUrl: config.deepinfraEndpointUrl,
    apiKey: config.deepinfraApiKey,
    timeoutMs: config.deepinfraTimeoutMs,
    maxDocuments: config.deepinfraMaxDocs,
  };
  return {
    pruner: createPruner({
      ...{ recovery, clock, engine, maxInputChars: config.maxInputChars, structure: config.structure },
      ...(isRemote && { remote: deepInfraRanking({ ...ranking, cache, clock }) }),
    }),
    /** Returns the number of cuts that are waiting for a worker thread. */
    waiting: () => engine.waiting(),
    close: async () => {
      shared?.close();
      await engine.close();
    },
  };
}

interface PrunerDeps {
  readonly recovery: Recovery;
  readonly clock: Clock;
  /** Returns the name of the caller of the current call; `undefined` if callers have no names. */
  owner(): string | undefined;
  /** Opens the cache that processes behind one address share; `undefined` without such a cache. */
  openSharedCache(): Promise<RedisCache | undefined>;
}
