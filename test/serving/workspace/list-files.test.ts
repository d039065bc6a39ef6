import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listFiles } from '../../../packages/serving/src/workspace/list-files.ts';
import { temporaryTree } from '../../support/temporary-tree.ts';

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

it('listFiles lists the files that git would list, including hidden files, in a stable order', async () => {
  const root = await temporaryTree(IGNORING);
  execFileSync('git', ['init', '-q', root.real]);
  const git = execFileSync('git', ['-C', root.real, 'ls-files', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  const { paths } = await listFiles(root);
  expect(paths).toEqual(git.trim().split('\n').sort());
  expect(paths).toContain('.github/ci.yml');
});

it('listFiles reads ignore files outside a repository, but reads no ignore file above the root', async () => {
  const outer = await temporaryTree({ '.gitignore': '*.ts\n' });
  const root = await temporaryTree(IGNORING);
  expect((await listFiles(root)).paths).not.toContain('dist/x.js');
  const nested = { spelled: join(outer.real, 'in'), real: join(outer.real, 'in') };
  execFileSync('mkdir', ['-p', nested.real]);
  execFileSync('touch', [join(nested.real, 'x.ts')]);
  expect((await listFiles(nested)).paths).toEqual(['x.ts']);
});

it('listFiles lists the files of one folder that match globs, with paths relative to the root', async () => {
  const root = await temporaryTree({ 'a.ts': '', 'src/b.ts': '', 'src/b.test.ts': '', 'src/-c.ts': '' });
  const { paths } = await listFiles(root, { under: 'src', globs: ['*.ts', '!*.test.ts'] });
  expect(paths).toEqual(['src/-c.ts', 'src/b.ts']);
});

it('listFiles returns no paths for an empty folder, follows no symlink and reports names that it cannot decode', async () => {
  const outside = await temporaryTree({ 'secret.txt': 'x' });
  const root = await temporaryTree();
  expect(await listFiles(root)).toEqual({ paths: [], unlisted: [] });
  await symlink(outside.real, join(root.real, 'out'));
  execFileSync('bash', ['-c', 'touch "$(printf "bad\\xff.txt")"'], { cwd: root.real });
  expect(await listFiles(root)).toEqual({ paths: [], unlisted: ['bad\ufffd.txt'] });
});

it('listFiles returns names that it cannot decode in order', async () => {
  const root = await temporaryTree();
  const names = ['e', 'b', 'd', 'a', 'c'].map((name) => `"$(printf '${name}\\xff')"`);
  execFileSync('bash', ['-c', `touch ${names.join(' ')}`], { cwd: root.real });
  expect((await listFiles(root)).unlisted).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => `${name}\ufffd`));
});

it('[R12] listFiles applies ignore files above a folder of a repository, unless `apart` is set', async () => {
  const root = await temporaryTree({ '.gitignore': '*.log\n', 'a/b/x.log': '', 'a/b/y.ts': '' });
  git(root.real, 'init', '-q');
  expect((await listFiles(root, { under: 'a/b' })).paths).toEqual(['a/b/y.ts']);
  expect((await listFiles(root, { under: 'a/b', apart: false })).paths).toEqual(['a/b/y.ts']);
  expect((await listFiles(root, { under: 'a/b', apart: true })).paths).toEqual(['a/b/x.log', 'a/b/y.ts']);
});

it('[R12] listFiles includes ignored files that are tracked only below the listed folder, and includes none if globs are given', async () => {
  const root = await temporaryTree({
    '.gitignore': '*.key\n',
    'a/secret.key': '',
    'b/secret.key': '',
    'c/d/secret.key': '',
    'c/d/e.ts': '',
  });
  git(root.real, 'init', '-q');
  git(root.real, 'add', '-f', 'a/secret.key', 'c/d/secret.key');
  expect((await listFiles(root, { under: 'a' })).paths).toEqual(['a/secret.key']);
  expect((await listFiles(root, { under: 'b' })).paths).toEqual([]);
  expect((await listFiles(root, { under: 'c/d' })).paths).toEqual(['c/d/e.ts', 'c/d/secret.key']);
  expect((await listFiles(root, { globs: ['*.ts'] })).paths).toEqual(['c/d/e.ts']);
});

