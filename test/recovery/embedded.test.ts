import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { open as openLmdb } from 'lmdb';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createRecovery } from '../../src/recovery/recovery.ts';
import { EmbeddedStore, type SetAside } from '../../src/recovery/stores/embedded.ts';
import { handClock } from '../support/hand-clock.ts';
import { describeStoreContract } from './store-contract.ts';

const TTL_MS = 600_000;
// Threads may not set it: Stryker runs tests in one.
const canSetUmask = process.platform !== 'win32' && isMainThread;
const folders: string[] = [];

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'secateur-store-'));
  folders.push(path);
  return path;
}

afterAll(async () => {
  for (const path of folders) await rm(path, { recursive: true, force: true });
});

describe('the embedded store', () => {
  describeStoreContract(async () => {
    const clock = handClock();
    const store = await EmbeddedStore.open({
      directory: await folder(),
      ttlMs: TTL_MS,
      maxBytes: 1e8,
      clock,
      randomBytes,
    });
    return { store, passTtl: async () => clock.advance(TTL_MS + 1), dispose: () => store.close() };
  });

  it('still has texts and key after closing and opening again [P35] [P25]', async () => {
    const options = {
      directory: await folder(),
      ttlMs: TTL_MS,
      maxBytes: 1e8,
      clock: handClock(),
      randomBytes,
    };
    const first = await EmbeddedStore.open(options);
    await first.put('a', 'text');
    const key = Buffer.from(await first.idKey());
    await first.close();
    const second = await EmbeddedStore.open(options);
    expect(await second.get('a')).toBe('text');
    expect(key.equals(Buffer.from(await second.idKey()))).toBe(true);
    await second.close();
  });

  it.each<[string, (file: string) => Promise<void>, string]>([
    ['cut short', (file) => truncate(file, 12_000), 'its end is missing'],
    ['cut to less than a page', (file) => truncate(file, 3000), 'it is not a file of this store'],
    ['overwritten', (file) => writeFile(file, randomBytes(50_000)), 'it is not a file of this store'],
  ])(
    'sets a file aside that was %s, where opening it would end the process, and begins anew [P35] [X5]',
    async (_how, damage, words) => {
      const directory = await folder();
      const told: SetAside[] = [];
      const onSetAside = (aside: SetAside) => void told.push(aside);
      const options = {
        directory,
        ttlMs: TTL_MS,
        maxBytes: 1e8,
        clock: handClock(),
        randomBytes,
        onSetAside,
      };
      const store = await EmbeddedStore.open(options);
      await store.put('a', 'text'.repeat(10_000));
      await store.close();
      await damage(join(directory, 'data.mdb'));
      const fresh = await EmbeddedStore.open(options);
      expect(told).toEqual([{ reason: words, movedTo: expect.stringContaining('data.mdb.damaged-') }]);
      expect(await readdir(directory)).toContain(basename(told[0]?.movedTo ?? ''));
      await fresh.put('b', 'new');
      expect([await fresh.get('a'), await fresh.get('b')]).toEqual([undefined, 'new']);
      await fresh.close();
    },
  );

  const isPosix = process.platform !== 'win32';
  it.each<[string, (path: string) => Promise<unknown>]>([
    ['a folder', (path) => mkdir(path)],
    ['a link to nothing', (path) => symlink(join(path, 'nothing'), path)],
    ['a pipe', (path) => promisify(execFile)('mkfifo', [path])],
  ])(
    'is an error, not the end of the process, where %s stands for one of its files [X5]',
    { skip: !isPosix },
    async (_what, make) => {
      for (const name of ['data.mdb', 'lock.mdb']) {
        const directory = await folder();
        await make(join(directory, name));
        const options = { directory, ttlMs: TTL_MS, maxBytes: 1e8, clock: handClock(), randomBytes };
        await expect(EmbeddedStore.open(options)).rejects.toThrow(`${name} is not a file: move it away`);
      }
    },
  );
});

