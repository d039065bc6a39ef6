import type { RuleName, Unit, UnitKind } from './document.ts';

/**
 * A mark says as which kind of unit a line of a run may be removed. Each line has at most one mark. Adjacent
 * lines with marks of one kind form a unit, so units never overlap.
 */

export interface Mark {
  readonly kind: UnitKind;
  readonly rule: RuleName;
  readonly name: string;
  /** Number that this line adds to the count of its unit: of tests, lines or frames. */
  readonly count: number;
}

/** One entry per line, 0-based. */
export type Marks = (Mark | undefined)[];

/** Kinds of which adjacent lines form one unit, even if their names differ. */
const MERGED = new Set<UnitKind>(['progress', 'passed-tests', 'skipped-tests', 'library-frames']);
const MAX_NAMES = 3;

/** Marks the lines from `from` to `to` (0-based, inclusive) that have no mark yet. */
export function setMark(marks: Marks, mark: Mark, { from, to }: { from: number; to: number }): void {
  for (let index = from; index <= to; index += 1) marks[index] ??= mark;
}

/** Marks lines that count once, such as a frame with its source. */
export function setMarkOnce(marks: Marks, mark: Mark, { start, end }: { start: number; end: number }): void {
  setMark(marks, mark, { from: start, to: start });
  setMark(marks, { ...mark, count: 0 }, { from: start + 1, to: end });
}

const MAX_BLANK = 2;

/** Marks a few blank lines between marked lines, so that these stay one unit. */
export function joinOverBlankLines(lines: readonly string[], marks: Marks): void {
  let last = -1;
  for (let index = 0; index < lines.length; index += 1) {
    if (marks[index] === undefined && isBlank(lines[index])) continue;
    const before = marks[last];
    const mark = marks[index];
    const blank = index - 1 - last;
    if (
      before !== undefined &&
      mark !== undefined &&
      blank > 0 &&
      (blank <= MAX_BLANK || joins(before, mark))
    )
      setMark(marks, { ...before, count: 0 }, { from: last + 1, to: index - 1 });
    last = index;
  }
}

/** Returns the units of the lines `from` to `to` (0-based, inclusive). */
export function unitsOfMarks(marks: Marks, { from, to }: { from: number; to: number }): Unit[] {
  const units: Unit[] = [];
  let index = from;
  while (index <= to) {
    const first = marks[index];
    if (first === undefined) {
      index += 1;
      continue;
    }
    let end = index;
    while (end < to && belongs(first, marks[end + 1])) end += 1;
    units.push(unitOf(marks, index, end));
    index = end + 1;
  }
  return units;
}

