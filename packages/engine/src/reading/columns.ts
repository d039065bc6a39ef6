/**
 * Finds rows that stand out in a list, a table or a set of records, in linear time: the first and last row,
 * extremes of ordered columns, rare values of short columns, the first row of each value, and cells that are
 * empty in few rows.
 */
import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { Unit, UnitKind } from './document.ts';
import {
  type Cells,
  endsOf,
  extremesOf,
  fewOf,
  isEmptyCell,
  measureOf,
  type SampledColumn,
  VERSIONS,
} from './measures.ts';

/** A row or a record, with its lines. */
export interface Row extends Pick<Unit, 'start' | 'end' | 'children'> {
  readonly cells: readonly string[];
  readonly name?: string;
}

/** Returns a removable unit per row. `standsOut` is set for first, last, extreme and rare rows. */
export function rowUnits(rows: readonly Row[], kind: UnitKind = 'row'): Unit[] {
  const outstanding = outstandingRows(rows.map(({ cells }) => cells));
  return rows.map(({ start, end, name = '', children = [] }, index) => {
    const unit: Unit = { kind, name, start, end, head: start - 1, rule: 'oversized-rows' };
    const standsOut = outstanding.has(index);
    return { ...unit, ...(standsOut && { standsOut }), ...(children.length > 0 && { children }) };
  });
}

/** Whether units contain rows or records. These are removed singly unless they stand out. */
function holdsList(units: readonly Unit[]): boolean {
  return units.some(({ standsOut, children = [] }) => standsOut === true || holdsList(children));
}

/** An entry. Its first line is before `key` if a comment belongs to the entry. */
export interface KeyedEntry extends Required<Pick<Unit, 'name' | 'start' | 'end' | 'children'>> {
  /** Line with the key. It is kept if the body is removed. */
  readonly key: number;
}

/** Maximum lines of an entry that is removed as a whole. Of a larger entry only parts are removed, so that its keys remain visible. */
export const MAX_ENTRY_LINES = 60;

/** Returns the unit of an entry. An entry of at least `least` lines without removable parts can be removed as a whole. */
export function entryUnit({ name, start, key, end, children }: KeyedEntry, least: number): Unit {
  const size = end - key + 1;
  const isSmall = size <= MAX_ENTRY_LINES || children.length === 0;
  const isRemovable = size >= least && isSmall && !holdsList(children);
  return {
    ...{ kind: 'entry', name, start, end, head: key },
    ...(isRemovable && { rule: 'oversized-rows' }),
    ...(children.length > 0 && { children }),
  };
}

const FIRST_ROWS = 3;
const LAST_ROWS = 2;
const MAX_COLUMNS = 32;
const MAX_SAMPLE = 400;

/** Returns the indexes of the rows that stand out. */
function outstandingRows(rows: readonly Cells[]): Set<number> {
  const found = new Set<number>();
  for (let at = 0; at < Math.min(FIRST_ROWS, rows.length); at += 1) found.add(at);
  for (let at = Math.max(0, rows.length - LAST_ROWS); at < rows.length; at += 1) found.add(at);
  if (found.size === rows.length) return found;
  const sample = evenly(rows, MAX_SAMPLE);
  const width = Math.min(MAX_COLUMNS, Math.max(0, ...sample.map((cells) => cells.length)));
  const categories: Category[] = [];
  for (let column = 0; column < width; column += 1) {
    const facts = columnFacts(rows, { column, sample: sample.map((row) => row[column] ?? '') });
    addAll(found, facts.rows);
    categories.push(...facts.categories);
  }
  addAll(found, rarePairs(categories));
  addAll(found, summaries(rows));
  return found;
}

/**
 * Returns the indexes of cells in a column that stand out, if they are few: extremes, rare values, and cells
 * that few rows have or lack.
 */