it('listFiles rejects with the reason if listing fails', async () => {
  const root = await temporaryTree({ 'a.ts': '' });
  const failed = (words: string, said: unknown) => ({
    code: 'list_failed',
    message: `listing files failed: ${words}`,
    data: { said },
  });
  await expect(listFiles(root, { signal: AbortSignal.abort() })).rejects.toMatchObject(
    failed('cancelled', ''),
  );
  await expect(listFiles(root, { globs: ['{'] })).rejects.toMatchObject(
    failed('exited', expect.stringMatching(/^\S.*glob[\s\S]*\S$/)),
  );
});

it('the error of listFiles contains the package to install if ripgrep is missing for the platform', async () => {
  vi.doMock('@vscode/ripgrep', () => {
    throw new Error('no binary');
  });
  onTestFinished(() => void vi.doUnmock('@vscode/ripgrep'));
  const root = await temporaryTree({ 'a.ts': '' });
  await expect(listFiles(root)).rejects.toMatchObject({
    code: 'ripgrep_missing',
    message: `ripgrep for ${process.platform}-${process.arch} is not installed`,
    hint: expect.stringContaining('--omit=optional'),
    cause: expect.any(Error),
  });
});

it('listFiles refuses a folder outside the root', async () => {
  const outside = await temporaryTree();
  const root = await temporaryTree();
  await symlink(outside.real, join(root.real, 'out'));
  await expect(listFiles(root, { under: '..' })).rejects.toMatchObject({ code: 'invalid_path' });
  await expect(listFiles(root, { under: 'out' })).rejects.toMatchObject({ code: 'invalid_path' });
});

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    encoding: 'utf8',
  });
}

it.each([2, 3, 4])(
  '[R12] listFiles includes ignored files that are tracked; index version %i',
  async (version) => {
    const root = await temporaryTree({
      ...IGNORING,
      'dist/tracked.js': '',
      'dist/long/name/b.js': '',
      'gone.log': '',
    });
    git(root.real, 'init', '-q');
    git(root.real, 'add', '.');
    git(root.real, 'add', '-f', 'dist/tracked.js', 'dist/long/name/b.js', 'gone.log', 'b/secret.key');
    if (version === 3) git(root.real, 'add', '-N', '-f', 'noise.log');
    git(root.real, 'update-index', '--index-version', `${version}`);
    execFileSync('rm', [join(root.real, 'gone.log')]);
    const expected = git(root.real, 'ls-files', '-co', '--exclude-standard').trim().split('\n');
    const { paths } = await listFiles(root);
    expect(paths).toEqual(expected.filter((path) => path !== 'gone.log').sort());
    expect(paths).toContain('dist/long/name/b.js');
    expect((await listFiles(root, { under: 'b' })).paths).toContain('b/secret.key');
  },
);

it.each([2, 4])('[R12] listFiles reads names of any length and depth, index version %i', async (version) => {
  const deep = `dist/${'long-name/'.repeat(20)}`;
  const names = Array.from({ length: 20 }, (_, length) => `dist/${'n'.repeat(length + 1)}`);
  const tracked = [...names, `${deep}a.js`, `${deep}b.js`, 'dist/after-a-long-one.js', 'dist/é.js'];
  const root = await temporaryTree({
    '.gitignore': 'dist/\n',
    ...Object.fromEntries(tracked.map((path) => [path, ''])),
    'dist/untracked.js': '',
  });
  git(root.real, 'init', '-q');
  git(root.real, 'add', '-f', '.gitignore', ...tracked);
  git(root.real, 'update-index', '--index-version', `${version}`);
  expect((await listFiles(root)).paths).toEqual(['.gitignore', ...tracked].sort());
});

