import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRecovery } from '../../../packages/engine/src/recovery/recovery.ts';
import { checkStore, noteKey } from '../../../packages/engine/src/recovery/store.ts';
import { entryName } from '../../../packages/engine/src/recovery/stores/embedded/entries.ts';
import type { SetAside } from '../../../packages/engine/src/recovery/stores/embedded/store-folder.ts';
import { EmbeddedStore } from '../../../packages/engine/src/recovery/stores/embedded.ts';
import { handClock } from '../../support/hand-clock.ts';
import { temporaryFolder } from '../../support/secateur-cli.ts';
import { onSmallDisk } from '../../support/small-disk.ts';
import { describeWith } from '../../support/system-parts.ts';
import { describeStoreContract } from './store-contract.ts';

const TTL_MS = 600_000;
const isPosix = process.platform !== 'win32';
// Threads cannot set the umask, and Stryker runs tests in a thread.
const canSetUmask = isPosix && isMainThread;

interface Given {
  readonly directory?: string;
  readonly maxBytes?: number;
  readonly ttlMs?: number;
  readonly clock?: ReturnType<typeof handClock>;
}

/** A store that sweeps in the background only after a thousand puts, or a sixteenth of its bound. */
async function opened({
  directory = join(temporaryFolder(), 'recovery'),
  maxBytes = 1e8,
  ttlMs = TTL_MS,
  clock = handClock(),
}: Given = {}) {
  const moved: SetAside[] = [];
  const store = await EmbeddedStore.open({
    ...{ directory, ttlMs, maxBytes, clock },
    randomBytes: (size) => (size === 4 ? Buffer.alloc(4) : randomBytes(size)),
    onSetAside: (aside) => void moved.push(aside),
  });
  onTestFinished(() => store.close());
  const fileOf = (id: string) => {
    const { folder, file } = entryName(id);
    return join(directory, 'texts', folder, file);
  };
  return { store, directory, clock, moved, fileOf };
}

/** Returns a text that compression shortens by at most a quarter. */
function noise(bytes: number): string {
  return randomBytes(bytes).toString('base64').slice(0, bytes);
}

