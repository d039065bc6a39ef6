/**
 * Results of `grep`, `rg` and `git grep`, with the path in every line or in a heading. Each file is a unit:
 * its first hit is kept, and further hits can be removed. In a folder with many files of one or two hits, the
 * first and last file are kept.
 */
import type { Format, Unit } from '../document.ts';

/** Matches `src/a.ts:41:text` and `src/a.ts:41:7:text`. Context lines have `-` in place of `:`. */
const HIT = /^((?:[A-Za-z]:)?[^\s:][^:]{0,240}?):(\d{1,7}):/;
/** Matches output of `grep -r` without `-n`: a path with a folder and an extension. */
const UNNUMBERED = /^((?:[\w@%+~,.-]*\/)[\w@%+~,./-]{0,240}\.\w{1,10}):(?!:)/;
const CONTEXT = /^((?:[A-Za-z]:)?[^\s:][^:]{0,240}?)-(\d{1,7})-/;
/** Matches findings of compilers and linters (`path:line: error`). They are not hits of a search. */
const PROBLEM =
  /^[^:]{1,240}:\d+(?::\d+)?:? +(?:fatal |internal )?(?:error|warning|note|info|[A-Z]{1,4}\d{2,4})\b/;
const PATH = /^[\w@%+~,. ()[\]\\/-]{0,240}[./\\][\w@%+~,. ()[\]\\/-]{0,240}$/;
/** Matches a path that ends with the hour of a time, so that the number behind it is the minutes: `web-1 10.0.0.1 [10:00:01]`. */
const HOUR_AT_END = /[\s[(T]\d\d$/;
const HEADED_HIT = /^\d{1,7}[:-]/;
const MIN_FOLDED_HITS = 3;

export const searchFormat: Format = {
  name: 'search',
  recognise(sample) {
    if (sample.length < 3) return false;
    const named = sample.filter((line) => pathOf(line) !== undefined || line === '--').length;
    // Only hits count. A date in a file name looks like the number of a context line.
    const hits = sample.filter((line) => pathOf(line)?.isHit === true && !PROBLEM.test(line)).length;
    return (named > 0.6 * sample.length && hits > 0.1 * sample.length) || isHeaded(sample);
  },
  units: (lines) => foldersOf(filesOf(lines)).flatMap((files) => folderUnits(lines, files)),
  examples: {
    is: [
      'src/cart.ts:12:export function add() {\nsrc/cart.ts:40:  add();\nsrc/shop.ts:3:import { add } from',
      'src/cart.ts\n12:export function add() {\n40:  add();\n\nsrc/shop.ts\n3:import { add }',
    ],
    isNot: [
      '12:00:01 started\n12:00:02 ready\n12:00:03 done',
      'web-1 10.0.0.1 [12:00:01] GET\nweb-1 10.0.0.2 [12:00:02] GET\nweb-2 10.0.0.1 [12:00:03] GET',
    ],
  },
};

interface NamedLine {
  readonly path: string;
  readonly isHit: boolean;
  readonly isHeading?: boolean;
}

/** Returns the path at the beginning of a line of results. */
function pathOf(line: string): NamedLine | undefined {
  const start = line.slice(0, 300);
  const path = HIT.exec(start)?.[1];
  if (path !== undefined && PATH.test(path) && !HOUR_AT_END.test(path)) return { path, isHit: true };
  const unnumbered = UNNUMBERED.exec(start)?.[1];
  if (unnumbered !== undefined) return { path: unnumbered, isHit: true };
  const beside = CONTEXT.exec(start)?.[1];
  return beside !== undefined && PATH.test(beside) ? { path: beside, isHit: false } : undefined;
}

function isHeading(line: string, next: string): boolean {
  return PATH.test(line) && !HEADED_HIT.test(line) && HEADED_HIT.test(next);
}

function isHeaded(sample: readonly string[]): boolean {
  const headings = sample.filter((line, at) => isHeading(line, sample[at + 1] ?? '')).length;
  const hits = sample.filter((line) => HEADED_HIT.test(line) || line === '--').length;
  const certain = sample.filter((line) => /^\d{1,7}:/.test(line)).length;
  return headings > 0 && headings + hits > 0.9 * sample.length && certain > 0.1 * sample.length;
}

interface FoundFile {
  readonly path: string;
  readonly start: number;
  /** Last line of the hits, including context. */
  end: number;
  /** Lines with a hit, without context lines. */
  readonly hits: number[];
}

/** Groups consecutive lines by file. If a file occurs again later, that is another group. */
function filesOf(lines: readonly string[]): FoundFile[] {
  const files: FoundFile[] = [];
  let open: FoundFile | undefined;
  for (const [index, named] of namedLines(lines).entries()) {
    if (named === 'separator') continue;
    if (named === undefined || open?.path !== named.path || named.isHeading === true) open = undefined;
    if (named === undefined) continue;
    if (open === undefined) {
      open = { path: named.path, start: index + 1, end: index + 1, hits: [] };
      files.push(open);
    }
    open.end = index + 1;
    if (named.isHit) open.hits.push(index + 1);
  }
  return files;
}

/** Returns the file of each line: from its own path, or from the heading before it. */
function namedLines(lines: readonly string[]): (NamedLine | 'separator' | undefined)[] {
  let headed: string | undefined;
  return lines.map((line, index) => {
    if (line === '--') return 'separator';
    const isHeadingLine = isHeading(line, lines[index + 1] ?? '');
    if (isHeadingLine) headed = line;
    else if (!HEADED_HIT.test(line)) headed = undefined;
    if (headed === undefined) return pathOf(line);
    return { path: headed, isHit: /^\d+:/.test(line), isHeading: isHeadingLine };
  });
}

/** Groups consecutive files of a folder if each has one or two hits. */
function foldersOf(files: readonly FoundFile[]): FoundFile[][] {
  const folders: FoundFile[][] = [];
  for (const file of files) {
    const last = folders.at(-1);
    const isSame = last?.[0] !== undefined && folderOf(last[0].path) === folderOf(file.path);
    if (isSame && isSparse(file) && last.every(isSparse)) last.push(file);
    else folders.push([file]);
  }
  return folders;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.search(/[/\\][^/\\]*$/)));
}