it('[R12] listFiles finds tracked files of a worktree, and ignores an index in another repository', async () => {
  const root = await temporaryTree({ '.gitignore': 'x/\n', 'x/a.ts': '' });
  git(root.real, 'init', '-q');
  git(root.real, 'add', '-f', '.');
  git(root.real, 'commit', '-qm', 'a');
  const tree = join((await temporaryTree()).real, 'tree');
  git(root.real, 'worktree', 'add', '-q', tree);
  expect((await listFiles({ spelled: tree, real: tree })).paths).toEqual(['.gitignore', 'x/a.ts']);
  const outside = await temporaryTree({ 'a.ts': '' });
  execFileSync('rm', ['-r', join(tree, 'x')]);
  await symlink(outside.real, join(tree, 'x'));
  expect((await listFiles({ spelled: tree, real: tree })).paths).toEqual(['.gitignore']);
});

it.each([
  ['another signature', 0, 'DIRX'],
  ['an older version', 4, '\0\0\0\u0001'],
  ['a newer version', 4, '\0\0\0\u0005'],
])('[R12] listFiles ignores an index with %s', async (_, at, bytes) => {
  const root = await temporaryTree({ '.gitignore': 'dist/\n', 'dist/tracked.js': '' });
  git(root.real, 'init', '-q');
  git(root.real, 'add', '-f', '.gitignore', 'dist/tracked.js');
  expect((await listFiles(root)).paths).toEqual(['.gitignore', 'dist/tracked.js']);
  const index = join(root.real, '.git', 'index');
  const content = await readFile(index);
  content.write(bytes, at, 'latin1');
  await writeFile(index, content);
  expect((await listFiles(root)).paths).toEqual(['.gitignore']);
});

it('[R12] listFiles omits an embedded repository (gitlink) that the index lists', async () => {
  const root = await temporaryTree({ 'inner/a.ts': '', 'b.ts': '' });
  git(root.real, 'init', '-q');
  const inner = join(root.real, 'inner');
  git(inner, 'init', '-q');
  git(inner, 'add', '.');
  git(inner, 'commit', '-qm', 'a');
  git(root.real, '-c', 'advice.addEmbeddedRepo=false', 'add', '.');
  expect(git(root.real, 'ls-files').split('\n')).toContain('inner');
  expect((await listFiles(root)).paths).not.toContain('inner');
});

it.runIf(existsSync('/proc/self/fd'))('[R12] listFiles leaves no descriptor open', async () => {
  const root = await temporaryTree({ 'a.ts': '' });
  git(root.real, 'init', '-q');
  git(root.real, 'add', '.');
  await listFiles(root);
  const before = readdirSync('/proc/self/fd').length;
  for (let at = 0; at < 5; at += 1) await listFiles(root);
  expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 5);
});

it('[R12] listFiles ignores an index of unknown format', async () => {
  const root = await temporaryTree({ 'a.ts': '', '.git/index': 'DIRC\0\0\0\u0002\0\0\0\u0009short' });
  expect((await listFiles(root)).paths).toEqual(['a.ts']);
});

it.runIf(process.platform === 'linux')(
  '[R12] listFiles reports folders that are too deep to enter, and lists the other files',
  async () => {
    const root = await temporaryTree({ 'a.ts': '' });
    const names = [`first: (os error 1) ${'d'.repeat(220)}rg: .`, `second\n${'d'.repeat(240)}`];
    const descend = 'for name; do (for _ in $(seq 18); do mkdir "$name" && cd "$name"; done); done';
    execFileSync('bash', ['-c', descend, 'bash', ...names], { cwd: root.real });
    // Only a program that descends step by step can delete the folder.
    onTestFinished(() => void execFileSync('rm', ['-r', ...names], { cwd: root.real }));
    const { paths, unlisted } = await listFiles(root);
    expect(paths).toEqual(['a.ts']);
    expect(unlisted).toEqual(names.map((name) => `${name}/`.repeat(17)));
  },
);

// Root can read every folder, so the test is skipped.
it.skipIf(process.getuid?.() === 0)('[R12] listFiles reports a folder without read permission', async () => {
  const root = await temporaryTree({ 'a.ts': '', 'closed/b.ts': '' });
  await chmod(join(root.real, 'closed'), 0);
  expect(await listFiles(root)).toEqual({ paths: ['a.ts'], unlisted: ['closed/'] });
  await chmod(join(root.real, 'closed'), 0o700);
});
