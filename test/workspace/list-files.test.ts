import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listFiles } from '../../src/workspace/list-files.ts';
import { temporaryTree } from '../support/temporary-tree.ts';

const IGNORING = {
  '.gitignore': 'dist/\n*.log\n!keep.log\n/only-top.txt\n',
  'a.ts': '',
  'b/c.ts': '',
  'b/only-top.txt': '',
  'only-top.txt': '',
  'dist/x.js': '',
  'noise.log': '',
  'keep.log': '',
  '.github/ci.yml': '',
  'b/.gitignore': 'secret.*\n',
  'b/secret.key': '',
  '.ignore': 'a.ts\n',
};

it('lists what git would list, hidden files too, in a stable order', async () => {
  const root = await temporaryTree(IGNORING);
  execFileSync('git', ['init', '-q', root.real]);
  const git = execFileSync('git', ['-C', root.real, 'ls-files', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  const { paths } = await listFiles(root);
  expect(paths).toEqual(git.trim().split('\n').sort());
  expect(paths).toContain('.github/ci.yml');
});

it('reads ignore files outside a repository too, and nothing above the root', async () => {
  const outer = await temporaryTree({ '.gitignore': '*.ts\n' });
  const root = await temporaryTree(IGNORING);
  expect((await listFiles(root)).paths).not.toContain('dist/x.js');
  const nested = { spelled: join(outer.real, 'in'), real: join(outer.real, 'in') };
  execFileSync('mkdir', ['-p', nested.real]);
  execFileSync('touch', [join(nested.real, 'x.ts')]);
  expect((await listFiles(nested)).paths).toEqual(['x.ts']);
});

it('lists one folder, with globs, and names files from the root', async () => {
  const root = await temporaryTree({ 'a.ts': '', 'src/b.ts': '', 'src/b.test.ts': '', 'src/-c.ts': '' });
  const { paths } = await listFiles(root, { under: 'src', globs: ['*.ts', '!*.test.ts'] });
  expect(paths).toEqual(['src/-c.ts', 'src/b.ts']);
});

it('is empty for an empty folder, follows no symlink and counts names it cannot spell', async () => {
  const outside = await temporaryTree({ 'secret.txt': 'x' });
  const root = await temporaryTree();
  expect(await listFiles(root)).toEqual({ paths: [], unreadableNames: 0 });
  await symlink(outside.real, join(root.real, 'out'));
  execFileSync('bash', ['-c', 'touch "$(printf "bad\\xff.txt")"'], { cwd: root.real });
  expect(await listFiles(root)).toEqual({ paths: [], unreadableNames: 1 });
});

it('refuses a folder outside the root', async () => {
  const outside = await temporaryTree();
  const root = await temporaryTree();
  await symlink(outside.real, join(root.real, 'out'));
  await expect(listFiles(root, { under: '..' })).rejects.toMatchObject({ code: 'invalid_path' });
  await expect(listFiles(root, { under: 'out' })).rejects.toMatchObject({ code: 'invalid_path' });
});
