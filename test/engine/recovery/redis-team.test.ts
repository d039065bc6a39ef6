import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { expect, it, onTestFinished } from 'vitest';
import { RedisCache, RedisMeter } from '../../../packages/engine/src/recovery/redis.ts';
import { RedisStore } from '../../../packages/engine/src/recovery/stores/redis.ts';
import { freePort, startRedis } from '../../support/redis.ts';
import { describeWith } from '../../support/system-parts.ts';

async function ownRedis(settings: readonly string[] = []) {
  const redis = await startRedis(undefined, settings);
  onTestFinished(() => redis.stop());
  const admin = await adminOf(redis.url);
  onTestFinished(() => admin.destroy());
  return { ...redis, admin };
}

/** A master that is replaced by another one closes its connections. */
function adminOf(url: string) {
  return createClient({ url })
    .on('error', () => {})
    .connect();
}

function openStore(url: string, prefix = 'team:'): RedisStore {
  const store = new RedisStore({ url, ttlMs: 60_000, prefix, commandTimeoutMs: 5000, randomBytes });
  onTestFinished(() => store.close());
  return store;
}

const folder = () => mkdtempSync(join(tmpdir(), 'secateur-redis-'));

describeWith(['redis-server'], 'Redis stores of a team', () => {
  it('[T9] a Redis store works as an ACL user with access to one prefix, and every key has a time to live', async () => {
    const { admin, port } = await ownRedis();
    await addUser(admin);
    const url = `redis://sec:p%40w@127.0.0.1:${port}`;
    const store = openStore(url);
    await untilAnswering(store);
    await store.put('prn_1', 'kept');
    expect(await store.get('prn_1')).toBe('kept');
    const meter = new RedisMeter({ url, prefix: 'team:' });
    onTestFinished(() => meter.close());
    await expect.poll(() => meter.add('alice:calls:1', 2).catch(() => 0)).toBeGreaterThan(0);
    const cache = new RedisCache({ url, prefix: 'team:' });
    onTestFinished(() => cache.close());
    await expect
      .poll(() => {
        cache.put('alice/prn_1', 'cached', 30_000);
        return cache.get('alice/prn_1');
      })
      .toBe('cached');
    const keys = await admin.keys('*');
    expect(keys.sort()).toEqual([
      'team:cache:alice/prn_1',
      'team:id-key',
      'team:rate:alice:calls:1',
      'team:text:prn_1',
    ]);
    for (const key of keys) expect(await admin.pTTL(key), key).toBeGreaterThan(0);
    // The user may use neither another prefix nor a command that scans.
    const outside = openStore(url, 'other:');
    await expect(outside.put('prn_1', 'x')).rejects.toThrow();
  });

  it('[T10] Redis stores of several processes that start together agree on one id key', async () => {
    const { url } = await ownRedis();
    const stores = Array.from({ length: 8 }, () => openStore(url));
    await Promise.all(
      stores.map((store) => expect.poll(() => store.get('x').catch(() => 'away')).toBe(undefined)),
    );
    const keys = await Promise.all(stores.map((store) => store.idKey()));
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
  });

  it('[T9] a Redis store finds its master through Sentinel, also after Sentinel chose another master', async () => {
    const [master, replica] = [await ownRedis(), await ownRedis()];
    await replica.admin.sendCommand(['REPLICAOF', '127.0.0.1', String(master.port)]);
    const sentinelPort = await startSentinel(master.port);
    const sentinel = await adminOf(`redis://127.0.0.1:${sentinelPort}`);
    onTestFinished(() => sentinel.destroy());
    // The first node is down.
    const store = openStore(
      `redis+sentinel://127.0.0.1:${await freePort()}/main?node=127.0.0.1:${sentinelPort}`,
    );
    await untilKept(store, 'prn_s', 'through sentinel');
    await expect.poll(() => replica.admin.exists('team:text:prn_s'), { timeout: 20_000 }).toBe(1);
    await expect
      .poll(() => sentinel.sendCommand(['SENTINEL', 'FAILOVER', 'main']).then(String, String), {
        timeout: 40_000,
        interval: 1000,
      })
      .toBe('OK');
    const role = async ({ admin }: typeof master) =>
      ((await admin.sendCommand(['ROLE'])) as unknown as string[])[0];
    await expect.poll(() => role(replica), { timeout: 20_000 }).toBe('master');
    // The old master accepts writes until it learns of the new master.
    const isOnNewMaster = async () => {
      await store.put('prn_after', 'written to the new master').catch(() => {});
      return replica.admin.exists('team:text:prn_after');
    };
    await expect.poll(isOnNewMaster, { timeout: 20_000 }).toBe(1);
    expect(await store.get('prn_s')).toBe('through sentinel');
  }, 90_000);

  it('[T9] a Redis store works in a cluster of three as a user with access to one prefix', async () => {
    const nodes: Awaited<ReturnType<typeof ownRedis>>[] = [];
    for (const slots of [
      ['0', '5460'],
      ['5461', '10922'],
      ['10923', '16383'],
    ]) {
      const node = await ownRedis(['--cluster-enabled', 'yes']);
      await node.admin.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', ...slots]);
      await addUser(node.admin, '+cluster|slots');
      nodes.push(node);
    }
    const [first, ...others] = nodes;
    for (const { port } of others)
      await first?.admin.sendCommand(['CLUSTER', 'MEET', '127.0.0.1', String(port)]);
    const states = () =>
      Promise.all(nodes.map(({ admin }) => admin.sendCommand(['CLUSTER', 'INFO']).then(String)));
    await expect
      .poll(async () => (await states()).every((state) => state.includes('cluster_state:ok')), {
        timeout: 30_000,
      })
      .toBe(true);
    const more = others.map(({ port }) => `node=127.0.0.1:${port}`).join('&');
    const store = openStore(`redis+cluster://sec:p%40w@127.0.0.1:${first?.port}?${more}`);
    for (let at = 0; at < 30; at += 1) await untilKept(store, `prn_${at}`, `text ${at}`);
    for (let at = 0; at < 30; at += 1) expect(await store.get(`prn_${at}`)).toBe(`text ${at}`);
    const sizes = await Promise.all(nodes.map(({ admin }) => admin.dbSize()));
    for (const size of sizes) expect(size).toBeGreaterThan(0);
  }, 60_000);
});

