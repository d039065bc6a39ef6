import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DomainError } from '../../../packages/base/src/runtime/domain-error.ts';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { openRoot, type WorkspaceRoot } from '../../../packages/serving/src/workspace/root.ts';
import type { ProcessSlots } from '../../../packages/serving/src/workspace/run-program.ts';
import { type SearchRequest, searchFiles } from '../../../packages/serving/src/workspace/search-files.ts';
import { temporaryTree } from '../../support/temporary-tree.ts';

function search(root: WorkspaceRoot, pattern: string, more: Partial<SearchRequest> = {}) {
  return searchFiles(root, {
    pattern,
    paths: ['.'],
    fixedString: false,
    caseSensitive: true,
    maxMatches: 500,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    clock: systemClock,
    ...more,
  });
}

async function found(root: WorkspaceRoot, pattern: string, more: Partial<SearchRequest> = {}) {
  const outcome = await search(root, pattern, more);
  if (outcome.kind !== 'searched') throw new Error(JSON.stringify(outcome));
  return outcome;
}

it('searchFiles returns lines with path, line and column [F7]', async () => {
  const root = await temporaryTree({ 'src/a.ts': 'one\nconst needle = 1;\r\n', 'b.ts': 'needle\n' });
  expect((await found(root, 'need.e')).matches).toEqual([
    { path: 'b.ts', line: 1, column: 1, text: 'needle' },
    { path: 'src/a.ts', line: 2, column: 7, text: 'const needle = 1;' },
  ]);
});

it('searchFiles omits the carriage return at the end of a line [F7]', async () => {
  const root = await temporaryTree({ 'dos.c': 'x();\r\ny\r\n', 'unix.c': 'x();\n' });
  expect((await found(root, '^x.*;$')).matches).toEqual([
    { path: 'dos.c', line: 1, column: 1, text: 'x();' },
    { path: 'unix.c', line: 1, column: 1, text: 'x();' },
  ]);
});

it('searchFiles returns an empty list if nothing matches [F7]', async () => {
  const root = await temporaryTree({ 'a.txt': 'x' });
  expect(await search(root, 'nothing')).toMatchObject({
    kind: 'searched',
    matches: [],
    matchCount: 0,
    isCountExact: true,
  });
});

it('searchFiles accepts a pattern or path that starts with a dash [F7]', async () => {
  const root = await temporaryTree({ '-e': 'x --files y\n', 'a.txt': '--files\n' });
  expect((await found(root, '--files')).matches).toHaveLength(2);
  expect((await found(root, '--files', { paths: ['-e'] })).matches).toMatchObject([{ path: '-e' }]);
});

it('searchFiles returns the first matches in path order, and returns the same matches in every run [F7]', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `d${index % 7}/f${index}.txt`);
  const root = await temporaryTree(Object.fromEntries(names.map((name) => [name, 'hit\nmiss\nhit\n'])));
  const all = (await found(root, 'hit', { maxMatches: 5_000 })).matches;
  expect(all).toHaveLength(600);
  const order = names.sort().flatMap((path) => [`${path}:1`, `${path}:3`]);
  expect(all.map(({ path, line }) => `${path}:${line}`)).toEqual(order);
  for (const maxMatches of [1, 7, 100, 599]) {
    const some = await found(root, 'hit', { maxMatches });
    expect(some).toMatchObject({ matches: all.slice(0, maxMatches), matchCount: 600, isCountExact: true });
  }
  expect(await found(root, 'hit', { maxMatches: 600 })).toMatchObject({
    matchCount: 600,
    isCountExact: true,
  });
});

it('searchFiles stops early for a pattern that matches everywhere, and returns the first matches in order [F7]', async () => {
  const names = ['a/z.txt', 'a-b.txt', 'b/\u{1f389}.txt', 'b/\uf900.txt', 'c/d/e.txt', 'c/d.txt', 'c.txt'];
  const root = await temporaryTree(Object.fromEntries(names.map((name) => [name, 'hit\n'.repeat(40)])));
  const all = (await found(root, 'hit', { maxMatches: 5_000 })).matches;
  expect(all).toHaveLength(280);
  expect([...new Set(all.map(({ path }) => path))].slice(0, 2)).toEqual(['a/z.txt', 'a-b.txt']);
  for (const maxMatches of [1, 5, 13, 50, 130, 250]) {
    const early = await found(root, 'hit', { maxMatches });
    expect(early).toMatchObject({ matches: all.slice(0, maxMatches), matchCount: 280, isCountExact: true });
  }
});

