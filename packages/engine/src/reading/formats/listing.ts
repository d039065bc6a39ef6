/**
 * Listings: `ls`, `find`, `tree`, `du`, `wc -l`, `git status`, `git branch`, `git tag`, `git log --oneline`,
 * `git blame`, `npm ls`, and names, one per line. A row is one line. A folder of `tree` and a statement of
 * `git blame` are units of several lines.
 */
import { outstandingVersions, type Row, rowUnits } from '../columns.ts';
import type { Format, Unit } from '../document.ts';

const MODE = /^[bcdlps-][rwxsStT-]{9}/;
const BRANCH = /^([\s│├└─┬|`+\\\u00a0-]*)(?:[├└]─[─┬]|\|--|`--|\+--|\\--)[ \u00a0]/;
const HASH = /^\^?[0-9a-f]{7,40} /;
const BLAME = /^\^?[0-9a-f]{7,40} .{0,200}?\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} +\d+\) ?/;
const STAT = /^ \S.{0,240} \| +(?:\d+ [+-]*|Bin .*)$/;

/** Forms of the lines of listings. */
const ROWS: readonly RegExp[] = [
  MODE,
  BRANCH,
  HASH,
  STAT,
  // Sizes or counts before a path or a name.
  /^\s*\d[\d.,]*[KMGTP]?(?:i?B)?\s+\S+$/,
  /^\s*\d+\t\S.{0,60}$/,
  // `git status`, long and short.
  /^\t(?:(?:modified|deleted|renamed|new file|both modified|typechange): +)?\S/,
  /^(?:[MADRCU?! ][MADRCU?! ]) \S+/,
  /^[* +] [\w./@-]+(?: -> \S+)?$/,
];
/** Matches one path or name per line. It must contain a dot, slash, hyphen or digit, because a single word may be prose. */
const NAME = /^\s{0,4}"?[\w@~$%[\]{}#./+\\-]{1,300}"?[/*@|]?$/;
const NAME_MARK = /[./\d_-]/;
const FOLDER_HEADING = /^(?:\.{0,2}\/)?[\w@. /-]{1,240}:$/;
const TOTAL =
  /^\s*(?:total \d[\d.,]*[KMGT]?|[\d,]+ total|\d+ director(?:y|ies), \d+ files?|\d+ files? changed.*)$/;
const MIN_SHARE = 0.75;
const MIN_ROWS = 4;

export const listingFormat: Format = {
  name: 'listing',
  recognise(sample) {
    const rows = sample.filter((line) => isRow(line) || TOTAL.test(line) || FOLDER_HEADING.test(line)).length;
    return sample.length >= MIN_ROWS && rows >= MIN_SHARE * sample.length;
  },
  units(lines) {
    if (isMostly(lines, BRANCH)) return treeUnits(lines);
    if (isMostly(lines, BLAME)) return blameUnits(lines);
    return sectionsOf(lines).flatMap(listUnits);
  },
  examples: {
    is: [
      'total 8\n-rw-r--r-- 1 dev dev  120 Nov 14 02:15 a.sql\ndrwxr-xr-x 2 dev dev 4096 Nov 13 02:15 old\n-rw-r--r-- 1 dev dev 90 Nov 12 02:15 b.sql',
      'src/cart.ts\nsrc/shop.ts\nsrc/main.ts\nREADME.md',
      '.\n├── src\n│   ├── cart.ts\n│   └── shop.ts\n└── README.md',
    ],
    isNot: ['The cart holds items.\nIt is closed after payment.\nThen the order is made.\nThat is all.'],
  },
};

function isRow(line: string): boolean {
  if (NAME.test(line)) return NAME_MARK.test(line);
  return ROWS.some((pattern) => pattern.test(line));
}

function isMostly(lines: readonly string[], pattern: RegExp): boolean {
  const looked = lines.slice(0, 200).filter((line) => line.trim() !== '');
  return looked.filter((line) => pattern.test(line.slice(0, 300))).length > 0.6 * looked.length;
}

interface ListedLine {
  readonly text: string;
  readonly number: number;
}

/** Returns the ranges of rows. Headings, totals, blank lines and other text between them are kept. */
function sectionsOf(lines: readonly string[]): ListedLine[][] {
  const sections: ListedLine[][] = [];
  let open: ListedLine[] | undefined;
  for (const [index, line] of lines.entries()) {
    if (!isRow(line) || TOTAL.test(line)) {
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = [];
      sections.push(open);
    }
    open.push({ text: line, number: index + 1 });
  }
  return sections;
}

const MAX_CELLS = 10;
const MONTH_DATE = /\b([A-Z][a-z]{2}) +(\d{1,2}) +(\d\d:\d\d|\d{4})\b/;

/** Returns the words of a line as cells. A date of three words is one cell, and the file extension is a cell too. */
function cellsOf(line: string): string[] {
  const dot = line.lastIndexOf('.');
  const ending = dot > 0 && line.length - dot <= MAX_ENDING ? line.slice(dot) : '';
  const words = line.trim().split(/[ \t]+/, MAX_CELLS);
  const date = MODE.test(line) ? MONTH_DATE.exec(line)?.[0] : undefined;
  if (date !== undefined) words.splice(words.indexOf(date.slice(0, 3)), 3, date);
  const first = words[0] ?? '';
  // `tree -s` prints sizes in brackets.
  if (first.startsWith('['))
    words.splice(0, 2, first === '[' ? (words[1] ?? '').replace(']', '') : first.slice(1));
  words.push(ending);
  return words;
}

const MAX_ENDING = 10;

/** Returns one unit per row. Rows are compared by the cells that all rows have, and by file extension. */
function listUnits(lines: readonly ListedLine[]): Unit[] {
  const allCells = lines.map(({ text }) => cellsOf(text));
  const common = Math.min(...allCells.slice(0, MAX_LOOKED).map(({ length }) => length - 1));
  const names: string[] = [];
  const rows = lines.map(({ number }, index): Row => {
    const cells = allCells[index] ?? [];
    names.push(baseName(cells.at(-2) ?? ''));
    cells.splice(common, cells.length - 1 - common);
    return { start: number, end: number, cells };
  });
  const units = rowUnits(rows);
  const versions = outstandingVersions(names);
  return units.map((unit, index) => (versions.has(index) ? { ...unit, standsOut: true } : unit));
}

const MAX_LOOKED = 2000;

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/', path.length - 2) + 1);
}

