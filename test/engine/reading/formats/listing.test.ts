import { describe, expect, it } from 'vitest';
import type { Unit } from '../../../../packages/engine/src/reading/document.ts';
import { listingFormat } from '../../../../packages/engine/src/reading/formats/listing.ts';

const read = (lines: readonly string[]) => listingFormat.units(lines, {});
const outstanding = (units: readonly Unit[]) =>
  units.filter(({ standsOut }) => standsOut === true).map(({ start }) => start);
const file = (size: number, day: number) => `-rw-r--r-- 1 dev dev ${size} Nov ${day} 02:15 dump-${day}.sql`;

describe('listingFormat.units', () => {
  it('listingFormat keeps the first, the last, the largest and the smallest file of `ls -l`, and the total', () => {
    const special = new Map([
      [9, 9000],
      [12, 10],
    ]);
    const days = Array.from({ length: 20 }, (_, index) => index + 1);
    const units = read(['total 90', ...days.map((day) => file(special.get(day) ?? 500 + day, day))]);
    expect(units[0]?.start).toBe(2);
    expect(outstanding(units)).toEqual(expect.arrayContaining([2, 3, 4, 10, 13, 20, 21]));
    expect(outstanding(units).length).toBeLessThan(12);
  });

  it('listingFormat keeps a folder among files and a file with another extension', () => {
    const names = Array.from({ length: 150 }, (_, index) => `src/module${index}/index.ts`);
    names[77] = 'src/module77/schema.sql';
    expect(outstanding(read(names))).toEqual([1, 2, 3, 78, 149, 150]);
  });

  it('listingFormat keeps the highest version of each major version among tags in alphabetical order', () => {
    const tags = Array.from({ length: 60 }, (_, index) => `v${index % 3}.${Math.floor(index / 3)}.0`).sort();
    const kept = outstanding(read(tags)).map((line) => tags[line - 1]);
    expect(kept).toEqual(expect.arrayContaining(['v0.19.0', 'v1.19.0', 'v2.19.0']));
  });

  it('listingFormat keeps the last commit of each year in a log', () => {
    const log = Array.from({ length: 120 }, (_, index) => {
      const year = 2026 - Math.floor(index / 40);
      return `${(4096 + index).toString(16)}abcd ${year}-0${9 - Math.floor((index % 40) / 5)}-11 change number ${index}`;
    });
    expect(outstanding(read(log))).toEqual(expect.arrayContaining([41, 81]));
  });

  it('listingFormat nests the entries of `tree` in their folder', () => {
    const units = read([
      '.',
      '├── src',
      '│   ├── a.ts',
      '│   └── b.ts',
      '├── test',
      '│   └── c.ts',
      '└── README.md',
      '',
      '2 directories, 4 files',
    ]);
    expect(units).toMatchObject([
      { kind: 'entry', name: 'src', start: 2, end: 4, head: 2, count: 2 },
      { name: 'test', start: 5, end: 6, head: 5 },
      { name: 'README.md', start: 7, end: 7 },
    ]);
    expect(units[0]?.children?.map(({ name }) => name)).toEqual(['a.ts', 'b.ts']);
  });

  it('listingFormat nests packages of `npm ls` in the package that depends on them', () => {
    const units = read([
      'shop@1.0.0 /srv',
      '├─┬ a@1.0.0',
      '│ └── c@2.0.0',
      '├─┬ b@1.0.0',
      '│ └─┬ d@1.0.0',
      '│   └── c@2.0.0',
      '└── e@1.0.0',
    ]);
    expect(units.map(({ start, end }) => [start, end])).toEqual([
      [2, 3],
      [4, 6],
      [7, 7],
    ]);
    expect(units[1]?.children).toMatchObject([{ name: 'd@1.0.0', start: 5, end: 6, head: 5 }]);
  });

  it('listingFormat groups lines of `git blame` by statement and splits a long block', () => {
    const entries = Array.from({ length: 30 }, (_, index) => [
      `  E${index}: create(`,
      `    'E${index}',`,
      '  ),',
    ]).flat();
    const code = ['const codes = {', ...entries, '}', '', 'function run() {', '  go();', '}'];
    const units = read(
      code.map((line, index) => `0123abcd (Ada 2026-01-02 10:00:00 +0100 ${index + 1}) ${line}`),
    );
    const ranges = units.map(({ start, end }) => [start, end]);
    expect(ranges.slice(0, 3)).toEqual([
      [1, 1],
      [2, 4],
      [5, 7],
    ]);
    expect(ranges.at(-1)).toEqual([94, 96]);
    expect(units[1]).toMatchObject({ name: 'E0: create(', count: 3 });
  });
});
