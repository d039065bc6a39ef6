import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RedisStore } from '../../src/recovery/stores/redis.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';
import { describeWith } from '../support/system-parts.ts';
import { describeStoreContract } from './store-contract.ts';

describeWith(['redis-server'], 'the Redis store', () => {
  let redis: RunningRedis;
  let spaces = 0;

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  async function ready(ttlMs: number, prefix = `test-${spaces++}:`): Promise<RedisStore> {
    const store = new RedisStore({ url: redis.url, ttlMs, prefix, commandTimeoutMs: 5000, randomBytes });
    await untilConnected(store);
    return store;
  }

  describeStoreContract(async () => {
    const store = await ready(3000);
    return { store, passTtl: () => pause(3200), dispose: () => store.close() };
  });

  it('shares ids and key between servers [P35] [P25]', async () => {
    const one = await ready(60_000, 'shared:');
    const other = await ready(60_000, 'shared:');
    await one.put('a', 'text');
    expect(await other.get('a')).toBe('text');
    expect(Buffer.from(await one.idKey()).equals(Buffer.from(await other.idKey()))).toBe(true);
    await one.close();
    await other.close();
  });

  it('fails at once while Redis is away and works again when it is back [P34]', async () => {
    const own = await startRedis();
    const store = new RedisStore({
      url: own.url,
      ttlMs: 60_000,
      prefix: 'p:',
      commandTimeoutMs: 5000,
      randomBytes,
    });
    await untilConnected(store);
    await own.stop();
    await expect(store.put('a', 'text')).rejects.toThrow();
    const back = await startRedis(own.port);
    await untilConnected(store);
    await store.put('a', 'text');
    expect(await store.get('a')).toBe('text');
    await store.close();
    await back.stop();
  });
});

async function untilConnected(store: RedisStore): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const up = await store.get('probe').then(
      () => true,
      () => false,
    );
    if (up) return;
    await pause(50);
  }
  throw new Error('Redis did not come up');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
