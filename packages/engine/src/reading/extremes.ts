/** The extremes of one column: the largest and smallest values, outliers, and the ends of each year or major version. */
import type { Measure } from './measures.ts';

export type Cells = readonly string[];

export interface SampledColumn {
  readonly column: number;
  /** Its cells in some of the rows, evenly spread. */
  readonly sample: readonly string[];
}

interface MeasuredColumn extends SampledColumn {
  readonly measure: Measure;
}

const MAX_TIES = 8;
const MIN_ROWS_WITH_THREE = 40;

/** The largest and smallest values, outliers, and the ends of each year, month or major version. */
export function extremesOf(rows: readonly Cells[], { column, measure, sample }: MeasuredColumn): number[] {
  const values = new Float64Array(rows.length);
  for (let row = 0; row < rows.length; row += 1) values[row] = measure.valueOf(rows[row]?.[column] ?? '');
  const [low, high] = fencesOf(sample.map((cell) => measure.valueOf(cell)));
  const most = Math.min(12, Math.max(3, Math.ceil(rows.length * 0.02)));
  // The ends of a sorted column are the first and the last rows, which stay anyway.
  const least = rows.length < MIN_ROWS_WITH_THREE || isSorted(values) ? 1 : 3;
  const highest = topRows(values, { most, sign: 1 });
  const lowest = topRows(values, { most, sign: -1 });
  return [
    ...highest.filter((row, rank) => rank < least || (values[row] ?? 0) > high),
    ...lowest.filter((row, rank) => rank < least || (values[row] ?? 0) < low),
    ...tiesOf(values, values[lowest[0] ?? 0] ?? 0),
    ...tiesOf(values, values[highest[0] ?? 0] ?? 0),
    ...unmeasured(values),
    ...measure.groupSizes.flatMap((size) => groupEnds(values, size)),
  ];
}

function isSorted(values: Float64Array): boolean {
  let rises = 0;
  let falls = 0;
  for (let row = 1; row < values.length; row += 1) {
    const step = valueAt(values, row) - valueAt(values, row - 1);
    if (step > 0) rises += 1;
    if (step < 0) falls += 1;
    if (rises > 0 && falls > 0) return false;
  }
  return true;
}

/** Values beyond these are outliers: three times the distance between the quartiles away from them. */
function fencesOf(values: readonly number[]): readonly [number, number] {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const lower = sorted[Math.floor(sorted.length / 4)] ?? 0;
  const upper = sorted[Math.floor((sorted.length * 3) / 4)] ?? 0;
  const distance = 3 * (upper - lower);
  return [lower - distance, upper + distance];
}

/** Row numbers of the `most` largest values (`sign` 1) or smallest (`sign` -1), the most extreme first. */
function topRows(values: Float64Array, { most, sign }: { most: number; sign: 1 | -1 }): number[] {
  const top: number[] = [];
  const signed = (row: number) => sign * (values[row] ?? 0);
  for (let row = 0; row < values.length; row += 1) {
    const value = signed(row);
    if (Number.isNaN(value)) continue;
    const last = top.at(-1);
    if (top.length === most && last !== undefined && value <= signed(last)) continue;
    let at = top.length;
    while (at > 0 && signed(top[at - 1] ?? 0) < value) at -= 1;
    top.splice(at, 0, row);
    if (top.length > most) top.pop();
  }
  return top;
}

/** All rows with this value, if they are few: the six files of size 0, not the thousand. */
function tiesOf(values: Float64Array, value: number): number[] {
  const ties: number[] = [];
  for (let row = 0; row < values.length && ties.length <= MAX_TIES; row += 1) {
    if (values[row] === value) ties.push(row);
  }
  return ties.length > MAX_TIES ? [] : ties;
}

/** Rows whose cell is not of the column's measure, if they are few: `unlimited` among numbers. */
function unmeasured(values: Float64Array): number[] {
  const odd: number[] = [];
  const most = fewOf(values.length);
  for (let row = 0; row < values.length && odd.length <= most; row += 1) {
    if (Number.isNaN(values[row])) odd.push(row);
  }
  return odd.length > most ? [] : odd;
}

const MAX_GROUPS = 16;

/** The rows with the smallest and the largest value of each group, if the groups are few. */
function groupEnds(values: Float64Array, size: number): number[] {
  const groups = new Map<number, number[]>();
  for (let row = 0; row < values.length; row += 1) {
    const value = valueAt(values, row);
    if (Number.isNaN(value)) continue;
    const group = Math.floor(value / size);
    const ends = groups.get(group) ?? [row, row];
    if (value < valueAt(values, ends[0])) ends[0] = row;
    if (value > valueAt(values, ends[1])) ends[1] = row;
    groups.set(group, ends);
    if (groups.size > MAX_GROUPS) return [];
  }
  return groups.size * 10 > values.length ? [] : [...groups.values()].flat();
}

function valueAt(values: Float64Array, row: number | undefined): number {
  return values[row ?? 0] ?? Number.NaN;
}

/** The rows with the smallest and the largest value; none if all rise or fall, because then they are the first and last. */
export function endsOf(values: Float64Array): number[] {
  if (isSorted(values)) return [];
  const ends = ([1, -1] as const).flatMap((sign) => topRows(values, { most: 2, sign }).slice(0, 2));
  const [highest = 0, second = 0, lowest = 0, beforeLowest = 0] = ends;
  // A value that several rows share does not stand out.
  return [
    ...(valueAt(values, highest) === valueAt(values, second) ? [] : [highest]),
    ...(valueAt(values, lowest) === valueAt(values, beforeLowest) ? [] : [lowest]),
  ];
}

/** Returns how many rows are few among all: small lists may show up to four, long ones three in a hundred. */
export function fewOf(rows: number): number {
  return Math.max(4, Math.floor(rows * 0.03));
}
