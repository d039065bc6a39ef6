import { describe, expect, it } from 'vitest';
import { measureOf } from '../../../packages/engine/src/reading/measures.ts';

/** Cells sorted by the measure that fits them. */
function sorted(...cells: string[]) {
  const measure = measureOf(cells);
  const order = (cell: string) => measure?.valueOf(cell) ?? Number.NaN;
  return { name: measure?.name, cells: [...cells].sort((a, b) => order(a) - order(b)) };
}

describe('measureOf', () => {
  it('sizes are in order of value and unit when sorted by measureOf', () => {
    expect(sorted('2G', '900K', '1.5M', '12')).toEqual({
      name: 'quantity',
      cells: ['12', '900K', '1.5M', '2G'],
    });
  });

  it('durations with one unit and with two units are in order when sorted by measureOf', () => {
    expect(sorted('2h', '5d3h', '90s', '3m20s').cells).toEqual(['90s', '3m20s', '2h', '5d3h']);
  });

  it('CPU times in the formats of ps and top are in order when sorted by measureOf', () => {
    expect(sorted('1-02:03:04', '00:00:04', '01:00:00')).toEqual({
      name: 'clock',
      cells: ['00:00:04', '01:00:00', '1-02:03:04'],
    });
  });

  it('dates with and without a time are in order when sorted by measureOf', () => {
    expect(sorted('2026-03-01', '2025-12-31T23:59:59Z', '2026-02-28 10:00')).toEqual({
      name: 'date',
      cells: ['2025-12-31T23:59:59Z', '2026-02-28 10:00', '2026-03-01'],
    });
  });

  it('versions are in numeric order when sorted by measureOf, with a pre-release before its release', () => {
    expect(sorted('1.10.0', '1.9.0', '1.10.0-rc.1', 'v1.2.3')).toEqual({
      name: 'version',
      cells: ['v1.2.3', '1.9.0', '1.10.0-rc.1', '1.10.0'],
    });
  });

  it('measureOf returns undefined for words, and ignores empty cells', () => {
    expect(measureOf(['a', 'b', '3'])).toBeUndefined();
    expect(measureOf(['', '-', 'NULL', '3'])?.name).toBe('quantity');
  });
});
