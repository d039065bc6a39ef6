import { describe, expect, it } from 'vitest';
import { diffParts } from '../../src/pruning/cut/diff-parts.ts';

const headsIn = (lines: readonly string[]) =>
  diffParts(lines).heads.map(({ head, kind, name }) => `${kind} ${name} ${head.start}-${head.end}`);
const hunksIn = (lines: readonly string[]) =>
  diffParts(lines).hunks.map(({ start, end }) => `${start}-${end}`);

describe('[P21] the parts of a diff are', () => {
  it('commits by ten digits of their name, files, and hunks', () => {
    const lines = [
      'commit 0123456789abcdef0123456789abcdef01234567',
      'Author: A <a@example.org>',
      '',
      '    commit messages may speak of a diff',
      '',
      'diff --git a/src/a.ts b/src/a.ts',
      'index 0123456..89abcde 100644',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -1,2 +1,2 @@',
      '-a',
      '+b',
      '@@ -9 +9 @@',
      '-c',
      'commit 89abcdef',
      'diff --git a/b.ts b/b.ts',
    ];
    expect(headsIn(lines)).toEqual([
      'commit 0123456789 1-5',
      'file src/a.ts 6-9',
      'commit 89abcdef 15-15',
      'file b.ts 16-16',
    ]);
    expect(hunksIn(lines)).toEqual(['10-12', '13-14']);
  });

  it.each([
    ['diff -u old/a.c new/a.c', 'new/a.c'],
    ['diff -r a.c', 'a.c'],
    ['--- a/lib/a.c', 'lib/a.c'],
    ['--- a.c\t2026-01-01', 'a.c'],
  ])('a file that begins with `%s`', (line, name) => {
    expect(headsIn([line, '@@ -1 +1 @@', '-a'])).toEqual([`file ${name} 1-1`]);
  });

  it('not what stands before them', () => {
    const lines = [
      'From: A',
      'Subject: @@ nothing',
      '@@@ -1 +1 @@@',
      '--- a/a.c',
      '+++ b/a.c',
      '@@ -1 +1 @@',
      '-a',
    ];
    expect(headsIn(lines)).toEqual(['file a.c 4-5']);
    expect(hunksIn(lines)).toEqual(['6-7']);
  });

  it('files that only a pair of lines names, below a commit, a hunk or one another', () => {
    const pair = (name: string) => [`--- a/${name}`, `+++ b/${name}`];
    const lines = ['commit 0123456', '', ...pair('a'), '@@ -1 +1 @@', '-x', ...pair('b'), ...pair('c')];
    expect(headsIn(lines)).toEqual(['commit 0123456 1-2', 'file a 3-4', 'file b 7-8', 'file c 9-10']);
    expect(hunksIn(lines)).toEqual(['5-6']);
  });

  it('but no file for a removed line that looks like one', () => {
    const lines = ['--- a/x', '+++ b/x', '@@ -1,2 +1,1 @@', '--- old rule', ' kept', '@@ -9 +9 @@', '-a'];
    expect(headsIn(lines)).toEqual(['file x 1-2']);
    expect(hunksIn(lines)).toEqual(['3-5', '6-7']);
    expect(headsIn([...lines, '+++ new', '+++ more', '--- last'])).toEqual(['file x 1-2']);
  });
});
