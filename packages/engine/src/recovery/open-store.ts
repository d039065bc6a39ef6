import { randomBytes } from 'node:crypto';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { loadOptional } from '@secateur/base/runtime/loading.ts';
import type { Clock } from '@secateur/base/runtime/time.ts';
import type { RecoveryStore } from './store.ts';

export const STORE_KINDS = ['memory', 'embedded', 'redis'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

export interface StoreOptions {
  kind: StoreKind;
  ttlMs: number;
  /** Maximum bytes of a `memory` or `embedded` store. Redis has its own limit. */
  maxBytes: number;
  /** Folder of the `embedded` store. */
  directory: string;
  redisUrl: string;
  /** Prefix of every key in Redis. */
  redisPrefix: string;
  clock: Clock;
  /** Called when the `embedded` store renamed something that was in the place of one of its files. */
  onSetAside?: ((moved: { readonly reason: string; readonly movedTo: string }) => void) | undefined;
  /** Interval in ms of background sweeps of the `embedded` store. Absent in a process that lives for one call. */
  sweepEveryMs?: number | undefined;
}

/** Opens a store. Loads only the module of this store, because the libraries of others take start-up time. */
export async function openStore(options: StoreOptions): Promise<RecoveryStore> {
  try {
    return await OPENERS[options.kind](options);
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError('store_unavailable', `the recovery store '${options.kind}' could not be opened`, {
      hint: HINTS[options.kind],
      cause,
    });
  }
}

const OPENERS: Record<StoreKind, (options: StoreOptions) => Promise<RecoveryStore>> = {
  memory: async (options) => {
    const { MemoryStore } = await import('./stores/memory.ts');
    return new MemoryStore({ ...options, randomBytes });
  },
  embedded: async (options) => {
    const { EmbeddedStore } = await import('./stores/embedded.ts');
    return EmbeddedStore.open({ ...options, randomBytes });
  },
  redis: async (options) => {
    const { RedisStore } = await loadOptional('@redis/client', () => import('./stores/redis.ts'));
    const { redisUrl: url, ttlMs } = options;
    return new RedisStore({ url, ttlMs, prefix: options.redisPrefix, randomBytes });
  },
};

const HINTS: Record<StoreKind, string> = {
  memory: 'This should not happen; please report it.',
  embedded: 'Check that the data directory exists and is writable, or choose the memory store.',
  redis: 'Check the Redis URL: redis://host:port.',
};