describe('the embedded store, filled, damaged and old', () => {
  it('never returns a text whose bytes were changed behind its back [X5] [X19]', async () => {
    const directory = await folder();
    const options = { directory, ttlMs: TTL_MS, maxBytes: 1e8, clock: handClock(), randomBytes };
    const store = await EmbeddedStore.open(options);
    const text = `needle ${randomBytes(300).toString('hex')}`;
    await store.put('a', text);
    await store.close();
    const file = join(directory, 'data.mdb');
    const bytes = await readFile(file);
    for (let at = bytes.indexOf('needle'); at !== -1; at = bytes.indexOf('needle', at + 1))
      bytes.write('noodle', at);
    await writeFile(file, bytes);
    const recovery = createRecovery({ store: await EmbeddedStore.open(options), randomBytes });
    await expect(recovery.recover('a', [{ start: 1, end: 1 }])).rejects.toMatchObject({
      code: 'prune_id_not_found',
      data: { prune_id: 'a', reason: 'damaged' },
    });
    await recovery.close();
  });

  it('survives that its file is cut short while it is open [X5] [X19]', async () => {
    const directory = await folder();
    const options = { directory, ttlMs: TTL_MS, maxBytes: 1e8, clock: handClock(), randomBytes };
    const store = await EmbeddedStore.open(options);
    const recovery = createRecovery({ store, randomBytes });
    const { id } = await recovery.remember(randomBytes(200_000).toString('hex'), []);
    await recovery.recover(id, [{ start: 1, end: 1 }]);
    await truncate(join(directory, 'data.mdb'), 8192);
    const lost = recovery.recover(id, [{ start: 1, end: 1 }]);
    await expect(lost).rejects.toMatchObject({ data: { reason: 'damaged' } });
    expect(await recovery.remember('more', [])).toMatchObject({ kind: 'unavailable' });
  });

  it.runIf(process.platform === 'linux')(
    'goes on when there is no room left: what was stored is still there [P34] [X5] [X19]',
    async () => {
      const script = fileURLToPath(new URL('./fill-store.ts', import.meta.url));
      const limited = `trap '' XFSZ; ulimit -f 400; exec "$0" --import tsx "$1" "$2"`;
      const run = promisify(execFile)('bash', ['-c', limited, process.execPath, script, await folder()]);
      expect(JSON.parse((await run).stdout)).toEqual({
        failed: 'unavailable',
        first: true,
        again: 'unavailable',
      });
    },
  );

  it('drops expired texts from its file [P35]', async () => {
    const clock = handClock();
    const directory = await folder();
    const store = await EmbeddedStore.open({ directory, ttlMs: TTL_MS, maxBytes: 1e8, clock, randomBytes });
    await store.put('old', 'x');
    clock.advance(TTL_MS + 1);
    await store.put('new', 'y');
    await store.close();
    const root = openLmdb({ path: directory, maxDbs: 4, encoding: 'binary' });
    const keysOf = (name: string, encoding: 'binary' | 'json') => [
      ...root.openDB({ name, encoding }).getKeys(),
    ];
    expect([keysOf('texts', 'binary'), keysOf('rows', 'json')]).toEqual([['new'], ['new']]);
    await root.close();
  });

  it('begins anew in an empty file [P35]', async () => {
    const directory = await folder();
    await writeFile(join(directory, 'data.mdb'), '');
    const options = { directory, ttlMs: TTL_MS, maxBytes: 1e8, clock: handClock(), randomBytes };
    const store = await EmbeddedStore.open(options);
    await store.put('a', 'text');
    expect(await store.get('a')).toBe('text');
    await store.close();
  });

  it('lets the oldest text go first when it is full [P35]', async () => {
    const clock = handClock();
    const store = await EmbeddedStore.open({
      directory: await folder(),
      ttlMs: TTL_MS,
      maxBytes: 2500,
      clock,
      randomBytes,
    });
    for (const id of ['a', 'b', 'c']) {
      await store.put(id, id.repeat(1000));
      clock.advance(1);
    }
    expect(await store.get('a')).toBeUndefined();
    expect(await store.get('b')).toBe('b'.repeat(1000));
    expect(await store.get('c')).toBe('c'.repeat(1000));
    await store.close();
  });

  it('opens its folder to its owner only', async () => {
    const directory = join(await folder(), 'new');
    const store = await EmbeddedStore.open({
      directory,
      ttlMs: TTL_MS,
      maxBytes: 1e6,
      clock: handClock(),
      randomBytes,
    });
    const mode = (await stat(directory)).mode & 0o077;
    await store.close();
    if (process.platform !== 'win32') expect(mode).toBe(0);
  });

  it.runIf(canSetUmask)('opens its files to their owner only [X16]', async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const directory = join(await folder(), 'new');
    const options = { directory, ttlMs: TTL_MS, maxBytes: 1e6, clock: handClock(), randomBytes };
    const store = await EmbeddedStore.open(options);
    const modes = ['.', 'data.mdb', 'lock.mdb'].map((name) => statSync(join(directory, name)).mode & 0o777);
    await store.close();
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });
});

