import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { expect, it, onTestFinished } from 'vitest';
import { openStore, type StoreOptions } from '../../../packages/engine/src/recovery/open-store.ts';
import { handClock } from '../../support/hand-clock.ts';
import { startRedis } from '../../support/redis.ts';
import { describeWith } from '../../support/system-parts.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'secateur-open-store-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const clock = handClock();

async function options(more: Partial<StoreOptions>): Promise<StoreOptions> {
  const redis = { redisUrl: 'redis://127.0.0.1:1', redisPrefix: 'opened:' };
  return {
    kind: 'memory',
    ttlMs: 60_000,
    maxBytes: 1000,
    directory: await folder(),
    clock,
    ...redis,
    ...more,
  };
}

it.each(['memory', 'embedded'] as const)(
  '[P35] openStore opens the %s store with the given limits',
  async (kind) => {
    const given = await options({ kind, maxBytes: 1_048_576 });
    const store = await openStore(given);
    onTestFinished(() => store.close());
    await store.put('a', 'text');
    expect([await store.get('a'), (await store.idKey()).length]).toEqual(['text', 32]);
    const large = randomBytes(1_048_576).toString('latin1');
    await expect(store.put('b', large)).rejects.toThrow(RangeError);
    clock.advance(60_000);
    expect(await store.get('a')).toBeUndefined();
    expect(await readdir(given.directory)).toEqual(
      kind === 'memory' ? [] : ['drafts', 'id-key', 'limits.json', 'texts'],
    );
  },
);

it('[X26] openStore reports once where it moved a data file of an earlier version', async () => {
  const told: string[] = [];
  const given = await options({ kind: 'embedded', onSetAside: ({ movedTo }) => void told.push(movedTo) });
  await writeFile(join(given.directory, 'data.mdb'), 'no file of this store');
  for (let start = 0; start < 2; start += 1) {
    const store = await openStore(given);
    onTestFinished(() => store.close());
  }
  expect(told).toEqual([expect.stringContaining(join(given.directory, 'data.mdb.set-aside-'))]);
});

it('[P35] [X5] the error of openStore states the store, the setting and the cause', async () => {
  const file = join(await folder(), 'file');
  await writeFile(file, '');
  await expect(
    openStore(await options({ kind: 'embedded', directory: join(file, 'recovery') })),
  ).rejects.toMatchObject({
    code: 'store_unavailable',
    message: "the recovery store 'embedded' could not be opened",
    hint: expect.stringContaining('data directory'),
    cause: expect.any(Error),
  });
  await expect(openStore(await options({ kind: 'redis', redisUrl: 'nowhere' }))).rejects.toMatchObject({
    code: 'store_unavailable',
    hint: expect.stringContaining('redis://host:port'),
    cause: { code: 'ERR_INVALID_URL' },
  });
});

describeWith(['redis-server'], 'opening the Redis store', () => {
  it('[P35] [T9] openStore with Redis keeps texts under the given prefix and for the given time', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const store = await openStore(await options({ kind: 'redis', redisUrl: redis.url }));
    onTestFinished(() => store.close());
    await expect.poll(() => store.put('a', 'text').then(() => store.get('a'), String)).toBe('text');
    const client = await createClient({ url: redis.url }).connect();
    onTestFinished(() => client.destroy());
    const leftMs = await client.pTTL('opened:text:a');
    expect([leftMs > 0, leftMs <= 60_000]).toEqual([true, true]);
    expect((await store.idKey()).length).toBe(32);
  });
});
