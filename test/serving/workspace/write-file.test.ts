import { chmod, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { writeFileInside } from '../../../packages/serving/src/workspace/files-in-root.ts';
import { temporaryTree } from '../../support/temporary-tree.ts';

// Threads cannot set the umask, and Stryker runs tests in a thread.
const canSetUmask = process.platform !== 'win32' && isMainThread;

it('writeFileInside writes a file, creates missing folders and leaves no draft', async () => {
  const root = await temporaryTree();
  await writeFileInside(root, 'specs/deep/a.md', 'héllo\n');
  expect(await readFile(join(root.real, 'specs/deep/a.md'), 'utf8')).toBe('héllo\n');
  expect(await readdir(join(root.real, 'specs/deep'))).toEqual(['a.md']);
});

it.runIf(canSetUmask)('writeFileInside creates files that only the owner can read [X16]', async () => {
  const root = await temporaryTree();
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  await writeFileInside(root, 'specs/deep/a.md', 'text');
  const modes = ['specs', 'specs/deep', 'specs/deep/a.md'].map((name) => stat(join(root.real, name)));
  expect((await Promise.all(modes)).map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o700, 0o600]);
});

it('writeFileInside replaces a whole file and keeps its permissions', async () => {
  const root = await temporaryTree({ 'run.sh': 'old' });
  await chmod(join(root.real, 'run.sh'), 0o750);
  await writeFileInside(root, 'run.sh', 'new');
  expect(await readFile(join(root.real, 'run.sh'), 'utf8')).toBe('new');
  expect((await stat(join(root.real, 'run.sh'))).mode & 0o777).toBe(0o750);
});

it('writeFileInside never shows readers a part of the new text', async () => {
  const old = 'a'.repeat(300_000);
  const fresh = 'b'.repeat(300_000);
  const root = await temporaryTree({ 'x.txt': old });
  let writing = true;
  const seen = new Set<string>();
  const reader = (async () => {
    while (writing) seen.add(await readFile(join(root.real, 'x.txt'), 'utf8'));
  })();
  for (let round = 0; round < 10; round += 1)
    await writeFileInside(root, 'x.txt', round % 2 === 0 ? fresh : old);
  writing = false;
  await reader;
  expect([...seen].every((text) => text === old || text === fresh)).toBe(true);
});

it('writeFileInside writes through a symlink inside the root and refuses a symlink to outside', async () => {
  const outside = await temporaryTree({ 'x.md': 'theirs' });
  const root = await temporaryTree({ 'real.md': 'old' });
  await symlink('real.md', join(root.real, 'link.md'));
  await writeFileInside(root, 'link.md', 'new');
  expect(await readFile(join(root.real, 'real.md'), 'utf8')).toBe('new');
  await symlink(join(outside.real, 'x.md'), join(root.real, 'out.md'));
  await symlink(outside.real, join(root.real, 'outdir'));
  for (const path of ['out.md', 'outdir/new.md', 'outdir/deep/new.md', '../new.md']) {
    await expect(writeFileInside(root, path, 'x')).rejects.toMatchObject({ code: 'invalid_path' });
  }
  expect(await readdir(outside.real)).toEqual(['x.md']);
  expect(await readFile(join(outside.real, 'x.md'), 'utf8')).toBe('theirs');
});

it('writeFileInside refuses a directory and the root itself', async () => {
  const root = await temporaryTree();
  await mkdir(join(root.real, 'dir'));
  await expect(writeFileInside(root, 'dir', 'x')).rejects.toMatchObject({ code: 'invalid_path' });
  await expect(writeFileInside(root, '.', 'x')).rejects.toMatchObject({ code: 'invalid_path' });
});
