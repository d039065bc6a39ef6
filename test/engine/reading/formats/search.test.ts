import { describe, expect, it } from 'vitest';
import { searchFormat } from '../../../../packages/engine/src/reading/formats/search.ts';

const hits = (path: string, ...lines: number[]) => lines.map((line) => `${path}:${line}:  call(${line});`);
const read = (lines: readonly string[]) => searchFormat.units(lines, {});

describe('searchFormat.units', () => {
  it('searchFormat reduces a file to its first hit and labels the gap with path and number of further hits', () => {
    const [unit] = read(hits('src/a.ts', 3, 9, 12, 40));
    expect(unit).toMatchObject({
      name: 'src/a.ts: 3 hits',
      start: 1,
      head: 1,
      end: 4,
      rule: 'oversized-rows',
      count: 3,
    });
    expect(unit?.children?.map(({ start, end }) => [start, end])).toEqual([
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
  });

  it('searchFormat reduces a folder of many files with one or two hits to its first and last file [P55]', () => {
    const paths = Array.from({ length: 10 }, (_, at) => `src/shop/part-${at}.ts`);
    const units = read([...paths.flatMap((path) => hits(path, 7)), ...hits('src/a.ts', 1)]);
    expect(units.map(({ start, end }) => [start, end])).toEqual([
      [1, 1],
      [2, 9],
      [10, 10],
      [11, 11],
    ]);
    expect(units[1]).toMatchObject({ name: '8 files of src/shop', head: 1, rule: 'oversized-rows' });
    expect(units[1]?.children?.[0]).toMatchObject({ name: 'src/shop/part-1.ts: 1 hit', start: 2, end: 2 });
  });

  it('searchFormat keeps files with one or two hits in a folder of few files', () => {
    const units = read([...hits('src/a.ts', 1), ...hits('src/b.ts', 1, 2), ...hits('src/c.ts', 1, 2, 3)]);
    expect(units.map(({ rule }) => rule)).toEqual([undefined, undefined, 'oversized-rows']);
  });

  it('searchFormat keeps the file heading before the first hit', () => {
    const [unit] = read(['src/a.ts', '3:one', '9:two', '12:three', '', 'src/b.ts', '1:x']);
    expect(unit).toMatchObject({ name: 'src/a.ts: 2 hits', start: 1, head: 2, end: 4 });
  });

  it('[P55] searchFormat labels a file with the end of its long path, so that the number of hits fits', () => {
    const [unit] = read(hits('test/code/formatPreservation/arrayInsertion.test', 3, 9, 12, 40));
    expect(unit?.name).toBe('…rvation/arrayInsertion.test: 3 hits');
  });

  it('searchFormat assigns context lines to their hit and ends them at the separator', () => {
    const lines = [
      'a/b.c-1-x',
      'a/b.c:2:hit',
      'a/b.c-3-x',
      '--',
      'a/b.c-8-x',
      'a/b.c:9:hit',
      'a/b.c-10-x',
      '--',
      'a/b.c:20:hit',
    ];
    const [unit] = read(lines);
    expect(unit).toMatchObject({ start: 1, head: 3, end: 9, count: 2 });
    expect(unit?.children?.map(({ start, end }) => [start, end])).toEqual([
      [4, 7],
      [8, 9],
    ]);
  });

  it('searchFormat does not recognise compiler errors as hits', () => {
    expect(
      searchFormat.recognise(['src/a.c:3:1: error: x', 'src/a.c:4: warning: y', 'src/b.c:9: error: z']),
    ).toBe(false);
  });
});
