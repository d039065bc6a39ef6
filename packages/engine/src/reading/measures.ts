/**
 * A measure for cells that have an order: numbers, sizes with units, durations, dates and versions. It
 * converts a cell to a number, so that cells are sorted as a reader expects.
 */

export interface Measure {
  readonly name: 'quantity' | 'clock' | 'date' | 'version';
  /** Returns the number by which a cell is sorted; `NaN` if the measure does not fit. */
  valueOf(cell: string): number;
  /** Divisors that group values: by year and month of a date, or major part of a version. */
  readonly groupSizes: readonly number[];
}

/** Returns the measure that fits at least four fifths of the non-empty cells. */
export function measureOf(cells: readonly string[]): Measure | undefined {
  const filled = cells.filter((cell) => !isEmptyCell(cell));
  if (filled.length === 0) return undefined;
  return MEASURES.find((measure) => {
    const fitting = filled.filter((cell) => !Number.isNaN(measure.valueOf(cell))).length;
    return fitting >= MIN_SHARE * filled.length && (measure.name !== 'version' || filled.some(isLongVersion));
  });
}

const MIN_SHARE = 0.8;
const EMPTY = new Set(['', '-', '--', '—', 'null', 'NULL', 'None', '<none>', 'n/a', 'N/A', '""']);

export function isEmptyCell(cell: string): boolean {
  return cell.length < 7 && EMPTY.has(cell);
}

/** Whether a cell is certainly a version: `1.2.3` or `v1.2`. `1.2` may be a number. */
function isLongVersion(cell: string): boolean {
  return /^[vV]\d|^\d+\.\d+\.\d/.test(cell);
}

const UNITS: readonly [names: string, scale: number][] = [
  [' % b bytes s', 1],
  ['k kb kib', 2 ** 10],
  ['mb mib', 2 ** 20],
  ['g gb gib', 2 ** 30],
  ['t tb tib', 2 ** 40],
  ['ns', 1e-9],
  ['us µs', 1e-6],
  ['ms', 1e-3],
  ['min', 60],
  ['h', 3600],
  ['d', 86_400],
  ['w', 604_800],
  ['y', 31_536_000],
];
const SCALES = new Map(
  UNITS.flatMap(([names, scale]) => names.split(' ').map((name) => [name, scale] as const)),
);
const QUANTITY = /^([-+]?)[$€£¥]?(\d[\d,_]*(?:\.\d+)?) ?([a-zA-Zµ%]{0,5})$/;
const COMPOUND = /^(?:\d{1,9}[dhms]){2,4}$/;
const MAX_CELL = 40;

function quantityOf(cell: string): number {
  const plain = Number(cell);
  if (!Number.isNaN(plain)) return cell === '' ? Number.NaN : plain;
  if (cell.length > MAX_CELL) return Number.NaN;
  const parts = QUANTITY.exec(cell);
  if (parts === null) return COMPOUND.test(cell) ? compoundOf(cell) : Number.NaN;
  const [, sign, digits = '', unit = ''] = parts;
  const value = Number(digits.replaceAll(/[,_]/g, '')) * scaleOf(unit);
  return sign === '-' ? -value : value;
}

/** Returns the factor of a unit. `M` is mega and `m` is minutes; other units ignore case. */
function scaleOf(unit: string): number {
  if (unit === 'M') return 2 ** 20;
  if (unit === 'm') return 60;
  return SCALES.get(unit.toLowerCase()) ?? Number.NaN;
}

/** Returns the seconds of `5d3h` or `1h20m`. */
function compoundOf(cell: string): number {
  let sum = 0;
  for (const [, digits, unit = ''] of cell.matchAll(/(\d{1,9})([dhms])/g))
    sum += Number(digits) * scaleOf(unit);
  return sum;
}

const CLOCK = /^(?:(\d{1,4})-)?(\d{1,4}):(\d\d)(?::(\d\d))?(\.\d+)?$/;

/** Returns the seconds of a time as `ps` and `top` print it: `00:12`, `0:04.93`, `1-02:03:04`. */
function clockOf(cell: string): number {
  if (cell.length > MAX_CELL) return Number.NaN;
  const parts = CLOCK.exec(cell);
  if (parts === null) return Number.NaN;
  const [, days = '0', first = '0', second = '0', third, fraction = '0'] = parts;
  const seconds =
    third === undefined
      ? Number(first) * 60 + Number(second)
      : Number(first) * 3600 + Number(second) * 60 + Number(third);
  return Number(days) * 86_400 + seconds + Number(fraction);
}