describe.runIf(process.platform !== 'win32')('the embedded store, found open to others', () => {
  it('closes its files to all but their owner [X16]', async () => {
    const directory = await folder();
    const options = { directory, ttlMs: TTL_MS, maxBytes: 1e6, clock: handClock(), randomBytes };
    await (await EmbeddedStore.open(options)).close();
    const files = ['data.mdb', 'lock.mdb'].map((name) => join(directory, name));
    for (const file of files) await chmod(file, 0o644);
    await (await EmbeddedStore.open(options)).close();
    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  });
});

describe('the embedded store, counting', () => {
  const opened = async (parts: { maxBytes?: number; directory?: string } = {}) => {
    const clock = handClock();
    const directory = parts.directory ?? (await folder());
    const told: SetAside[] = [];
    const onSetAside = (aside: SetAside) => void told.push(aside);
    const maxBytes = parts.maxBytes ?? 1e6;
    const options = { directory, ttlMs: TTL_MS, maxBytes, clock, randomBytes, onSetAside };
    const store = await EmbeddedStore.open(options);
    onTestFinished(() => store.close());
    return { store, clock, directory, told };
  };
  /** A sealed text: a byte for its kind, four for its checksum. */
  const SEAL = 5;

  it('says how many bytes it holds: renewed texts once, expired ones no more [P35]', async () => {
    const { store, clock } = await opened();
    expect(store.heldBytes()).toBe(0);
    await store.put('a', 'x'.repeat(100));
    await store.put('a', 'x'.repeat(200));
    await store.put('b', 'y');
    expect(store.heldBytes()).toBe(200 + SEAL + 1 + SEAL);
    clock.advance(TTL_MS);
    await store.put('c', '');
    expect(store.heldBytes()).toBe(SEAL);
  });

  it('keeps a text until the moment its time ends, and renewal gives it all of it again [P25] [P35]', async () => {
    const { store, clock } = await opened();
    await store.put('a', 'text');
    clock.advance(TTL_MS - 1);
    expect(await store.get('a')).toBe('text');
    await store.put('a', 'text');
    clock.advance(TTL_MS - 1);
    await store.put('b', 'other');
    expect(await store.get('a')).toBe('text');
    clock.advance(1);
    expect(await store.get('a')).toBeUndefined();
  });

  it('fills its room to the last byte, and refuses what is larger than all of it [P35]', async () => {
    const { store } = await opened({ maxBytes: 2 * (100 + SEAL) });
    await store.put('a', 'a'.repeat(100));
    await store.put('b', 'b'.repeat(100));
    expect([await store.get('a'), await store.get('b')]).toEqual(['a'.repeat(100), 'b'.repeat(100)]);
    await expect(store.put('c', 'c'.repeat(201 + SEAL))).rejects.toThrow(
      "text of 211 bytes exceeds the store's 210",
    );
    expect(await store.get('a')).toBe('a'.repeat(100));
    await store.put('c', 'c'.repeat(200 + SEAL));
    expect([await store.get('a'), await store.get('c')]).toEqual([undefined, 'c'.repeat(200 + SEAL)]);
  });

  it('keeps texts under the longest ids it may be asked for [P33]', async () => {
    const { store } = await opened();
    const id = 'i'.repeat(500);
    await store.put(id, 'text');
    expect(await store.get(id)).toBe('text');
  });

  it('refuses an id that is longer than LMDB takes, and keeps what it holds [X5] [X17]', async () => {
    const { store } = await opened();
    await store.put('a', 'text');
    await expect(store.put('i'.repeat(5000), 'text')).rejects.toThrow(RangeError);
    expect([await store.get('a'), store.heldBytes()]).toEqual(['text', 4 + SEAL]);
    await store.put('b', 'more');
    expect(await store.get('b')).toBe('more');
  });

  it('takes less room in its file than its texts are long [P35]', async () => {
    const { store, directory } = await opened({ maxBytes: 1e7 });
    await store.put('log', 'a line of a log\n'.repeat(100_000));
    expect(store.heldBytes()).toBe(1_600_000 + SEAL);
    expect((await stat(join(directory, 'data.mdb'))).size).toBeLessThan(800_000);
  });

  it('gives two processes that open it at once the same key of ids [P25] [T10]', async () => {
    const { store, directory } = await opened();
    const other = await opened({ directory });
    const keys = await Promise.all([store.idKey(), other.store.idKey(), store.idKey()]);
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
  });

  it('begins anew where only LMDB itself finds the damage [P35] [X5]', async () => {
    const { store, directory } = await opened();
    await store.put('a', 'text'.repeat(10_000));
    await store.close();
    const file = join(directory, 'data.mdb');
    const bytes = await readFile(file);
    // A machine that lost power wrote the two first pages, which tell where the others are, and not those.
    const pages = Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(bytes.length - 8192)]);
    await writeFile(file, pages);
    const { store: fresh, told } = await opened({ directory });
    expect(told).toMatchObject([{ reason: 'its pages contradict each other' }]);
    expect(await readFile(told[0]?.movedTo ?? '')).toEqual(pages);
    await fresh.put('b', 'new');
    expect([await fresh.get('a'), await fresh.get('b')]).toEqual([undefined, 'new']);
  });

  it('begins anew also where nobody wants to hear of it and no lock is left [P35] [X5]', async () => {
    const directory = await folder();
    await writeFile(join(directory, 'data.mdb'), randomBytes(50_000));
    const options = { directory, ttlMs: TTL_MS, maxBytes: 1e6, clock: handClock(), randomBytes };
    const store = await EmbeddedStore.open(options);
    await store.put('a', 'text');
    expect(await store.get('a')).toBe('text');
    await store.close();
  });

  it('still gives what it holds when its file was deleted under it [X5] [X19]', async () => {
    const { store, directory } = await opened();
    await store.put('a', 'text');
    await rm(join(directory, 'data.mdb'));
    expect(await store.get('a')).toBe('text');
  });

  it('calls a record damaged that it cannot read, and a text gone that has none [X5]', async () => {
    const { store, directory } = await opened();
    for (const id of ['odd', 'gone', 'good']) await store.put(id, 'text');
    await store.close();
    const root = openLmdb({ path: directory, maxDbs: 4, encoding: 'binary' });
    await root.openDB({ name: 'rows', encoding: 'binary' }).put('odd', Buffer.from('{"bytes":'));
    await root.openDB({ name: 'texts', encoding: 'binary' }).remove('gone');
    await root.close();
    const { store: again } = await opened({ directory });
    await expect(again.get('odd')).rejects.toThrow('a stored record cannot be read');
    expect([await again.get('gone'), await again.get('good')]).toEqual([undefined, 'text']);
  });
});