export function outstandingIn(cells: readonly string[]): number[] {
  const rows = cells.map((cell) => [cell]);
  const sample = evenly(cells, MAX_SAMPLE);
  const measure = measureOf(sample);
  const category = isShort(sample) ? categoryOf(rows, 0) : undefined;
  const { codes } = emptinessOf(rows, 0);
  const filled = rowsWhere(codes, (code) => code === 0);
  return [
    ...(measure === undefined ? [] : endsOf(Float64Array.from(cells, (cell) => measure.valueOf(cell)))),
    ...few(category === undefined ? [] : rareRows(category), cells.length),
    ...few(filled, cells.length),
    ...few(
      rowsWhere(codes, (code) => code === 1),
      cells.length,
    ),
  ];
}

const MAX_FEW_SHARE = 0.05;

function few(found: readonly number[], rows: number): readonly number[] {
  return found.length <= Math.max(2, MAX_FEW_SHARE * rows) ? found : [];
}

const SUMMARY = /^(?:(?:grand |sub)?total|sum|average|mean|overall)\b/i;

/** Returns the indexes of rows with totals, wherever they are. */
function summaries(rows: readonly Cells[]): number[] {
  const found: number[] = [];
  for (let row = 0; row < rows.length; row += 1) {
    const first = rows[row]?.[0] ?? '';
    if (first.length < MAX_SHORT_CELL && SUMMARY.test(first)) found.push(row);
  }
  return found.length > fewOf(rows.length) ? [] : found;
}

/** Returns the rows that stand out in one column and, if they are few, the different values of the column. */
function columnFacts(rows: readonly Cells[], { column, sample }: SampledColumn) {
  const measure = measureOf(sample);
  const category = isShort(sample) ? categoryOf(rows, column) : undefined;
  const filled = emptinessOf(rows, column);
  const found = [
    ...(measure === undefined ? [] : extremesOf(rows, { column, measure, sample })),
    ...(category === undefined ? [] : rareRows(category)),
    ...(category === undefined || measure !== undefined ? [] : firstRows(category)),
    ...fewEmptyRows(filled),
  ];
  const all = category === undefined ? [filled] : [category, filled];
  return { rows: found, categories: all.filter(({ counts }) => counts.length > 1) };
}

/** Finds the largest and smallest version, overall and per major version, among names with a common beginning (`release-1.37`). */
export function outstandingVersions(names: readonly string[]): Set<number> {
  const found = new Set<number>();
  for (const [prefix, members] of familiesOf(names)) {
    if (members.length < MIN_FAMILY) continue;
    const sample = members.map((index) => (names[index] ?? '').slice(prefix.length));
    const measure = measureOf(sample.slice(0, MAX_SAMPLE));
    const chosen = measure === undefined || measure.name === 'quantity' ? VERSIONS : measure;
    const rows = sample.map((cell) => [cell]);
    const extremes = extremesOf(rows, { column: 0, measure: chosen, sample: sample.slice(0, MAX_SAMPLE) });
    for (const row of extremes) found.add(members[row] ?? 0);
  }
  return found;
}

/** Groups names by the characters before their first digit. */
function familiesOf(names: readonly string[]): Map<string, number[]> {
  const numbered = [...names.entries()].filter(([, name]) => /\d/.test(name));
  return grouped(numbered.map(([index, name]) => [name.slice(0, name.search(/\d/)), index]));
}

const MIN_FAMILY = 5;

function addAll(found: Set<number>, more: Iterable<number>): void {
  for (const each of more) found.add(each);
}

/** Returns at most `most` items, evenly spread. */
export function evenly<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  const step = items.length / most;
  return Array.from({ length: most }, (_, at) => items[Math.floor(at * step)] as Item);
}

/** Values of a column as numbers, for a column with few different values. */
interface Category {
  readonly codes: Int16Array;
  /** Different values, in the order of their numbers. */
  readonly values: readonly string[];
  /** Number of rows with each value. */
  readonly counts: readonly number[];
}

const MAX_SHORT_CELL = 40;
const MAX_VALUES = 40;

/** Whether a column is short and repeats its values. */
function isShort(cells: readonly string[]): boolean {
  const different = new Set(cells);
  if (different.size > MAX_VALUES || different.size * 4 > cells.length) return false;
  return cells.every((cell) => cell.length <= MAX_SHORT_CELL);
}

