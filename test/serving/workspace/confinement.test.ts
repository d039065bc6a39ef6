import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { DomainError } from '../../../packages/base/src/runtime/domain-error.ts';
import { readFileInside, writeFileInside } from '../../../packages/serving/src/workspace/files-in-root.ts';
import {
  fileFailure,
  openDirectory,
  openedPath,
  openInside,
  openRoot,
  realDirectory,
  resolveInRoot,
} from '../../../packages/serving/src/workspace/root.ts';
import { temporaryTree } from '../../support/temporary-tree.ts';

const isLinux = process.platform === 'linux';
const openDescriptors = () => readdirSync('/proc/self/fd').length;

it('[FV4] openRoot accepts an existing directory and returns its given and its real path', async () => {
  const tree = await temporaryTree({ 'a.txt': 'x' });
  const link = join((await temporaryTree()).real, 'link');
  await symlink(tree.real, link);
  expect(await openRoot(relative(process.cwd(), link))).toEqual({ spelled: link, real: tree.real });
  const missing = join(tree.real, 'missing');
  await expect(openRoot(missing)).rejects.toMatchObject({
    code: 'invalid_root_dir',
    message: `root directory does not exist: ${missing}`,
  });
  const file = join(tree.real, 'a.txt');
  await expect(openRoot(file)).rejects.toMatchObject({
    code: 'invalid_root_dir',
    message: `root is not a directory: ${file}`,
  });
});

it('[FV8] resolveInRoot returns the reason for a refused path and the absolute path of an accepted one', async () => {
  const root = await temporaryTree();
  const reasonOf = (path: string) => resolveInRoot(root, path);
  expect(reasonOf('')).toEqual({ kind: 'refused', reason: 'must not be empty' });
  expect(reasonOf('a\0b')).toEqual({ kind: 'refused', reason: 'must not contain a NUL character' });
  for (const outside of ['..', '../x', '/', join(root.real, '..'), `${root.real}x`])
    expect(reasonOf(outside)).toEqual({ kind: 'refused', reason: 'must stay within the root directory' });
  expect(reasonOf(root.real)).toEqual({ kind: 'inside', path: '.', absolute: root.real });
  expect(reasonOf('a/b')).toEqual({ kind: 'inside', path: 'a/b', absolute: join(root.real, 'a/b') });
  expect(reasonOf('..x/..')).toEqual({ kind: 'inside', path: '.', absolute: root.real });
  await expect(readFileInside(root, '../x', { maxBytes: 10 })).rejects.toMatchObject({
    code: 'invalid_path',
    message: '"../x" must stay within the root directory',
  });
});

it('[FV13] [X15] realDirectory accepts a directory inside the root, and rejects a file, a missing path and a link to outside', async () => {
  const outside = await temporaryTree({ 'x.txt': '' });
  const root = await temporaryTree({ 'sub/a.txt': 'x' });
  await symlink('sub', join(root.real, 'link'));
  await symlink(outside.real, join(root.real, 'out'));
  expect(await realDirectory(root, 'link')).toBe(join(root.real, 'sub'));
  expect(await realDirectory(root, '.')).toBe(root.real);
  await expect(realDirectory(root, 'sub/a.txt')).rejects.toMatchObject({ code: 'not_found' });
  await expect(realDirectory(root, 'gone')).rejects.toMatchObject({ code: 'not_found' });
  await expect(realDirectory(root, 'out')).rejects.toMatchObject({
    code: 'invalid_path',
    message: 'out leads out of the root directory',
    hint: expect.stringContaining('symbolic link'),
  });
});

it.runIf(isLinux)(
  '[X15] a program starts in the directory that was opened, even if another directory has that name now',
  async () => {
    const outside = await temporaryTree();
    const root = await temporaryTree({ 'sub/a.txt': '' });
    const opened = await openDirectory(root, 'sub');
    expect(opened.path).toBe(join(root.real, 'sub'));
    await rename(join(root.real, 'sub'), join(root.real, 'moved'));
    await symlink(outside.real, join(root.real, 'sub'));
    const listed = execFileSync('ls', { cwd: opened.cwd, encoding: 'utf8' });
    await opened.close();
    expect(listed).toBe('a.txt\n');
  },
);