it.each([
  { paths: ['.'] },
  { paths: ['a', '.', 'a/é.txt', './a'] },
  { paths: ['a/é.txt', 'b.txt', 'a/odd\nname.txt'] },
  { paths: ['.', 'a'], throughHandles: false },
])('searchFiles counts every matching line once, also beyond maxMatches: %j [F17]', async (where) => {
  const root = await temporaryTree({
    'a/é.txt': 'hit hit\nmiss\n'.repeat(70),
    'a/odd\nname.txt': 'hit\n'.repeat(20),
    'b.txt': 'hit\r\n'.repeat(5),
    '.ignore': 'ignored.txt\n',
    'ignored.txt': 'hit\n',
  });
  for (const maxMatches of [1, 30, 94, 95]) {
    const outcome = await found(root, 'hit$', { maxMatches, ...where });
    expect(outcome).toMatchObject({ matchCount: 95, isCountExact: true });
    expect(outcome.matches).toHaveLength(Math.min(95, maxMatches));
  }
});

it('searchFiles reports an inexact count if no process can count the other matches [F17]', async () => {
  const root = await temporaryTree({ 'a.txt': 'hit\n'.repeat(50) });
  let free = 1;
  const place = { ready: Promise.resolve(), leave: () => {} };
  const slots: ProcessSlots = { enter: () => (free-- > 0 ? place : undefined) };
  const outcome = await found(root, 'hit', { maxMatches: 20, slots });
  expect(outcome).toMatchObject({ matchCount: 20, isCountExact: false });
  expect(outcome.matches).toHaveLength(20);
});

it('searchFiles returns matches of several files in path order, not in the given order [F7]', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `${String.fromCharCode(97 + index)}.txt`);
  const root = await temporaryTree(
    Object.fromEntries(names.map((name) => [name, `hit ${'x'.repeat(50_000)}\n`.repeat(4)])),
  );
  for (const paths of [names.toReversed(), ['.', 'l.txt']]) {
    const { matches } = await found(root, 'hit', { paths, maxMatches: 3 });
    expect(matches.map(({ path, line }) => `${path}:${line}`)).toEqual(['a.txt:1', 'a.txt:2', 'a.txt:3']);
  }
});

it('searchFiles returns the same matches on a system without /proc', async () => {
  const root = await temporaryTree({ 'a.txt': 'hit\n', 'd/b.txt': 'hit\n', 'd/-e': 'hit\n' });
  for (const paths of [['.'], ['d'], ['a.txt', 'd/b.txt', 'd']]) {
    const through = async (throughHandles: boolean) =>
      (await found(root, 'hit', { paths, throughHandles })).matches;
    expect(await through(false)).toEqual(await through(true));
  }
});

it('searchFiles never returns outside files if a folder is replaced by a link during the search', async () => {
  const outside = await temporaryTree({ 'x.txt': 'hit SECRET\n' });
  const root = await temporaryTree({ 'in/x.txt': 'hit fine\n' });
  const swap = `while :; do mv in aside; ln -s '${outside.real}' in; rm in; mv aside in; done`;
  const swapper = spawn('bash', ['-c', swap], { cwd: root.real, stdio: 'ignore', detached: true });
  const seen: string[] = [];
  try {
    for (let round = 0; round < 120; round += 1) {
      const paths = [round % 2 === 0 ? 'in' : 'in/x.txt'];
      const outcome = await search(root, 'hit', { paths }).catch((error) => error);
      if (outcome.kind === 'searched')
        seen.push(...outcome.matches.map(({ text }: { text: string }) => text));
    }
  } finally {
    // Kills the children of the shell too: a last `mv` would fill the folder while it is being removed.
    process.kill(-(swapper.pid ?? 0), 'SIGKILL');
    await once(swapper, 'close');
  }
  expect(seen).not.toContain('hit SECRET');
});

