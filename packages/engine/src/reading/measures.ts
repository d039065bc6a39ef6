/**
 * Values of cells that have an order: numbers, sizes with units, durations, dates and versions. A measure turns a cell
 * into a number that sorts as a reader would sort the cells.
 */

export interface Measure {
  readonly name: 'quantity' | 'clock' | 'date' | 'version';
  /** The number a cell sorts by; `NaN` if the cell is not of this measure. */
  valueOf(cell: string): number;
  /** A divisor that gives the coarse group of a value: the year and month of a date, the major part of a version. */
  readonly groupSizes: readonly number[];
}

/** Chooses the measure that fits at least four fifths of the cells that are not empty. */
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

/** `1.2` may be a number; `1.2.3` and `v1.2` are versions. */
function isLongVersion(cell: string): boolean {
  return /^[vV]\d|^\d+\.\d+\.\d/.test(cell);
}

const SCALES = new Map<string, number>([
  ['', 1],
  ['%', 1],
  ['b', 1],
  ['bytes', 1],
  ['k', 2 ** 10],
  ['kb', 2 ** 10],
  ['kib', 2 ** 10],
  ['mb', 2 ** 20],
  ['mib', 2 ** 20],
  ['g', 2 ** 30],
  ['gb', 2 ** 30],
  ['gib', 2 ** 30],
  ['t', 2 ** 40],
  ['tb', 2 ** 40],
  ['tib', 2 ** 40],
  ['ns', 1e-9],
  ['us', 1e-6],
  ['µs', 1e-6],
  ['ms', 1e-3],
  ['s', 1],
  ['min', 60],
  ['h', 3600],
  ['d', 86_400],
  ['w', 604_800],
  ['y', 31_536_000],
]);
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

/** `M` is mega, `m` is a minute; for the other units upper and lower case mean the same. */
function scaleOf(unit: string): number {
  if (unit === 'M') return 2 ** 20;
  if (unit === 'm') return 60;
  return SCALES.get(unit.toLowerCase()) ?? Number.NaN;
}

/** Seconds of `5d3h` or `1h20m`. */
function compoundOf(cell: string): number {
  let sum = 0;
  for (const [, digits, unit = ''] of cell.matchAll(/(\d{1,9})([dhms])/g))
    sum += Number(digits) * scaleOf(unit);
  return sum;
}

const CLOCK = /^(?:(\d{1,4})-)?(\d{1,4}):(\d\d)(?::(\d\d))?(\.\d+)?$/;

/** Seconds of `00:12`, `0:04.93` or `1-02:03:04`, as `ps` and `top` print them. */
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
/** `ls -l` leaves the year out for files of the last months: they sort after all that have one. */
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

/** A version before its release (`1.2.0-rc.1`) sorts before the release. */
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