function unitOf(marks: Marks, from: number, to: number): Unit {
  const { kind, rule } = marks[from] as Mark;
  const counts = new Map<string, number>();
  for (let index = from; index <= to; index += 1) {
    const { name, count } = marks[index] as Mark;
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const { name, count } = kind === 'passed-tests' ? passedCount(counts) : linesCount(counts);
  return { kind, rule, start: from + 1, end: to + 1, head: from, name, count };
}

/** Name of the marks of suites. They are counted only if their group lists no tests. */
export const SUITES = 'suites';

function passedCount(counts: ReadonlyMap<string, number>): { name: string; count: number } {
  const tests = counts.get('') ?? 0;
  if (tests > 0) return { name: '', count: tests };
  return { name: SUITES, count: Math.max(1, counts.get(SUITES) ?? 0) };
}

function linesCount(counts: ReadonlyMap<string, number>): { name: string; count: number } {
  let count = 0;
  for (const each of counts.values()) count += each;
  return { name: joined([...counts.keys()].filter((name) => name !== '')), count: Math.max(1, count) };
}

function joined(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${shown}, +${names.length - MAX_NAMES}` : shown;
}

function belongs(first: Mark, next: Mark | undefined): boolean {
  return next !== undefined && joins(first, next);
}

function joins(first: Mark, next: Mark): boolean {
  if (first.kind === 'quiet-lines') return first === next;
  if (first.kind !== next.kind || first.rule !== next.rule) return false;
  return MERGED.has(first.kind) || first.name === next.name;
}

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

export function indentOf(line: string): number {
  let indent = 0;
  while (indent < line.length && line.charCodeAt(indent) <= 32) indent += 1;
  return indent;
}

/** The functions below remove the times that CI services, containers and build tools print before each line. */

/** Matches a prefix: the time of GitHub Actions and Azure Pipelines, step and seconds of BuildKit, or `[12:34:56]` of other tools. */
const PREFIX =
  /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z ?|#\d+ \d+\.\d+ |\[\d\d:\d\d:\d\d\] ?:?\s*(?:\[[^\]]{1,40}\] )?)/;

/** Returns lines without leading times and trailing carriage returns. */
export function withoutTimes(lines: readonly string[]): readonly string[] {
  return lines.map(withoutTime);
}

export function withoutTime(line: string): string {
  const plain = line.endsWith('\r') ? line.slice(0, -1) : line;
  return plain.replace(PREFIX, '');
}

/** Words of failures, warnings and results. Lines with them are never removed as noise. */

const FAILURES =
  "errors?|err|fail(?:s|ed|ure|ures|ing)?|fatal|panic(?:ked)?|exceptions?|traceback|critical|severe|abort(?:ed)?|crash(?:ed)?|segfault|killed|denied|refused|cannot|unable|invalid|conflicts?|mismatch|timed out|timeout|unresolved|undefined|unsupported|not found|could not|can't|couldn't|no such|expected|but got";
/** Matches whole words only. `libgpg-error0` and `error-chain v0.12` are names of packages. */
const FAILURE = new RegExp(
  [
    String.raw`(?<![\w./@-])(?:${FAILURES})(?![\w/-]|\.\w)`,
    String.raw`\w(?:Error|Exception)\b|npm ERR!|\[E\d{4}\]|[✗✖✘]`,
  ].join('|'),
  'i',
);
/**
 * Matches the beginnings of the words of `FAILURE`, grouped by letter and without lookbehind. Excludes most
 * lines, several times faster than `FAILURE`.
 */
const MAYBE_FAILURE =
  /[✗✖✘]|\[E\d|e(?:rr|x(?:ception|pected))|fa(?:il|tal)|panic|t(?:raceback|imed out|imeout)|c(?:ritical|rash|annot|onflict|an't|ould(?: not|n't))|se(?:vere|gfault)|abort|killed|denied|refused|un(?:able|resolved|defined|supported)|invalid|mismatch|no(?:t found| such)|but got/i;
const WARNING = /(?<![\w./@-])(?:warn(?:ing|ings)?|deprecat(?:ed|ion)|missing)(?![\w/-]|\.\w)/i;
const MAYBE_WARNING = /warn|deprecat|missing/i;
/** Matches counts of zero, which say that nothing failed. */
const DENIED =
  /\b(?:0|no|zero|without) (?:errors?|fail(?:ed|ures?)|warnings?|exceptions?|conflicts?|problems?|vulnerabilities)\b|\b(?:errors?|failures?|failed|warnings?): ?0\b/gi;

/** Matches totals, results and exit states. */
const VERDICT = new RegExp(
  [
    String.raw`\b\d+ (?:tests?|specs?|examples?|suites?|assertions|passed|passing|failed|failing|pending|skipped|errors?|warnings?|problems?|vulnerabilities|packages? (?:are|in))\b`,
    String.raw`\b(?:tests?|specs?|assertions?|passed|failed|failures?|errors?|skipped|pending)(?: run| passed)? ?[:=] ?\d`,
    String.raw`\btest result:|\bBUILD (?:SUCCESS|FAIL)|\b(?:(?<!remote: )total|summary|exit(?:ed)? (?:code|status)|exited with|successfully (?:installed|built|tagged))\b`,
    String.raw`^\W*(?:finished|done in)\b|^OK\b`,
    String.raw`^\W{0,4}(?:tests?|suites|specs|pass(?:ed|es)?|fail(?:ed|ures)?|errors|warnings|skipped|cancelled|todo)\s{1,12}\d{1,9}$`, // node:test, TAP
  ].join('|'),
  'i',
);

const MAX_LINE = 500;

/** Whether a line reports a failure or warning. A count of zero does not. */
export function namesTrouble(whole: string): boolean {
  return namesWarning(whole) || namesFailure(whole);
}

export function namesFailure(whole: string): boolean {
  const line = whole.slice(0, MAX_LINE);
  return MAYBE_FAILURE.test(line) && FAILURE.test(line) && FAILURE.test(line.replace(DENIED, ''));
}

export function namesWarning(whole: string): boolean {
  const line = whole.slice(0, MAX_LINE);
  return MAYBE_WARNING.test(line) && WARNING.test(line) && WARNING.test(line.replace(DENIED, ''));
}

export function statesResult(whole: string): boolean {
  return VERDICT.test(whole.slice(0, MAX_LINE));
}

/** Failures, warnings and results in a run, by line index from 0. */
export interface Mentions {
  failure(index: number): boolean;
  warning(index: number): boolean;
  result(index: number): boolean;
  trouble(index: number): boolean;
}

export function mentionsIn(lines: readonly string[]): Mentions {
  const failure = readOnce(lines, namesFailure);
  const warning = readOnce(lines, namesWarning);
  const trouble = (index: number) => failure(index) || warning(index);
  return { failure, warning, result: readOnce(lines, statesResult), trouble };
}

/** Returns a function that calls `read` for a line (0-based) when first needed, and then returns the stored result. */
export function readOnce<Found>(
  lines: readonly string[],
  read: (line: string) => Found,
): (index: number) => Found {
  const known: Found[] = new Array(lines.length);
  return (index) => {
    known[index] ??= read(lines[index] ?? '');
    return known[index];
  };
}
