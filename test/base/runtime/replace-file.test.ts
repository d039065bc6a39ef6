import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import {
  removeStaleFile,
  replaceFile,
  replaceFileSync,
  tryFileLock,
  withFileLock,
} from '../../../packages/base/src/runtime/writing-files.ts';
import { temporaryFolder } from '../../support/secateur-cli.ts';

const isPosix = process.platform !== 'win32';

it('[X5] replaceFile succeeds for all of 400 concurrent writers of one file', async () => {
  const path = join(temporaryFolder(), 'new', 'file.json');
  const texts = Array.from({ length: 400 }, (_, number) =>
    JSON.stringify({ number, pad: 'x'.repeat(number) }),
  );
  await Promise.all(texts.map((text) => replaceFile(path, text)));
  expect(texts).toContain(readFileSync(path, 'utf8'));
  expect(readdirSync(join(path, '..'))).toEqual(['file.json']);
});

it('[X5] replaceFile in several processes leaves one complete file and no draft', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'file');
  const script = `import { replaceFile } from ${JSON.stringify(new URL('../../../packages/base/src/runtime/writing-files.ts', import.meta.url).href)};
    for (let round = 0; round < 50; round += 1) await replaceFile(process.argv[1], process.argv[2].repeat(1000));`;
  const children = ['a', 'b', 'c', 'd'].map((letter) =>
    spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, path, letter], {
      stdio: 'inherit',
    }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(readFileSync(path, 'utf8')).toMatch(/^(?:a{1000}|b{1000}|c{1000}|d{1000})$/);
  expect(readdirSync(folder)).toEqual(['file']);
});

it.runIf(isPosix && isMainThread)(
  '[X16] replaceFile creates files with mode 0600 and folders with mode 0700 under any umask',
  async () => {
    for (const umask of [0, 0o277]) {
      const path = join(temporaryFolder(), 'new', 'file');
      const before = process.umask(umask);
      onTestFinished(() => void process.umask(before));
      await replaceFile(path, 'text');
      replaceFileSync(`${path}-2`, 'text');
      process.umask(before);
      const modes = [join(path, '..'), path, `${path}-2`].map((each) => statSync(each).mode & 0o777);
      expect(modes).toEqual([0o700, 0o600, 0o600]);
    }
  },
);

it('replaceFile keeps the old content and leaves no draft if it cannot write', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'target', 'full'), { recursive: true });
  await expect(replaceFile(join(folder, 'target'), 'text')).rejects.toThrow();
  expect(() => replaceFileSync(join(folder, 'target'), 'text')).toThrow();
  expect(readdirSync(folder)).toEqual(['target']);
});

it('replaceFile writes a file whose name has the maximum length of the system', async () => {
  const path = join(temporaryFolder(), 'é'.repeat(125));
  await replaceFile(path, 'text', 0o640);
  expect(readFileSync(path, 'utf8')).toBe('text');
  if (isPosix) expect(statSync(path).mode & 0o777).toBe(0o640);
});

it('removeStaleFile deletes a file only if its modification time is the given time', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'file');
  writeFileSync(path, 'text');
  const seen = statSync(path).mtimeMs;
  utimesSync(path, 1000, 1000);
  expect(await removeStaleFile(path, seen)).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('text');
  expect(await removeStaleFile(path, 1_000_000)).toBe(true);
  expect(await removeStaleFile(path, 1_000_000)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

it('withFileLock runs one task at a time, across all processes', async () => {
  const path = join(temporaryFolder(), 'lock');
  let [running, most] = [0, 0];
  await Promise.all(
    Array.from({ length: 8 }, () =>
      withFileLock(path, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      }),
    ),
  );
  expect(most).toBe(1);
});

it('tryFileLock takes over the lock of a killed process, and the late release of the old lock frees nothing', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'lock');
  const late = await tryFileLock(path);
  expect(await tryFileLock(path)).toBeUndefined();
  utimesSync(path, 1000, 1000);
  expect(await tryFileLock(path)).toBeUndefined();
  const release = await tryFileLock(path);
  expect(release).toBeDefined();
  await late?.();
  expect(await tryFileLock(path)).toBeUndefined();
  await release?.();
  expect(readdirSync(folder)).toEqual([]);
});

it.runIf(isPosix && process.getuid?.() !== 0)(
  'tryFileLock rejects if the folder cannot be written',
  async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o500);
    await expect(tryFileLock(join(folder, 'lock'))).rejects.toThrow('EACCES');
  },
);
