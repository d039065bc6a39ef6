/**
 * Tables: CSV and TSV, output of psql and sqlite, Markdown tables, and columns by position (`ps`, `top`,
 * `ss`, `lsof`, `df`, `kubectl`, `pip list`). Each row is a unit. Headings, rulers and text around the table
 * are kept.
 */
import { type Row, rowUnits } from '../columns.ts';
import type { Format } from '../document.ts';
import { measureOf } from '../measures.ts';

export const tableFormat: Format = {
  name: 'table',
  recognise: (sample) => sample.length >= MIN_LINES && !hasSections(sample) && layoutOf(sample) !== undefined,
  units(lines) {
    const layout = layoutOf(lines.slice(0, LAYOUT_LINES));
    return layout === undefined ? [] : rowUnits(rowsOf(lines, layout));
  },
  examples: {
    is: [
      'id,name,total\n1,Ada,20\n2,Bo,35\n3,Cy,12\n4,Di,8',
      '| id | name |\n|----|------|\n| 1  | Ada  |\n| 2  | Bo   |\n| 3  | Cy   |',
      ' id | name\n----+------\n  1 | Ada\n  2 | Bo\n  3 | Cy\n(3 rows)',
    ],
    isNot: [
      '# Sink\n\n## `http`\n\n| Key | Default |\n|---|---|\n| path | / |\n| auth | none |\n\n## `s3`\n\n| Key | Default |\n|---|---|\n| bucket | |\n| region | eu |\n\n## `loki`\n\n| Key | Default |\n|---|---|\n| tenant | |\n| labels | |',
      'The cart holds items, prices, and totals.\nIt is closed after payment.\nThen, an order is made.\nThat is all.\nGoodbye.',
    ],
  },
};

const MIN_HEADINGS = 3;