/** Adds a user with only the commands for single keys and connecting; the default user is switched off. */
async function addUser(admin: { sendCommand(args: string[]): Promise<unknown> }, ...more: string[]) {
  const commands = ['+get', '+set', '+incrby', '+pexpire', '+hello', '+ping', '+auth', '+select', ...more];
  await admin.sendCommand(['ACL', 'SETUSER', 'sec', 'on', '>p@w', '~team:*', '-@all', ...commands]);
  await admin.sendCommand(['ACL', 'SETUSER', 'default', 'off']);
}

async function startSentinel(masterPort: number): Promise<number> {
  const port = await freePort();
  const config = join(folder(), 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `sentinel monitor main 127.0.0.1 ${masterPort} 1`,
    'sentinel down-after-milliseconds main 2000',
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  const child = spawn('redis-server', [config, '--sentinel'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect
    .poll(() =>
      createClient({ url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: false } })
        .on('error', () => {})
        .connect()
        .then(
          (client) => {
            client.destroy();
            return 'answers';
          },
          () => 'away',
        ),
    )
    .toBe('answers');
  return port;
}

async function untilAnswering(store: RedisStore): Promise<void> {
  const state = () =>
    store.idKey().then(
      () => 'answers',
      () => 'away',
    );
  await expect.poll(state).toBe('answers');
}

async function untilKept(store: RedisStore, id: string, text: string): Promise<void> {
  const state = () =>
    store.put(id, text).then(
      () => 'kept',
      () => 'away',
    );
  await expect.poll(state, { timeout: 20_000 }).toBe('kept');
}