it.runIf(isLinux)('[X4] reading, listing and writing close every descriptor, also if refused', async () => {
  const outside = await temporaryTree({ 'x.txt': '' });
  const root = await temporaryTree({ 'sub/a.txt': 'x' });
  await symlink(outside.real, join(root.real, 'out'));
  const before = openDescriptors();
  for (const path of ['sub/a.txt', 'sub', 'out/x.txt', 'gone']) {
    await readFileInside(root, path, { maxBytes: 10 }).catch(() => {});
    await realDirectory(root, path).catch(() => {});
    await openDirectory(root, path).then(
      (opened) => opened.close(),
      () => {},
    );
    await writeFileInside(root, join(path, 'b.txt'), 'y').catch(() => {});
  }
  expect(openDescriptors()).toBe(before);
});

it.each([
  ['ENOENT', 'not_found', 'no such file or directory'],
  ['ENOTDIR', 'not_found', 'a part of the path is not a directory'],
  ['EACCES', 'permission_denied', 'permission denied'],
  ['EPERM', 'permission_denied', 'operation not permitted'],
  ['EISDIR', 'invalid_path', 'is a directory'],
  ['ELOOP', 'invalid_path', 'too many symbolic links'],
  ['ENAMETOOLONG', 'invalid_path', 'name too long'],
  ['ENXIO', 'invalid_path', 'is not a regular file'],
  ['EMFILE', 'io_error', 'file system error EMFILE'],
])('[FE3] fileFailure reports %s as %s with a fixed message', (errno, code, words) => {
  const cause = Object.assign(new Error('theirs'), { code: errno });
  expect(fileFailure('a.txt', cause)).toMatchObject({
    code,
    message: `a.txt: ${words}`,
    data: { errno },
    cause,
  });
});

it('[FE3] fileFailure treats an error without a code as an error of the file system, and returns a DomainError unchanged', () => {
  expect(fileFailure('a', undefined)).toMatchObject({ code: 'io_error', data: { errno: 'unknown' } });
  expect(fileFailure('a', new Error('x')).message).toBe('a: file system error unknown');
  const own = new DomainError('invalid_path', 'ours');
  expect(fileFailure('a', own)).toBe(own);
});

it('[FV8] readFileInside reports the kind of a special file; a NUL in the first 8,000 bytes makes a file binary', async () => {
  const root = await temporaryTree({
    'dir/x': '',
    'early.bin': `${'a'.repeat(7_999)}\0`,
    'late.txt': `${'a'.repeat(8_000)}\0`,
  });
  execFileSync('mkfifo', [join(root.real, 'fifo')]);
  await expect(readFileInside(root, 'dir', { maxBytes: 10 })).rejects.toMatchObject({
    code: 'invalid_path',
    message: 'dir: is a directory',
  });
  await expect(readFileInside(root, 'fifo', { maxBytes: 10 })).rejects.toMatchObject({
    code: 'invalid_path',
    message: 'fifo: is not a regular file',
  });
  await expect(readFileInside(root, 'early.bin', { maxBytes: 9_000 })).rejects.toThrow(
    'early.bin: is a binary file; only text can be read',
  );
  expect(await readFileInside(root, 'late.txt', { maxBytes: 9_000 })).toMatchObject({
    fileBytes: 8_001,
    truncated: false,
  });
});

it.runIf(isLinux)('[F8] readFileInside reads a file of reported size 0 up to the limit', async () => {
  const root = await openRoot('/proc/self');
  const whole = await readFile('/proc/self/mountinfo', 'utf8');
  expect(await readFileInside(root, 'mountinfo', { maxBytes: 10_000_000 })).toMatchObject({
    text: whole,
    truncated: false,
  });
  // Longer than a first guess at what an empty file may hold.
  const smaps = await readFileInside(root, 'smaps', { maxBytes: 70_000 });
  expect([Buffer.byteLength(smaps.text), smaps.truncated]).toEqual([70_000, true]);
});