/** Returns one unit per folder. If its content is removed, the line of the folder is kept. */
function treeUnits(lines: readonly string[]): Unit[] {
  // `npm ls` indents by two, `tree` by four.
  const width = lines.some((line) => /[├└]─┬ /.test(line)) ? 2 : 4;
  const depths = lines.map((line) => depthOf(line, width));
  return treeLevel(lines, depths, { start: 1, end: lines.length, depth: 1 });
}

/** Returns the depth of a branch. Other lines (the root, blank lines, the total) have depth 0. */
function depthOf(line: string, width: number): number {
  const branch = BRANCH.exec(line);
  return branch === null ? 0 : 1 + Math.floor((branch[1] ?? '').length / width);
}

function treeLevel(
  lines: readonly string[],
  depths: readonly number[],
  { start, end, depth }: { readonly start: number; readonly end: number; readonly depth: number },
): Unit[] {
  const rows: Row[] = [];
  for (let number = start; number <= end; ) {
    let last = number;
    const own = depths[number - 1] ?? 0;
    while (last < end && own > 0 && (depths[last] ?? 0) > own) last += 1;
    const text = (lines[number - 1] ?? '').replace(BRANCH, '');
    const row = { start: number, end: last, cells: cellsOf(text), name: text.trim() };
    if (own >= depth) {
      const inner = { start: number + 1, end: last, depth: own + 1 };
      rows.push(last > number ? { ...row, children: treeLevel(lines, depths, inner) } : row);
    }
    number = last + 1;
  }
  return rowUnits(rows, 'entry').map(withFolderHead);
}

/** Makes the line of a folder its heading. The content can be removed as a whole unless a part of it has to be kept. */
function withFolderHead(unit: Unit): Unit {
  if (unit.children === undefined) return unit;
  const { standsOut, rule, ...folder } = unit;
  const count = unit.end - unit.start;
  const isRemovable = standsOut !== true && rule !== undefined;
  return { ...folder, head: unit.start, count, ...(isRemovable && { rule }) };
}

const MAX_STATEMENT_LINES = 40;

/** Returns the statements of a file in the output of `git blame`: a line, the deeper lines below it, and its closing bracket. */
function blameUnits(lines: readonly string[]): Unit[] {
  const rows: Row[] = [];
  const code = lines.map((line) => line.replace(BLAME, ''));
  const indents = code.map((line) => line.search(/\S/));
  for (let index = 0; index < lines.length; ) {
    const last = statementEnd(code, indents, index);
    rows.push({ start: index + 1, end: last + 1, cells: [], name: (code[index] ?? '').trim().slice(0, 60) });
    index = last + 1;
  }
  return rowUnits(rows).map((unit) => ({ ...unit, count: unit.end - unit.start + 1 }));
}

const CLOSING = /^\s*(?:end\b|\*\/|[)\]}])/;

/** Returns the last line of a statement. Of a long block only the first line counts; its content is read separately. */
function statementEnd(code: readonly string[], indents: readonly number[], index: number): number {
  const own = indents[index] ?? -1;
  const limit = Math.min(code.length, index + MAX_STATEMENT_LINES);
  if (own < 0) return index;
  let last = index;
  let next = index + 1;
  for (; next < limit && isDeeper(indents[next], own); next += 1) if (indents[next] !== -1) last = next;
  if (next === limit && limit < code.length) return index;
  return indents[next] === own && CLOSING.test(code[next] ?? '') ? next : last;
}

/** Blank lines do not end a statement. */
function isDeeper(indent: number | undefined, own: number): boolean {
  return indent !== undefined && (indent === -1 || indent > own);
}