describe('the embedded store', () => {
  describeStoreContract(async () => {
    const { store, clock } = await opened();
    return { store, passTtl: async () => clock.advance(TTL_MS + 1), dispose: () => store.close() };
  });

  it('the embedded store still has its texts and its id key after it was closed and opened again [P35] [P25]', async () => {
    const { store, directory } = await opened();
    await store.put('a', 'text');
    const key = Buffer.from(await store.idKey());
    await store.close();
    const { store: again } = await opened({ directory });
    expect(await again.get('a')).toBe('text');
    expect(key.equals(Buffer.from(await again.idKey()))).toBe(true);
  });

  it('the embedded store keeps a text until its time to live ends; storing the text again restarts that time [P25] [P35]', async () => {
    const { store, clock } = await opened();
    await store.putNew('a', 'text');
    clock.advance(TTL_MS - 1);
    expect(await store.get('a')).toBe('text');
    await store.putNew('a', 'text');
    clock.advance(TTL_MS - 1);
    expect(await store.get('a')).toBe('text');
    clock.advance(1);
    expect(await store.get('a')).toBeUndefined();
  });

  it('the embedded store compresses texts and accepts ids of any length [P35]', async () => {
    const { store, fileOf } = await opened();
    const id = 'i'.repeat(5000);
    await store.put(id, 'a line of a log\n'.repeat(100_000));
    expect(statSync(fileOf(id)).size).toBeLessThan(80_000);
    expect(await store.get(id)).toHaveLength(1_600_000);
  });

  it('the embedded store rejects a text larger than its size limit, and keeps other texts [P35]', async () => {
    const { store } = await opened({ maxBytes: 100_000 });
    await store.put('a', 'text');
    await expect(store.put('b', noise(150_000))).rejects.toThrow(RangeError);
    expect(await store.get('a')).toBe('text');
  });

  it('the embedded store has one id key for all processes that open it at the same time [P25] [T10]', async () => {
    const { store, directory } = await opened();
    const other = await opened({ directory });
    const keys = await Promise.all([store.idKey(), other.store.idKey(), store.idKey()]);
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
  });

  it('the embedded store accepts one of several texts that are stored concurrently under one id [P25]', async () => {
    const { store } = await opened();
    const texts = Array.from({ length: 20 }, (_, number) => `text ${number}`);
    const won = await Promise.all(texts.map((text) => store.putNew('prn_same', text)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await store.get('prn_same')).toBe(texts[won.indexOf(true)]);
  });

  it('the embedded store reports number of texts, bytes on disk and last expiry, excluding records of cuts [A17]', async () => {
    const { store, clock } = await opened();
    expect(await store.usage()).toEqual({ texts: 0, bytes: 0 });
    await store.put('a', 'text');
    clock.advance(1000);
    await store.put('b', noise(14_000));
    await store.put(noteKey('a'), 'why');
    await store.put(`alice/${noteKey('a')}`, 'why');
    const until = clock.now() + TTL_MS;
    expect(await store.usage()).toEqual({ texts: 2, bytes: 3 * 4096 + 12_288, until });
    expect(await store.heldBytes()).toBe(3 * 4096 + 12_288);
    clock.advance(TTL_MS - 500);
    expect(await store.usage()).toMatchObject({ texts: 1, until });
  });

  it('empty deletes all texts, set-aside copies and recorded limits, and keeps the id key [A17] [X26]', async () => {
    const { store, directory, clock } = await opened({ maxBytes: 1e9 });
    const key = Buffer.from(await store.idKey());
    for (const id of ['a', 'b', noteKey('a')]) await store.put(id, id);
    writeFileSync(join(directory, 'data.mdb.set-aside-1'), 'texts of an earlier version');
    expect(await store.empty()).toBe(2);
    expect(await store.usage()).toEqual({ texts: 0, bytes: 0 });
    expect(readdirSync(directory).sort()).toEqual(['drafts', 'id-key', 'texts']);
    expect(Buffer.from(await store.idKey()).equals(key)).toBe(true);
    const { store: small } = await opened({ directory, maxBytes: 8192, clock });
    for (const id of ['c', 'd', 'e']) {
      await small.put(id, id);
      clock.advance(1);
    }
    await small.sweep();
    expect((await small.usage()).texts).toBe(1);
  });
});

describe('sweeping the embedded store', () => {
  it('sweep deletes the texts that expire first when the store is full, and keeps a renewed text [P35]', async () => {
    const { store, clock } = await opened({ maxBytes: 16 * 4096 });
    for (let number = 0; number < 20; number += 1) {
      await store.putNew(`prn_${number}`, `text ${number}`);
      clock.advance(1);
    }
    await store.putNew('prn_0', 'text 0');
    await store.sweep();
    const kept: number[] = [];
    for (let number = 0; number < 20; number += 1)
      if ((await store.get(`prn_${number}`)) !== undefined) kept.push(number);
    expect(kept).toEqual([0, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(await store.heldBytes()).toBe(15 * 4096);
  });

  it('the embedded store sweeps in the background after a sixteenth of its size limit was added [P35]', async () => {
    const { store, clock } = await opened({ maxBytes: 64 * 4096 });
    for (let number = 0; number < 300; number += 1) {
      await store.put(`prn_${number}`, 'text');
      clock.advance(1);
    }
    await store.close();
    expect([await store.get('prn_0'), await store.get('prn_299')]).toEqual([undefined, 'text']);
  });

  it('sweep keeps an expired text for a second time to live, so that a wrong clock loses nothing [X26]', async () => {
    const { store, clock } = await opened();
    await store.put('a', 'text');
    clock.advance(2 * TTL_MS - 1);
    await store.sweep();
    expect(await store.get('a')).toBeUndefined();
    clock.advance(-2 * TTL_MS + 2);
    expect(await store.get('a')).toBe('text');
    clock.advance(2 * TTL_MS - 1);
    await store.sweep();
    expect((await store.usage()).bytes).toBe(0);
  });

  it('sweep uses the larger of the recorded and the configured limits [X26]', async () => {
    const { store, directory, clock } = await opened({ maxBytes: 1e8, ttlMs: TTL_MS });
    for (let number = 0; number < 50; number += 1) await store.put(`prn_${number}`, 'text');
    const { store: small } = await opened({ directory, maxBytes: 8192, ttlMs: 1000, clock });
    clock.advance(5000);
    await small.put('mine', 'text');
    await small.sweep();
    expect((await store.usage()).texts).toBe(51);
  });

  it('only one process sweeps the embedded store, and it takes over the lock of a killed process [X26]', async () => {
    const { store, directory, clock } = await opened();
    await store.put('a', 'text');
    clock.advance(3 * TTL_MS);
    const lock = join(directory, 'sweeping');
    writeFileSync(lock, 'another process');
    await store.sweep();
    expect((await store.usage()).bytes).toBe(4096);
    utimesSync(lock, 1000, 1000);
    await store.sweep();
    await store.sweep();
    expect((await store.usage()).bytes).toBe(0);
    expect(existsSync(lock)).toBe(false);
  });

  it('sweep keeps texts that another process renews during the sweep [X26]', async () => {
    const { store, directory, clock } = await opened();
    const other = await opened({ directory, clock });
    for (let round = 0; round < 10; round += 1) {
      for (let number = 0; number < 30; number += 1) await store.putNew(`prn_${number}`, `text ${number}`);
      clock.advance(2 * TTL_MS + 1);
      const renewed = Array.from({ length: 30 }, (_, number) =>
        other.store.putNew(`prn_${number}`, `text ${number}`),
      );
      await Promise.all([store.sweep(), ...renewed]);
      for (let number = 0; number < 30; number += 1)
        expect(await store.get(`prn_${number}`), `round ${round}`).toBe(`text ${number}`);
    }
  });

  it('sweep deletes drafts that a killed process left, and keeps drafts of a running process', async () => {
    const { store, directory } = await opened();
    await store.put('a', 'text');
    writeFileSync(join(directory, 'drafts', 'fresh'), '');
    await store.sweep();
    expect(readdirSync(join(directory, 'drafts'))).toEqual(['fresh']);
  });
});

function instead(file: string, make: () => unknown): void {
  rmSync(file);
  make();
}

describe('a damaged embedded store', () => {
  it.each<[string, (file: string) => void]>([
    ['cut short', (file) => truncateSync(file, 100)],
    ['empty', (file) => truncateSync(file, 0)],
    ['overwritten', (file) => writeFileSync(file, randomBytes(500))],
    ['longer', (file) => writeFileSync(file, 'x', { flag: 'a' })],
    ['a folder', (file) => instead(file, () => mkdirSync(join(file, 'below'), { recursive: true }))],
    ['a link', (file) => instead(file, () => symlinkSync('/etc/hostname', file))],
    ['a pipe', (file) => instead(file, () => execFileSync('mkfifo', [file]))],
  ])('get rejects a text whose file is %s; remember stores it again [X5] [X19]', async (_how, damage) => {
    const { store, fileOf } = await opened();
    const recovery = createRecovery({ store, randomBytes });
    const text = randomBytes(300).toString('hex');
    const { id } = await recovery.remember(text, []);
    damage(fileOf(id));
    await expect(recovery.recover(id, [{ start: 1, end: 1 }])).rejects.toMatchObject({
      code: 'prune_id_not_found',
      data: { prune_id: id, reason: 'damaged' },
    });
    expect(await recovery.remember(text, [])).toEqual({ kind: 'stored', id });
    expect((await recovery.recover(id, [{ start: 1, end: 1 }])).texts).toEqual([text]);
  });

  it('the embedded store never returns a text if any bit of its file was changed [X5] [X19]', async () => {
    const { store, fileOf } = await opened();
    await store.put('a', 'a text');
    const bytes = readFileSync(fileOf('a'));
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(fileOf('a'), changed);
      await expect(store.get('a'), `bit ${bit}`).rejects.toThrow('checksum');
    }
  });

  it('get of the embedded store rejects if the file of an id was overwritten with the file of another id [X5]', async () => {
    const { store, fileOf } = await opened();
    await store.put('a', 'one');
    await store.put('b', 'other');
    writeFileSync(fileOf('a'), readFileSync(fileOf('b')));
    await expect(store.get('a')).rejects.toThrow('checksum');
  });

  it('the embedded store keeps working if its folders are deleted while it is open [X5] [X19]', async () => {
    const { store, directory } = await opened();
    await store.put('a', 'text');
    rmSync(directory, { recursive: true });
    expect(await store.get('a')).toBeUndefined();
    await store.put('b', 'new');
    expect(await store.get('b')).toBe('new');
  });

  it.each<[string, string, (path: string) => void]>([
    ['a file', 'texts', (path) => writeFileSync(path, 'x')],
    ['a link to nothing', 'texts', (path) => symlinkSync('/nowhere/at/all', path)],
    ['a file', 'drafts', (path) => writeFileSync(path, 'x')],
    ['a pipe', 'drafts', (path) => execFileSync('mkfifo', [path])],
    ['a file', '', (path) => writeFileSync(path, 'x')],
    ['a folder', 'id-key', (path) => mkdirSync(path)],
    ['a pipe', 'id-key', (path) => execFileSync('mkfifo', [path])],
    ['half a key', 'id-key', (path) => writeFileSync(path, randomBytes(20))],
    ['another key', 'id-key', (path) => writeFileSync(path, randomBytes(36))],
  ])(
    'the embedded store sets aside %s in the place of its "%s", reports it once and works [X26] [X5]',
    async (_what, name, make) => {
      const directory = join(temporaryFolder(), 'recovery');
      if (name !== '') mkdirSync(directory);
      make(join(directory, name));
      const { store, moved } = await opened({ directory });
      const recovery = createRecovery({ store, randomBytes });
      const { id, kind } = await recovery.remember('text', []);
      expect(kind).toBe('stored');
      expect((await recovery.recover(id, [{ start: 1, end: 1 }])).texts).toEqual(['text']);
      expect(moved.map(({ movedTo }) => movedTo)).toEqual([
        expect.stringContaining(`${join(directory, name)}.set-aside-`),
      ]);
      const again = await opened({ directory });
      expect(await again.store.get(id)).toBe('text');
      expect(again.moved).toEqual([]);
    },
  );

  it('the embedded store renames the data file of an earlier version and reports it once [X26]', async () => {
    const directory = join(temporaryFolder(), 'recovery');
    mkdirSync(directory);
    for (const name of ['data.mdb', 'lock.mdb']) writeFileSync(join(directory, name), 'LMDB');
    const starts = await Promise.all(Array.from({ length: 4 }, () => opened({ directory })));
    const reports = starts.flatMap(({ moved }) => moved);
    expect(reports).toEqual([
      {
        reason: 'an earlier version stored texts there in another format; they cannot be recovered',
        movedTo: expect.stringContaining('data.mdb.set-aside-'),
      },
    ]);
    expect(readFileSync(reports[0]?.movedTo ?? '', 'utf8')).toBe('LMDB');
    await starts[0]?.store.put('a', 'text');
    expect(await starts[1]?.store.get('a')).toBe('text');
  });

  it('the embedded store ignores recorded limits that cannot be read, and records its own limits', async () => {
    const { store, directory } = await opened();
    writeFileSync(join(directory, 'limits.json'), '{"maxBytes":');
    await store.put('a', 'text');
    expect(JSON.parse(readFileSync(join(directory, 'limits.json'), 'utf8'))).toEqual({
      maxBytes: 1e8,
      ttlMs: TTL_MS,
    });
  });
});

/** Fills a store in a process of its own. */
async function fill(folder: string, [file = '', ...args]: readonly string[]): Promise<unknown> {
  const script = fileURLToPath(new URL('./fill-store.ts', import.meta.url));
  const command = [...args, process.execPath, '--import', 'tsx', script, folder];
  const env = { ...process.env, TSX_DISABLE_CACHE: '1' };
  return JSON.parse((await promisify(execFile)(file, command, { env })).stdout);
}

const FILLED = { failed: 'unavailable', first: true, again: 'unavailable', small: 'unavailable' };

describe('the embedded store on a failing disk', () => {
  it.runIf(process.platform === 'linux')(
    'the embedded store keeps stored texts and runs on if files cannot grow [P34] [X5] [X19]',
    async () => {
      const limited = ['bash', '-c', `trap '' XFSZ; ulimit -f 200; exec "$0" "$@"`];
      expect(await fill(temporaryFolder(), limited)).toEqual(FILLED);
    },
  );

  describeWith(['small disk'], 'the embedded store on a full disk', () => {
    it('the embedded store keeps stored texts and runs on if the disk is full [P34] [X5] [X19]', async () => {
      const folder = temporaryFolder();
      expect(await fill(folder, onSmallDisk(folder, 2_000_000))).toEqual(FILLED);
    });
  });

  it.runIf(canSetUmask)('the embedded store creates files 0600 and folders 0700 [X16]', async () => {
    for (const umask of [0, 0o777]) {
      const before = process.umask(umask);
      onTestFinished(() => void process.umask(before));
      const { store, directory, fileOf } = await opened();
      await store.idKey();
      await store.put('a', 'text');
      process.umask(before);
      const modeOf = (path: string) => statSync(path).mode & 0o777;
      const files = [fileOf('a'), join(directory, 'id-key'), join(directory, 'limits.json')];
      expect(files.map(modeOf)).toEqual([0o600, 0o600, 0o600]);
      const folders = [
        directory,
        join(directory, 'texts'),
        join(fileOf('a'), '..'),
        join(directory, 'drafts'),
      ];
      expect(folders.map(modeOf)).toEqual([0o700, 0o700, 0o700, 0o700]);
    }
  });

  it.runIf(isPosix)('the embedded store leaves no draft if a step fails [X4]', async () => {
    const { store, directory } = await opened({ maxBytes: 100_000 });
    await store.put('a', 'text');
    await store.put('b', noise(200_000)).catch(() => {});
    chmodSync(join(directory, 'texts'), 0o500);
    await store.put('c', 'text').catch(() => {});
    chmodSync(join(directory, 'texts'), 0o700);
    expect(readdirSync(join(directory, 'drafts'))).toEqual([]);
  });

  it('checkStore returns the reason if the store cannot write [X26]', async () => {
    const { store } = await opened();
    const failing = Object.assign(store, {
      put: () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOSPC' })),
    });
    expect(await checkStore(failing, randomBytes)).toBe('the disk is full');
    const forgetful = Object.assign(store, { put: async () => {} });
    expect(await checkStore(forgetful, randomBytes)).toBe('what was written is not what is read back');
  });
});
