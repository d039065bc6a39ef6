import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { expect, it, onTestFinished } from 'vitest';
import { RedisMeter } from '../../src/recovery/redis-meter.ts';
import { RedisStore } from '../../src/recovery/stores/redis.ts';
import { freePort, startRedis } from '../support/redis.ts';
import { describeWith } from '../support/system-parts.ts';

async function ownRedis(settings: readonly string[] = []) {
  const redis = await startRedis(undefined, settings);
  onTestFinished(() => redis.stop());
  const admin = await createClient({ url: redis.url }).connect();
  onTestFinished(() => admin.destroy());
  return { ...redis, admin };
}

function openStore(url: string, prefix = 'team:'): RedisStore {
  const store = new RedisStore({ url, ttlMs: 60_000, prefix, commandTimeoutMs: 5000, randomBytes });
  onTestFinished(() => store.close());
  return store;
}

const folder = () => mkdtempSync(join(tmpdir(), 'secateur-redis-'));

describeWith(['redis-server'], 'Redis for a team', () => {
  it('[T9] an ACL user that may touch one prefix only is enough, and every key has a time to live', async () => {
    const { admin, port } = await ownRedis();
    await admin.sendCommand([
      'ACL',
      'SETUSER',
      'sec',
      'on',
      '>pw',
      '~team:*',
      '-@all',
      '+get',
      '+set',
      '+incrby',
      '+pexpire',
      '+hello',
      '+ping',
      '+auth',
      '+select',
    ]);
    const url = `redis://sec:pw@127.0.0.1:${port}`;
    const store = openStore(url);
    await expect
      .poll(() =>
        store.idKey().then(
          () => 'answers',
          () => 'away',
        ),
      )
      .toBe('answers');
    await store.put('prn_1', 'kept');
    expect(await store.get('prn_1')).toBe('kept');
    const meter = new RedisMeter({ url, prefix: 'team:' });
    onTestFinished(() => meter.close());
    await expect.poll(() => meter.add('alice:calls:1', 2).catch(() => 0)).toBeGreaterThan(0);
    const keys = await admin.keys('*');
    expect(keys.length).toBe(3);
    for (const key of keys) {
      expect(key).toMatch(/^team:/);
      expect(await admin.pTTL(key), key).toBeGreaterThan(0);
    }
  });

  it('[T10] processes that start together agree on one key for ids', async () => {
    const { url } = await ownRedis();
    const stores = Array.from({ length: 8 }, () => openStore(url));
    await Promise.all(
      stores.map((store) => expect.poll(() => store.get('x').catch(() => 'away')).toBe(undefined)),
    );
    const keys = await Promise.all(stores.map((store) => store.idKey()));
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
  });

  it('[T9] found through Sentinel', async () => {
    const { port } = await ownRedis();
    const sentinelPort = await freePort();
    const config = join(folder(), 'sentinel.conf');
    writeFileSync(
      config,
      `port ${sentinelPort}\nbind 127.0.0.1\nsentinel monitor main 127.0.0.1 ${port} 1\n`,
    );
    const child = spawn('redis-server', [config, '--sentinel'], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const store = openStore(`redis+sentinel://127.0.0.1:${sentinelPort}/main`);
    await expect
      .poll(() =>
        store.put('prn_s', 'through sentinel').then(
          () => 'ok',
          () => 'away',
        ),
      )
      .toBe('ok');
    expect(await store.get('prn_s')).toBe('through sentinel');
  });

  it('[T9] in a cluster', async () => {
    const { admin, port } = await ownRedis(['--cluster-enabled', 'yes', '--dir', folder()]);
    await admin.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
    const store = openStore(`redis+cluster://127.0.0.1:${port}`);
    await expect
      .poll(() =>
        store.put('prn_c', 'in a cluster').then(
          () => 'ok',
          () => 'away',
        ),
      )
      .toBe('ok');
    expect(await store.get('prn_c')).toBe('in a cluster');
  });
});