it('searchFiles returns matches once if a path is given twice', async () => {
  const root = await temporaryTree({ 'd/a.txt': 'hit\n' });
  expect((await found(root, 'hit', { paths: ['.', 'd', 'd/a.txt'] })).matches).toHaveLength(1);
});

it('searchFiles supports fixed strings and case-insensitive search', async () => {
  const root = await temporaryTree({ 'a.txt': 'A.B\naxb\n' });
  expect((await found(root, 'a.b')).matches).toMatchObject([{ line: 2 }]);
  expect((await found(root, 'a.b', { caseSensitive: false })).matches).toHaveLength(2);
  expect((await found(root, 'A.B', { fixedString: true })).matches).toMatchObject([{ line: 1 }]);
  expect((await found(root, 'a.b', { fixedString: true })).matches).toEqual([]);
});

it('searchFiles skips .git and ignored files unless they are given as paths, and searches hidden files', async () => {
  const files = { '.gitignore': 'dist\n', 'dist/a.js': 'hit', '.hidden': 'hit', 'a.txt': 'hit' };
  const root = await temporaryTree(files);
  execFileSync('git', ['init', '-q', root.real]);
  execFileSync('bash', ['-c', 'echo hit > .git/description'], { cwd: root.real });
  expect((await found(root, 'hit')).matches.map(({ path }) => path)).toEqual(['.hidden', 'a.txt']);
  expect((await found(root, 'hit', { paths: ['dist/a.js'] })).matches).toHaveLength(1);
  expect((await found(root, 'hit', { paths: ['dist'] })).matches).toHaveLength(1);
});

it('searchFiles returns the error message of ripgrep for an invalid pattern', async () => {
  const root = await temporaryTree({ 'a.txt': 'x' });
  expect(await search(root, '(')).toMatchObject({
    kind: 'failed',
    exitCode: 2,
    message: expect.stringMatching(/^\S[\s\S]*unclosed group$/),
  });
});

it('searchFiles shows lines and names that are not UTF-8 with replacement characters', async () => {
  const root = await temporaryTree({ 'a.txt': Buffer.from('caf\xe9 hit\n', 'latin1') });
  execFileSync('bash', ['-c', 'printf "hit\\n" > "$(printf "n\\xff.txt")"'], { cwd: root.real });
  expect((await found(root, 'hit')).matches).toMatchObject([
    { path: 'a.txt', text: 'caf\ufffd hit', column: 6 },
    { path: 'n\ufffd.txt', text: 'hit' },
  ]);
});

