import { describe, expect, it } from 'vitest';
import { diffFormat } from '../../../../packages/engine/src/reading/formats/diff.ts';
import { flat } from '../removal.ts';

const FILE = (path: string, hunks: readonly string[]) => [
  `diff --git a/${path} b/${path}`,
  'index 11..22 100644',
  `--- a/${path}`,
  `+++ b/${path}`,
  ...hunks,
];
const HUNK = (at: number, ...changed: string[]) => [
  `@@ -${at},2 +${at},3 @@ function f${at}() {`,
  ' a',
  ...changed,
  ' b',
];

const read = (lines: readonly string[]) => diffFormat.units(lines, {});

describe('diffFormat.units', () => {
  it('diffFormat reads each changed file as one part, and reads each hunk as a part of the file', () => {
    const [file] = read(FILE('src/cart.ts', [...HUNK(1, '+x'), ...HUNK(40, '+y')]));
    expect(file).toMatchObject({ kind: 'changed-file', name: 'src/cart.ts', start: 1, end: 12, head: 4 });
    expect(file?.children).toMatchObject([
      {
        kind: 'hunk',
        name: 'function f1() {',
        start: 5,
        end: 8,
        head: 4,
        rule: 'diff-parts',
        standsOut: true,
      },
      { kind: 'hunk', name: 'function f40() {', start: 9, end: 12, head: 8, rule: 'diff-parts' },
    ]);
  });

  it('diffFormat allows a changed file to be removed, except its heading, if no hunk of the file must be kept', () => {
    const units = read([...FILE('src/cart.ts', HUNK(1, '+x')), ...FILE('test/cart.test.ts', HUNK(1, '+x'))]);
    expect(units.map(({ rule }) => rule)).toEqual([undefined, 'diff-parts']);
  });

  it('diffFormat keeps a hunk that removes a definition without adding a new one', () => {
    const [file] = read(
      FILE('src/a.py', [
        ...HUNK(1, '+x'),
        ...HUNK(9, '-def old():'),
        ...HUNK(20, '-def moved():'),
        ...HUNK(30, '+def moved():'),
      ]),
    );
    expect(file?.children?.map(({ standsOut }) => standsOut === true)).toEqual([true, true, false, false]);
  });

  it('diffFormat reads each commit of a log as one part and labels it with hash and subject', () => {
    const commit = ['commit 0123456789abcdef', 'Author: Ada', '', '    Add the cart', ''];
    const units = read([
      ...commit,
      ...FILE('yarn.lock', HUNK(1, '+x')),
      '',
      ...commit,
      ...FILE('src/a.ts', HUNK(1, '+x')),
    ]);
    expect(units).toMatchObject([
      { kind: 'commit', name: '01234567 Add the cart', start: 1, head: 5, rule: 'diff-parts' },
      { kind: 'commit', start: 15, head: 19 },
    ]);
    expect(units[1]?.rule).toBeUndefined();
    expect(flat(units).filter(({ kind }) => kind === 'hunk')).toHaveLength(2);
  });

  it('diffFormat finds the files of a plain patch by their --- and +++ lines', () => {
    const lines = [
      '--- a.sql',
      '+++ a.sql',
      '@@ -1,2 +1 @@',
      '--- old comment',
      '+new',
      '--- b.sql',
      '+++ b.sql',
      '@@ -1 +1 @@',
      '-x',
      '+y',
    ];
    expect(read(lines).map(({ name, start, end }) => [name, start, end])).toEqual([
      ['a.sql', 1, 5],
      ['b.sql', 6, 10],
    ]);
  });
});
