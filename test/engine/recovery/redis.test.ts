import { randomBytes } from 'node:crypto';
import { createClient } from '@redis/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRecovery } from '../../../packages/engine/src/recovery/recovery.ts';
import { RedisStore } from '../../../packages/engine/src/recovery/stores/redis.ts';
import { type RunningRedis, startRedis } from '../../support/redis.ts';
import { describeWith } from '../../support/system-parts.ts';
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

  it('two Redis stores share ids and the id key [P35] [P25]', async () => {
    const one = await ready(60_000, 'shared:');
    const other = await ready(60_000, 'shared:');
    await one.put('a', 'text');
    expect(await other.get('a')).toBe('text');
    expect(Buffer.from(await one.idKey()).equals(Buffer.from(await other.idKey()))).toBe(true);
    await one.close();
    await other.close();
  });

  it('the Redis store leaves no connection open after close [X4]', async () => {
    const client = await createClient({ url: redis.url }).connect();
    const addresses = async () =>
      String(await client.sendCommand(['CLIENT', 'LIST'])).match(/\baddr=\S+/g) ?? [];
    const before = new Set(await addresses());
    const store = await ready(60_000);
    const own = (await addresses()).filter((address) => !before.has(address));
    expect(own).toHaveLength(1);
    await store.close();
    await expect.poll(async () => (await addresses()).filter((address) => own.includes(address))).toEqual([]);
    client.destroy();
  });

  it('the Redis store never returns a text whose bytes were changed in Redis [X5] [X19]', async () => {
    const store = await ready(60_000, 'damaged:');
    const recovery = createRecovery({ store, randomBytes });
    const { id } = await recovery.remember(randomBytes(300).toString('hex'), []);
    const client = await createClient({ url: redis.url }).connect();
    const key = `damaged:text:${id}`;
    for (const at of [40, 200]) {
      const before = await client.getRange(key, at, at);
      await client.setRange(key, at, before === 'a' ? 'b' : 'a');
      await expect(recovery.recover(id, [{ start: 1, end: 1 }])).rejects.toMatchObject({
        code: 'prune_id_not_found',
        data: { prune_id: id, reason: 'damaged' },
      });
      await client.setRange(key, at, before ?? '');
      await recovery.recover(id, [{ start: 1, end: 1 }]);
    }
    client.destroy();
    await recovery.close();
  });

  it('the Redis store treats a stopped Redis as unavailable, and as available after it continues [P34] [X5] [X19]', async () => {
    const own = await startRedis();
    const options = { url: own.url, ttlMs: 60_000, prefix: 'p:', commandTimeoutMs: 300, randomBytes };
    const store = new RedisStore(options);
    await untilConnected(store);
    process.kill(own.pid, 'SIGSTOP');
    await expect(store.put('a', 'text')).rejects.toThrow();
    process.kill(own.pid, 'SIGCONT');
    await untilConnected(store);
    await store.put('a', 'text');
    expect(await store.get('a')).toBe('text');
    await store.close();
    await own.stop();
  });

  it('the Redis store waits a limited time for an unavailable Redis when it reads [P34] [X19]', async () => {
    const own = await startRedis();
    const options = { url: own.url, ttlMs: 60_000, prefix: 'p:', commandTimeoutMs: 1000, randomBytes };
    const store = new RedisStore(options);
    await untilConnected(store);
    await store.put('a', 'text');
    process.kill(own.pid, 'SIGSTOP');
    const reading = store.get('a');
    await expect(store.put('b', 'text')).rejects.toThrow();
    process.kill(own.pid, 'SIGCONT');
    expect(await reading).toBe('text');
    await own.stop();
    await expect(store.get('a')).rejects.toThrow();
    await store.close();
  });

  it('the Redis store keeps the id key longer than every text, and renews it when texts are stored [P25] [P35]', async () => {
    const DAY_MS = 24 * 3600 * 1000;
    const client = await createClient({ url: redis.url }).connect();
    const daysLeft = async (prefix: string) => Math.ceil((await client.pTTL(`${prefix}id-key`)) / DAY_MS);
    const store = await ready(60_000, 'short:');
    await store.idKey();
    expect(await daysLeft('short:')).toBe(90);
    await client.pExpire('short:id-key', DAY_MS);
    await store.idKey();
    expect(await daysLeft('short:')).toBe(1);
    await store.put('a', 'text');
    expect(await daysLeft('short:')).toBe(90);
    const long = await ready(200 * DAY_MS, 'long:');
    await long.idKey();
    expect(await daysLeft('long:')).toBe(200);
    client.destroy();
    await store.close();
    await long.close();
  });

  it('the Redis store fails immediately if Redis is down, and works again when Redis is back [P34] [X19]', async () => {
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