/** Whether Markdown headings divide a text. It is then a reference page, even if it has many tables. */
function hasSections(sample: readonly string[]): boolean {
  return sample.filter((line) => /^#{1,6} \S/.test(line)).length >= MIN_HEADINGS;
}

const MIN_LINES = 5;
const LAYOUT_LINES = 400;

interface Layout {
  /** Number of lines before the first row. */
  readonly first: number;
  /** Returns the cells of a row; `undefined` for rulers, repeated headings and all other lines. */
  cells(line: string): readonly string[] | undefined;
  /** Whether a row may continue on the next line, inside a quoted cell of CSV. */
  readonly isQuoted: boolean;
}

function layoutOf(lines: readonly string[]): Layout | undefined {
  const filled = lines.filter((line) => line.trim() !== '');
  return borderedLayout(filled) ?? ruledLayout(lines) ?? delimitedLayout(lines) ?? alignedLayout(lines);
}

function rowsOf(lines: readonly string[], { first, cells, isQuoted }: Layout): Row[] {
  const rows: Row[] = [];
  for (let index = first; index < lines.length; index += 1) {
    const start = index + 1;
    const end = isQuoted ? quotedEnd(lines, index) : index;
    const found = cells(end === index ? (lines[index] ?? '') : lines.slice(index, end + 1).join('\n'));
    if (found !== undefined) rows.push({ start, end: end + 1, cells: found });
    index = end;
  }
  return rows;
}

const MAX_QUOTED_LINES = 40;

/** Returns the index of the line that closes a quote opened at `index`; `index` if no line does. */
function quotedEnd(lines: readonly string[], index: number): number {
  if (!hasOddQuotes(lines[index] ?? '')) return index;
  for (let end = index + 1; end < Math.min(lines.length, index + MAX_QUOTED_LINES); end += 1) {
    if (hasOddQuotes(lines[end] ?? '')) return end;
  }
  return index;
}

function hasOddQuotes(line: string): boolean {
  return line.split('"').length % 2 === 0;
}

const RULER = /^[\s|│┃+┌┬┐├┼┤└┴┘╭╮╰╯═─━:=-]+$/;
const BORDER = /[|│┃]/;
const FOOTER = /^\s*\(\d+ rows?\)\s*$/;

/** Returns the layout of cells between `|` or `│`, if one of the first lines is a ruler. */
function borderedLayout(lines: readonly string[]): Layout | undefined {
  const ruler = lines.slice(0, 12).findIndex((line) => isRuler(line) && /[|+│┼┬╪]/.test(line));
  if (ruler < 0) return undefined;
  const bordered = lines.filter((line) => BORDER.test(line) || isRuler(line)).length;
  if (bordered < 0.8 * lines.length) return undefined;
  const heading = lines.slice(0, ruler + 3).find((line) => BORDER.test(line) && !isRuler(line)) ?? '';
  const cells = (line: string) => {
    if (!BORDER.test(line) || isRuler(line) || line === heading || FOOTER.test(line)) return undefined;
    const parts = line.split(BORDER).map((cell) => cell.trim());
    return /^\s*[|│┃]/.test(line) ? parts.slice(1, -1) : parts;
  };
  return { first: 0, cells, isQuoted: false };
}

function isRuler(line: string): boolean {
  return RULER.test(line) && /[-─━═=]{2}/.test(line);
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the layout of columns below a ruler of hyphens with spaces between the columns. */
function ruledLayout(lines: readonly string[]): Layout | undefined {
  const at = lines.slice(0, 8).findIndex((line) => /^-{2,}(?: +-{2,})+\s*$/.test(line));
  if (at < 1) return undefined;
  const ruler = lines[at] ?? '';
  const starts = [...ruler.matchAll(/-+/g)].map(({ index }) => index);
  return positioned(
    starts.map((from, column) => ({ from, to: (starts[column + 1] ?? Number.MAX_SAFE_INTEGER) - 1 })),
    { first: at + 1, headings: new Set(lines.slice(0, at)) },
  );
}

function positioned(
  spans: readonly Span[],
  { first, headings }: { first: number; headings: ReadonlySet<string> },
): Layout {
  const cells = (line: string) => {
    if (line.trim() === '' || headings.has(line) || isRuler(line)) return undefined;
    return spans.map(({ from, to }) => line.slice(from, to).trim());
  };
  return { first, cells, isQuoted: false };
}

const DELIMITERS = [',', '\t', ';', '|'];
const CODE_MARKS = /[{}()=<>]|^\s*(?:import|from|#include)\b/;

/** Returns the layout of rows that have the same number of delimiters. Cells may be quoted. */
function delimitedLayout(lines: readonly string[]): Layout | undefined {
  const filled = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (filled.length < MIN_LINES) return undefined;
  if (filled.filter((line) => CODE_MARKS.test(line)).length > 0.2 * filled.length) return undefined;
  const delimiter = DELIMITERS.find((each) => isDelimited(filled, each));
  if (delimiter === undefined) return undefined;
  const width = widthsOf(filled, delimiter).expected;
  const isQuoted = delimiter !== '\t' && filled.some((line) => line.includes('"'));
  const cells = (line: string) => {
    const parts = isQuoted && line.includes('"') ? splitQuoted(line, delimiter) : line.split(delimiter);
    return parts.length === width ? parts : undefined;
  };
  const heading = headingOf(filled.slice(0, 200).map((line) => cells(line) ?? []));
  const first = heading ? lines.indexOf(filled[0] ?? '') + 1 : 0;
  return { first, cells, isQuoted };
}

function widthsOf(lines: readonly string[], delimiter: string): { expected: number; fitting: number } {
  const widths = lines.map((line) => splitQuoted(line, delimiter).length);
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [expected = 0, fitting = 0] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  return { expected, fitting };
}

/** Whether most lines have the same number of delimiters. In prose, the number of commas varies and spaces follow them. */
function isDelimited(lines: readonly string[], delimiter: string): boolean {
  const { expected, fitting } = widthsOf(lines, delimiter);
  const spaced = lines.filter((line) => line.includes(`${delimiter} `)).length;
  if (delimiter === ',' && spaced > 0.5 * lines.length) return false;
  const least = delimiter === '\t' || delimiter === ',' ? 2 : 3;
  return expected >= least && fitting > (expected === 2 ? 0.98 : 0.9) * lines.length;
}

/** Splits a row of CSV at the delimiters outside of quotes. */
function splitQuoted(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter);
  const cells: string[] = [];
  let from = 0;
  let isInside = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (character === '"') isInside = !isInside;
    if (character !== delimiter || isInside) continue;
    cells.push(unquoted(line.slice(from, at)));
    from = at + 1;
  }
  cells.push(unquoted(line.slice(from)));
  return cells;
}

function unquoted(cell: string): string {
  return cell.startsWith('"') && cell.endsWith('"') && cell.length > 1 ? cell.slice(1, -1) : cell;
}

/** Whether the first row is a heading: it has no number in a column of numbers, or only short words. */
function headingOf(rows: readonly (readonly string[])[]): boolean {
  const [first = [], ...others] = rows;
  const differs = first.some((cell, column) => {
    const below = others.map((row) => row[column] ?? '');
    const measure = measureOf(below);
    return measure !== undefined && Number.isNaN(measure.valueOf(cell));
  });
  return differs || first.every((cell) => /^[A-Za-z][\w ./%-]{0,40}$/.test(cell) && cell === cell.trim());
}

const CAPITALS = /^[A-Z%][A-Z0-9_/%()+:-]*$/;
const MAX_PREAMBLE = 10;
const MAX_POSITION = 400;

/** Returns the layout of columns with a heading that spaces separate at the same positions in all rows. */
function alignedLayout(lines: readonly string[]): Layout | undefined {
  const capitals = lines.slice(0, MAX_PREAMBLE).findIndex(isInCapitals);
  for (const at of capitals >= 0 ? [capitals] : [0, 1]) {
    const heading = lines[at] ?? '';
    const above = new Set(lines.slice(0, at + 1));
    const rows = lines.slice(at + 1).filter((line) => line.trim() !== '' && !above.has(line));
    if (rows.length < MIN_LINES - 1) continue;
    const spans = spansOf([heading, ...rows]);
    if (spans.length < 3 || (capitals < 0 && !hasNumbersBelowWords(heading, rows, spans))) continue;
    return positioned(spans, { first: at + 1, headings: above });
  }
  return undefined;
}

function isInCapitals(line: string): boolean {
  const words = line.trim().split(/\s+/);
  return words.length >= 2 && words.every((word) => CAPITALS.test(word));
}

/** Returns the spans between positions that are blank in all lines. The last span has no end. */
function spansOf(lines: readonly string[]): Span[] {
  const used = new Uint8Array(MAX_POSITION);
  for (const line of lines) {
    const length = Math.min(line.length, MAX_POSITION);
    for (let at = 0; at < length; at += 1) if (line.charCodeAt(at) > 32) used[at] = 1;
  }
  const spans: Span[] = [];
  for (let at = 0; at < MAX_POSITION; at += 1) {
    if (used[at] === 1 && used[at - 1] !== 1) spans.push({ from: at, to: MAX_POSITION });
  }
  return spans.map(({ from }, index) => ({
    from,
    to: spans[index + 1]?.from ?? Number.MAX_SAFE_INTEGER,
  }));
}

function hasNumbersBelowWords(heading: string, rows: readonly string[], spans: readonly Span[]): boolean {
  const cells = (line: string, { from, to }: Span) => line.slice(from, to).trim();
  const isMeasured = spans.filter((span) => {
    const measure = measureOf(rows.slice(0, 100).map((row) => cells(row, span)));
    const name = cells(heading, span);
    return measure !== undefined && name !== '' && Number.isNaN(measure.valueOf(name));
  });
  return isMeasured.length >= 1 && spans.filter((span) => cells(heading, span) === '').length <= 1;
}