const DATE = /^["'(]?(\d{4})[-/](\d\d)[-/](\d\d)(?:[T _-]{1,2}(\d\d)[:-](\d\d)(?:[:-](\d\d))?)?/;
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const MONTH_DATE = /^([A-Z][a-z]{2}) {1,2}(\d{1,2}) {1,2}(?:(\d\d):(\d\d)|(\d{4}))/;
const YEAR = 1e10;
const MONTH = 1e8;
const DAY = 1e6;
/** Year for dates without one. `ls -l` omits the year of recent files, and these must be last. */
const RECENT_YEAR = 9999;

function dateOf(cell: string): number {
  const parts = DATE.exec(cell);
  if (parts === null) return monthDateOf(cell);
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = parts;
  const time = Number(hour) * 1e4 + Number(minute) * 100 + Number(second);
  return Number(year) * YEAR + Number(month) * MONTH + Number(day) * DAY + time;
}

function monthDateOf(cell: string): number {
  const parts = MONTH_DATE.exec(cell);
  if (parts === null) return Number.NaN;
  const [, name = '', day, hour = '0', minute = '0', year] = parts;
  const month = 1 + MONTHS.indexOf(name) / 3;
  if (!Number.isInteger(month) || month < 1) return Number.NaN;
  const time = Number(hour) * 1e4 + Number(minute) * 100;
  return Number(year ?? RECENT_YEAR) * YEAR + month * MONTH + Number(day) * DAY + time;
}

const VERSION = /^[vV]?(\d{1,4})\.(\d{1,6})(?:\.(\d{1,8}))?([-+~.a-z:][\w.+~:-]*)?$/;
const MAJOR = 1e12;

/** Returns a number by which versions are sorted. A pre-release (`1.2.0-rc.1`) is before its release. */
function versionOf(cell: string): number {
  if (cell.length > MAX_CELL) return Number.NaN;
  const parts = VERSION.exec(cell);
  if (parts === null) return Number.NaN;
  const [, major, minor, patch = '0', rest = ''] = parts;
  const isBefore = /^[-.]?(?:a|b|rc|alpha|beta|dev|pre|canary|next)/i.test(rest);
  const below = Math.min(Number(minor), 9999) * 1e8 + Math.min(Number(patch), 99_999) * 1e3;
  return Number(major) * MAJOR + below + (isBefore ? 0 : 500);
}

const DATES: Measure = { name: 'date', valueOf: dateOf, groupSizes: [YEAR, MONTH] };
export const VERSIONS: Measure = { name: 'version', valueOf: versionOf, groupSizes: [MAJOR] };
const MEASURES: readonly Measure[] = [
  DATES,
  VERSIONS,
  { name: 'quantity', valueOf: quantityOf, groupSizes: [] },
  { name: 'clock', valueOf: clockOf, groupSizes: [] },
];

/** Extremes of a column: the largest and smallest values, outliers, and the ends of each year or major version. */

export type Cells = readonly string[];

export interface SampledColumn {
  readonly column: number;
  /** Cells of the column in some rows, evenly spread. */
  readonly sample: readonly string[];
}

interface MeasuredColumn extends SampledColumn {
  readonly measure: Measure;
}

const MAX_TIES = 8;
const MIN_ROWS_WITH_THREE = 40;

/** Returns the rows with the largest and smallest values, outliers, and the ends of each year, month or major version. */
export function extremesOf(rows: readonly Cells[], { column, measure, sample }: MeasuredColumn): number[] {
  const values = new Float64Array(rows.length);
  for (let row = 0; row < rows.length; row += 1) values[row] = measure.valueOf(rows[row]?.[column] ?? '');
  const [low, high] = fencesOf(sample.map((cell) => measure.valueOf(cell)));
  const most = Math.min(12, Math.max(3, Math.ceil(rows.length * 0.02)));
  // In a sorted column, the ends are the first and last row, which are always kept.
  const least = rows.length < MIN_ROWS_WITH_THREE || isSorted(values) ? 1 : 3;
  const highest = topRows(values, { most, sign: 1 });
  const lowest = topRows(values, { most, sign: -1 });
  const tiesOf = (row = 0) => fewRows(values, MAX_TIES, (value) => value === (values[row] ?? 0));
  return [
    ...highest.filter((row, rank) => rank < least || (values[row] ?? 0) > high),
    ...lowest.filter((row, rank) => rank < least || (values[row] ?? 0) < low),
    ...tiesOf(lowest[0]),
    ...tiesOf(highest[0]),
    // Cells that do not fit the measure, such as `unlimited` among numbers, stand out.
    ...fewRows(values, fewOf(values.length), Number.isNaN),
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

/** Returns the limits of ordinary values: three interquartile ranges below and above the quartiles. */
function fencesOf(values: readonly number[]): readonly [number, number] {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const lower = sorted[Math.floor(sorted.length / 4)] ?? 0;
  const upper = sorted[Math.floor((sorted.length * 3) / 4)] ?? 0;
  const distance = 3 * (upper - lower);
  return [lower - distance, upper + distance];
}

/** Returns the rows of the `most` largest (`sign` 1) or smallest (`sign` -1) values, the most extreme first. */
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

/** Returns the rows with a wanted value; empty if there are more than `most`. */
function fewRows(values: Float64Array, most: number, isWanted: (value: number) => boolean): number[] {
  const found: number[] = [];
  for (let row = 0; row < values.length && found.length <= most; row += 1)
    if (isWanted(valueAt(values, row))) found.push(row);
  return found.length > most ? [] : found;
}

const MAX_GROUPS = 16;

/** Returns the rows with the smallest and largest value of each group, if there are few groups. */
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

/** Returns the rows with the smallest and largest value; empty if the rows are sorted by it. */
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

/** Returns the maximum number of rows that count as few: 3 % of all, but at least four. */
export function fewOf(rows: number): number {
  return Math.max(4, Math.floor(rows * 0.03));
}