it('searchFiles shows the part of a huge line around its match, with the line number', async () => {
  const long = `${'x'.repeat(50_000)}needle${'y'.repeat(50_000)}`;
  const huge = `"\\${'é'.repeat(3_000_000)}needle`;
  const root = await temporaryTree({
    'a.min.js': `first\n${long}\n`,
    'b.min.js': `first\nsecond\n${huge}\nneedle\n`,
  });
  const { matches, hasCutLines } = await found(root, 'needle');
  expect(matches).toMatchObject([
    { path: 'a.min.js', line: 2, column: 50_001, text: expect.stringContaining('xneedley') },
    { path: 'b.min.js', line: 3, column: null, text: expect.stringMatching(/^"\\é{1000,}…$/) },
    { path: 'b.min.js', line: 4, column: 1, text: 'needle' },
  ]);
  expect(matches.every(({ text }) => text.length < 2_100)).toBe(true);
  expect(hasCutLines).toBe(true);
});

it('searchFiles returns matches of readable files if another file is not readable', async () => {
  const root = await temporaryTree({ 'a.txt': 'hit', 'locked.txt': 'hit' });
  await chmod(join(root.real, 'locked.txt'), 0o000);
  expect((await found(root, 'hit')).matches[0]).toMatchObject({ path: 'a.txt' });
});

it('searchFiles refuses a missing path, a FIFO and a symlink to outside the root, and follows no symlink inside a folder', async () => {
  const outside = await temporaryTree({ 'secret.txt': 'hit' });
  const root = await temporaryTree({ 'a.txt': 'hit' });
  execFileSync('mkfifo', [join(root.real, 'fifo')]);
  await symlink(outside.real, join(root.real, 'out'));
  await expect(search(root, 'hit', { paths: ['gone'] })).rejects.toMatchObject({ code: 'not_found' });
  for (const path of ['out', 'out/secret.txt', 'fifo']) {
    await expect(search(root, 'hit', { paths: [path] })).rejects.toMatchObject({ code: 'invalid_path' });
  }
  expect((await found(root, 'hit')).matches.map(({ path }) => path)).toEqual(['a.txt']);
});

it.runIf(existsSync('/proc/self/mem'))(
  'searchFiles returns matches of other files if reading one file fails',
  async () => {
    const root = await openRoot('/proc/self');
    expect((await found(root, '.', { paths: ['mem', 'comm'] })).matches).toMatchObject([{ path: 'comm' }]);
  },
);

it.runIf(existsSync('/proc/self/fd'))(
  '[X4] searchFiles leaves no descriptor open, even after a refusal',
  async () => {
    const root = await temporaryTree({ 'a.txt': 'hit', 'd/b.txt': 'hit' });
    execFileSync('mkfifo', [join(root.real, 'fifo')]);
    await found(root, 'hit');
    const before = readdirSync('/proc/self/fd').length;
    for (let round = 0; round < 5; round += 1) {
      for (const throughHandles of [true, false])
        await found(root, 'hit', { paths: ['a.txt', 'd'], throughHandles });
      for (const refused of ['gone', 'fifo'])
        await expect(search(root, 'hit', { paths: ['a.txt', refused] })).rejects.toThrow(DomainError);
    }
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 5);
  },
);

/** Does something between the moment the paths are opened and the start of ripgrep, each time there is one. */
function beforeStart(...acts: Array<() => void>): ProcessSlots {
  return {
    enter: () => {
      acts.shift()?.();
      return { ready: Promise.resolve(), leave: () => {} };
    },
  };
}

async function swappable() {
  const root = await temporaryTree({
    'a.txt': 'hit\n',
    'in/x.txt': 'hit in\n',
    'other/x.txt': 'hit other\n',
  });
  const swap = beforeStart(() => {
    renameSync(join(root.real, 'in'), join(root.real, 'aside'));
    symlinkSync(join(root.real, 'other'), join(root.real, 'in'));
  });
  return { root, request: { paths: ['a.txt', 'in'], slots: swap } };
}

it.runIf(existsSync('/proc/self/fd'))(
  '[X15] searchFiles searches a folder that was moved after it was opened',
  async () => {
    const { root, request } = await swappable();
    const { matches } = await found(root, 'hit', request);
    expect(matches.map(({ path, text }) => `${path}: ${text}`)).toEqual(['a.txt: hit', 'in/x.txt: hit in']);
  },
);

it('[X15] searchFiles refuses a folder that was replaced after it was opened, on a system without /proc', async () => {
  const { root, request } = await swappable();
  await expect(search(root, 'hit', { ...request, throughHandles: false })).rejects.toMatchObject({
    code: 'invalid_path',
    message: 'a searched path was replaced during the search',
  });
});

it('[X6] searchFiles reports that no program may be started', async () => {
  const root = await temporaryTree({ 'a.txt': 'hit' });
  const full = { enter: () => undefined };
  expect(await search(root, 'hit', { slots: full })).toMatchObject({ kind: 'spawn_error', errno: 'EAGAIN' });
});

it('searchFiles returns "timeout" after the time limit', async () => {
  const root = await temporaryTree({ 'a.txt': 'hit' });
  expect((await search(root, 'hit', { timeoutMs: 0 })).kind).toBe('timeout');
});

it('searchFiles returns "cancelled" when its signal aborts', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${index}.txt`);
  const root = await temporaryTree(Object.fromEntries(names.map((name) => [name, 'hit\nhit\n'])));
  expect((await search(root, 'hit', { signal: AbortSignal.abort() })).kind).toBe('cancelled');
  // With matches everywhere it starts a second time.
  const caller = new AbortController();
  const slots = beforeStart(
    () => {},
    () => caller.abort(),
  );
  expect((await search(root, 'hit', { signal: caller.signal, maxMatches: 1, slots })).kind).toBe('cancelled');
});