function isSparse({ hits }: FoundFile): boolean {
  return hits.length < MIN_FOLDED_HITS;
}

const MIN_FOLDED_FILES = 8;

function folderUnits(lines: readonly string[], files: readonly FoundFile[]): Unit[] {
  const units = files.map((file) => fileUnit(lines, file));
  const folded = files.slice(1, -1);
  const [first] = folded;
  if (files.length < MIN_FOLDED_FILES || first === undefined) return units;
  const hits = folded.reduce((sum, file) => sum + file.hits.length, 0);
  const folder: Unit = {
    kind: 'hit',
    name: `${folded.length} files of ${folderOf(first.path)}`,
    start: first.start,
    end: folded.at(-1)?.end ?? first.end,
    head: first.start - 1,
    rule: 'oversized-rows',
    count: hits,
    children: folded.map(sparseFile),
  };
  return [units[0], folder, units.at(-1)].filter((unit) => unit !== undefined);
}

function sparseFile({ path, start, end, hits }: FoundFile): Unit {
  const { length: count } = hits;
  const name = countedHits(path, count);
  return { kind: 'hit', name, start, end, head: start - 1, rule: 'oversized-rows', count };
}

const MAX_PATH_CHARS = 28;

/** Returns `…/servers/hooks/transcript.ts: 9 hits`. A long path loses its beginning. */
function countedHits(path: string, count: number): string {
  const short = path.length <= MAX_PATH_CHARS ? path : `…${path.slice(1 - MAX_PATH_CHARS)}`;
  return `${short}: ${count} ${count === 1 ? 'hit' : 'hits'}`;
}

/** Returns the unit of a file. Its first hit is kept, and its name contains the number of further hits. */
function fileUnit(lines: readonly string[], { path, start, end, hits }: FoundFile): Unit {
  const first = hits[0] ?? end;
  const further = hits.slice(1);
  const unit = { kind: 'hit', name: path, start, end, head: end, count: hits.length } as const;
  if (hits.length < MIN_FOLDED_HITS) return unit;
  const head = lastBefore(lines, first, further[0] ?? end);
  return {
    ...unit,
    name: countedHits(path, further.length),
    head,
    rule: 'oversized-rows',
    count: further.length,
    children: hitUnits(lines, { from: head + 1, to: end, hits: further }),
  };
}

/** Returns the last line that belongs to the first of two hits: the `--` between them, or the middle of their context. */
function lastBefore(lines: readonly string[], first: number, second: number): number {
  const separator = lines.slice(first, second - 1).indexOf('--');
  if (separator >= 0) return first + separator;
  return first + Math.floor((second - first - 1) / 2);
}

function hitUnits(
  lines: readonly string[],
  { from, to, hits }: { from: number; to: number; hits: readonly number[] },
): Unit[] {
  let start = from;
  return hits.map((hit, index) => {
    const next = hits[index + 1];
    const end = next === undefined ? to : lastBefore(lines, hit, next);
    const unit: Unit = { kind: 'hit', name: '', start, end, head: start - 1, rule: 'oversized-rows' };
    start = end + 1;
    return unit;
  });
}
