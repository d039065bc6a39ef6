import { randomBytes } from 'node:crypto';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { loadOptional } from '@secateur/base/runtime/loading.ts';
import type { RecoveryStore } from './store.ts';
import type { EmbeddedStoreOptions } from './stores/embedded.ts';

export const STORE_KINDS = ['memory', 'embedded', 'redis'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

/** Options of all stores. `directory` and sweeps belong to the `embedded` store; Redis has its own size limit. */
export interface StoreOptions extends Omit<EmbeddedStoreOptions, 'randomBytes'> {
  kind: StoreKind;
  redisUrl: string;
  redisPrefix: string;
}

/** Opens a store. Loads only the module of this store, because the libraries of others take start-up time. */
export async function openStore(options: StoreOptions): Promise<RecoveryStore> {
  try {
    return await OPENERS[options.kind](options);
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    const message = `the recovery store '${options.kind}' could not be opened`;
    throw new DomainError('store_unavailable', message, { hint: HINTS[options.kind], cause });
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
