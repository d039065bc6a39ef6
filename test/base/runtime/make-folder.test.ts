import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../../../packages/base/src/runtime/writing-files.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'secateur-folder-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('makeFolder creates a folder and its parents, and accepts an existing folder', async () => {
  const path = join(root, 'a', 'b', 'c');
  makeFolder(path);
  makeFolder(path);
  const made = await stat(join(root, 'a'));
  expect(made.isDirectory()).toBe(true);
  if (process.platform !== 'win32') expect(made.mode & 0o077).toBe(0);
});

it('makeFolder fails if a file has the name of the folder', async () => {
  await writeFile(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(root, 'file', 'below'))).toThrow('ENOTDIR');
});

it.runIf(existsSync('/proc/self'))('makeFolder throws if a folder cannot be created', () => {
  expect(() => makeFolder('/proc/secateur/data')).toThrow('ENOENT');
});