it('[X15] writeFileInside writes only to a regular file, and reports what it found instead', async () => {
  const root = await temporaryTree({ 'a.txt': 'x' });
  await mkdir(join(root.real, 'dir'));
  execFileSync('mkfifo', [join(root.real, 'fifo')]);
  await symlink('nowhere.md', join(root.real, 'dangling'));
  const refusals = {
    '.': 'is a directory',
    dir: 'is not a regular file',
    fifo: 'is not a regular file',
    dangling: 'no such file or directory',
    'a.txt/b': 'a part of the path is not a directory',
  };
  for (const [path, words] of Object.entries(refusals))
    await expect(writeFileInside(root, path, 'y'), path).rejects.toThrow(words);
  expect(await readFile(join(root.real, 'a.txt'), 'utf8')).toBe('x');
});

it('[X4] writeFileInside leaves no draft if the draft cannot be renamed', async () => {
  const root = await temporaryTree({ 'a.txt': 'x' });
  const long = 'n'.repeat(300);
  await expect(writeFileInside(root, long, 'y')).rejects.toMatchObject({
    code: 'invalid_path',
    message: `${long}: name too long`,
  });
  expect(await readdir(root.real)).toEqual(['a.txt']);
  // The name of a draft is shorter than the name of its file.
  const longest = `${'n'.repeat(252)}.md`;
  await writeFileInside(root, longest, 'y');
  expect((await readdir(root.real)).map((name) => basename(name))).toEqual(['a.txt', longest]);
});

it('[X15] writeFileInside follows a folder link inside the root, but not a folder link to outside', async () => {
  const outside = await temporaryTree();
  const root = await temporaryTree({ 'real/x': '' });
  await symlink('real', join(root.real, 'in'));
  await symlink(outside.real, join(root.real, 'real/out'));
  await writeFileInside(root, 'in/deep/a.md', 'text');
  expect(await readFile(join(root.real, 'real/deep/a.md'), 'utf8')).toBe('text');
  await expect(writeFileInside(root, 'in/out/a.md', 'text')).rejects.toMatchObject({ code: 'invalid_path' });
  await writeFile(join(root.real, 'real/deep/a.md'), 'changed');
  await writeFileInside(root, join(root.real, 'in/deep/a.md'), 'again');
  expect(await readFile(join(root.real, 'real/deep/a.md'), 'utf8')).toBe('again');
  expect(await readdir(outside.real)).toEqual([]);
});

it.runIf(process.platform !== 'win32')(
  '[X16] writeFileInside creates files that only the owner can read, and keeps the mode of an existing file',
  async () => {
    const root = await temporaryTree({ 'shared.md': 'old' });
    const modeOf = async (name: string) => (await stat(join(root.real, name))).mode & 0o777;
    // More permissions than a usual umask allows.
    await chmod(join(root.real, 'shared.md'), 0o666);
    await writeFileInside(root, 'shared.md', 'new');
    await writeFileInside(root, 'new.md', 'new');
    expect([await modeOf('shared.md'), await modeOf('new.md')]).toEqual([0o666, 0o600]);
  },
);

it.runIf(isLinux)('[X15] openedPath reads the path of an open file from its descriptor', async () => {
  const root = await temporaryTree({ 'a.txt': 'a', 'b.txt': 'b' });
  const { handle } = await openInside(root, 'a.txt');
  try {
    await rename(join(root.real, 'a.txt'), join(root.real, 'moved.txt'));
    await symlink('b.txt', join(root.real, 'a.txt'));
    expect(await openedPath(handle, join(root.real, 'a.txt'))).toBe(join(root.real, 'moved.txt'));
  } finally {
    await handle.close();
  }
});

it('[F8] readFileInside shortens a text that exceeds the limit after conversion to UTF-8, and reports it', async () => {
  const root = await temporaryTree({ 'latin.txt': Buffer.from('\xe9'.repeat(200), 'latin1') });
  expect(await readFileInside(root, 'latin.txt', { maxBytes: 300 })).toEqual({
    text: '\ufffd'.repeat(100),
    fileBytes: 200,
    truncated: true,
    hasInvalidUtf8: true,
  });
});
