import { describe, expect, it } from 'vitest';
import type { Unit } from '../../../../packages/engine/src/reading/document.ts';
import { tableFormat } from '../../../../packages/engine/src/reading/formats/table.ts';

const read = (lines: readonly string[]) => tableFormat.units(lines, {});
const outstanding = (units: readonly Unit[]) =>
  units.filter(({ standsOut }) => standsOut === true).map(({ start }) => start);
const numbers = Array.from({ length: 100 }, (_, index) => index);

describe('tableFormat.units', () => {
  it('tableFormat reads each data row as a row, but not the heading and the rulers', () => {
    const units = read(['+---+---+', '| a | b |', '+---+---+', '| 1 | x |', '| 2 | y |', '+---+---+']);
    expect(units).toMatchObject([
      { kind: 'row', start: 4, end: 4, head: 3, rule: 'oversized-rows' },
      { kind: 'row', start: 5, end: 5, head: 4 },
    ]);
  });

  it('tableFormat keeps the rows with the largest and the smallest size', () => {
    const special = new Map([
      [60, '9.1G'],
      [30, '2K'],
    ]);
    const rows = numbers.map((n) => `/data/${n}  ${special.get(n) ?? `${100 + n}M`}  ok`);
    const units = read(['Mounted   Size  State', ...rows.map((row) => row.replace(/ {2}/g, '   '))]);
    expect(outstanding(units)).toEqual(expect.arrayContaining([2, 32, 62, 101]));
  });

  it('tableFormat keeps rows with a rare value and, if they are few, rows with an empty cell', () => {
    const rows = numbers.map((n) => `${n},${n === 41 ? 'failed' : 'done'},${n === 70 ? '' : `user${n % 7}`}`);
    expect(outstanding(read(['id,state,user', ...rows]))).toEqual(expect.arrayContaining([43, 72]));
  });

  it('tableFormat keeps a row whose two values are frequent alone but rare together', () => {
    const rows = numbers.map(
      (n) => `${n},${n % 2 === 0 ? 'shipped' : 'paid'},${n % 2 === 0 && n !== 50 ? 'yes' : ''}`,
    );
    const marked = outstanding(read(['id,state,sent', ...rows]));
    expect(marked).toContain(52);
    expect(marked.length).toBeLessThan(9);
  });

  it('tableFormat reads a quoted cell over several lines as one row', () => {
    const rows = numbers.slice(3, 40).map((n) => `${n},note ${n},x`);
    const units = read(['id,note,by', '1,a,x', '2,"two', 'lines",y', ...rows]);
    expect(units.map(({ start, end }) => [start, end]).slice(0, 3)).toEqual([
      [2, 2],
      [3, 4],
      [5, 5],
    ]);
  });

  it('tableFormat finds columns by their position if the heading is in capitals', () => {
    const rows = numbers
      .slice(0, 40)
      .map((n) => `web-${String(n).padEnd(6)} ${n === 20 ? 'Error  ' : 'Running'}  ${n}d`);
    const units = read(['NAME       STATUS   AGE', ...rows]);
    expect(units).toHaveLength(40);
    expect(outstanding(units)).toContain(22);
  });

  it('tableFormat keeps rows with a failure if they are at most a fifth, and the row with the total', () => {
    const rows = numbers.map((n) => `job${n},${n % 10 === 5 ? 'failed' : 'done'},${n % 9}`);
    rows[40] = 'Total,done,4';
    const units = read(['job,state,tries', ...rows]);
    const failed = numbers.filter((n) => n % 10 === 5).map((n) => n + 2);
    expect(outstanding(units)).toEqual(expect.arrayContaining([...failed, 42]));
  });

  it('tableFormat keeps the footer with the number of rows', () => {
    const units = read([' id | name', '----+------', '  1 | Ada', '  2 | Bo', '(2 rows)']);
    expect(units.map(({ start }) => start)).toEqual([3, 4]);
  });
});