function categoryOf(rows: readonly Cells[], column: number): Category | undefined {
  const known = new Map<string, number>();
  const counts: number[] = [];
  const codes = new Int16Array(rows.length);
  for (let row = 0; row < rows.length; row += 1) {
    const cell = rows[row]?.[column] ?? '';
    const code = known.get(cell) ?? known.size;
    if (code === known.size) known.set(cell, code);
    if (known.size > 2 * MAX_VALUES) return undefined;
    codes[row] = code;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return { codes, counts, values: [...known.keys()] };
}

const FAILING =
  /^(?:errors?|failed|failure|failing|fatal|critical|crash\w*|unhealthy|notready|oomkilled|[45]\d\d)$/i;

/**
 * Returns rows with a value that at most two rows or 1 % of the rows have, if such rows are few. Also returns
 * rows whose value is a failure, if at most a fifth of the rows have it.
 */
function rareRows({ codes, counts, values }: Category): number[] {
  const most = Math.max(2, Math.floor(codes.length / 100));
  const rare = counts.reduce((sum, count) => (count <= most ? sum + count : sum), 0);
  const areFew = rare <= fewOf(codes.length);
  const isMarked = counts.map((count, code) => {
    const isFailure = count * 5 <= codes.length && FAILING.test(values[code] ?? '');
    return isFailure || (areFew && count <= most);
  });
  return rowsWhere(codes, (code) => isMarked[code] === true);
}

/** Maximum number of different values of a column of kinds. With more, they are names. */
const MAX_KINDS = 24;

/** Returns the first row of each value. No kind of row is then hidden completely. */
function firstRows({ codes, counts }: Category): number[] {
  return counts.length > MAX_KINDS ? [] : counts.map((_, code) => codes.indexOf(code));
}

function rowsWhere(codes: Int16Array, isWanted: (code: number) => boolean): number[] {
  const rows: number[] = [];
  for (let row = 0; row < codes.length; row += 1) if (isWanted(codes[row] ?? 0)) rows.push(row);
  return rows;
}

/** Returns 1 for rows whose cell is empty, and 0 for others. */
function emptinessOf(rows: readonly Cells[], column: number): Category {
  const codes = new Int16Array(rows.length);
  let empty = 0;
  for (let row = 0; row < rows.length; row += 1) {
    if (!isEmptyCell(rows[row]?.[column] ?? '')) continue;
    codes[row] = 1;
    empty += 1;
  }
  return { codes, counts: empty === 0 ? [rows.length] : [rows.length - empty, empty], values: [] };
}

function fewEmptyRows({ codes, counts: [, empty = 0] }: Category): number[] {
  const most = Math.max(6, Math.floor(codes.length * 0.05));
  return empty === 0 || empty > most || empty * 4 > codes.length
    ? []
    : rowsWhere(codes, (code) => code === 1);
}

const MAX_PAIR_VALUES = 12;
const MAX_PAIR_COLUMNS = 10;
const MIN_EXPECTED = 6;

/** Finds rows with two values that are each frequent, but rare together: `shipped` without a date. */
function rarePairs(categories: readonly Category[]): number[] {
  const usable = categories
    .filter(({ counts }) => counts.length <= MAX_PAIR_VALUES)
    .slice(0, MAX_PAIR_COLUMNS);
  return usable.flatMap((first, index) =>
    usable.slice(index + 1).flatMap((second) => rarePairsOf(first, second)),
  );
}

function rarePairsOf(first: Category, second: Category): number[] {
  const width = second.counts.length;
  const rows = first.codes.length;
  const together = new Int32Array(first.counts.length * width);
  const pairOf = (row: number) => (first.codes[row] ?? 0) * width + (second.codes[row] ?? 0);
  for (let row = 0; row < rows; row += 1) together[pairOf(row)] = (together[pairOf(row)] ?? 0) + 1;
  const isRare = Array.from(together, (count, pair) => {
    const expected =
      ((first.counts[Math.floor(pair / width)] ?? 0) * (second.counts[pair % width] ?? 0)) / rows;
    return count > 0 && count <= 2 && expected >= MIN_EXPECTED;
  });
  const found: number[] = [];
  if (!isRare.includes(true)) return found;
  for (let row = 0; row < rows; row += 1) if (isRare[pairOf(row)] === true) found.push(row);
  return found;
}
