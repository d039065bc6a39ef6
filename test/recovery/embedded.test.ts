import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EmbeddedStore } from '../../src/recovery/stores/embedded.ts';
import { handClock } from '../support/hand-clock.ts';
import { describeStoreContract } from './store-contract.ts';

const TTL_MS = 600_000;
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
    'says that its file was %s, where opening it would end the process [P35]',
    async (_how, damage, words) => {
      const directory = await folder();
      const options = { directory, ttlMs: TTL_MS, maxBytes: 1e8, clock: handClock(), randomBytes };
      const store = await EmbeddedStore.open(options);
      await store.put('a', 'text'.repeat(10_000));
      await store.close();
      await damage(join(directory, 'data.mdb'));
      await expect(EmbeddedStore.open(options)).rejects.toMatchObject({
        code: 'store_damaged',
        message: expect.stringContaining(`data.mdb is damaged: ${words}`),
      });
    },
  );

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
});
