import { cleanLine } from '../cut/clean-line.ts';

/** What a text is, beyond what its sender called it: an agent's `code` is often the output of a tool. */
export type Shape =
  | 'code'
  | 'docs'
  | 'logs'
  | 'diff'
  | 'test-run'
  | 'search'
  | 'listing'
  /** Rows below the names of their columns. */
  | 'table'
  /** JSON, YAML, TOML or INI, a value a line. */
  | 'data'
  /** HTML or XML. */
  | 'markup';

/** Enough to recognise a text; keeps the cost flat for very long ones. */
const SAMPLE_LINES = 400;
const SAMPLE_CHARS = 60_000;

/** The shape its lines show; nothing where they show none. */
export function recogniseShape(sample: readonly string[]): Shape | undefined {
  if (sample.length < 3) return undefined;
  if (isHeadedSearch(sample)) return 'search';
  const bare = isNumbered(sample) ? sample.map(withoutNumber) : sample;
  return RECOGNISERS.find(({ recognise }) => recognise(bare))?.shape;
}

const FOUND_LINE = /^\d{1,7}[:-]/;
const FOUND_NAME = /^(?=\S*[./])[\w@%+~,./\\-]{1,240}$/;

/** `41:  return retry();`, as a search prints it below the name of the file. */
export function isFoundLine(line: string): boolean {
  return FOUND_LINE.test(line);
}

export function isFoundName(line: string): boolean {
  return FOUND_NAME.test(line) && !FOUND_LINE.test(line);
}

/** Results below the name of their file. */
function isHeadedSearch(sample: readonly string[]): boolean {
  const headings = sample.filter((line, at) => isFoundName(line) && isFoundLine(sample[at + 1] ?? ''));
  const results = sample.filter((line) => isFoundLine(line) || line === '--');
  return headings.length > 0 && headings.length + results.length > 0.9 * sample.length;
}

/** Lines of a text as patterns should see them, from its head and its tail: a test run says what it is at its end. */
export function sampleText(text: string): string[] {
  const isShort = text.length <= 2 * SAMPLE_CHARS;
  const lines = isShort
    ? text.split('\n')
    : [...text.slice(0, SAMPLE_CHARS).split('\n'), ...text.slice(-SAMPLE_CHARS).split('\n').slice(1)];
  return sampleLines(lines.map(cleanLine));
}

export function sampleLines(lines: readonly string[]): string[] {
  const half = SAMPLE_LINES / 2;
  const chosen = lines.length <= SAMPLE_LINES ? lines : [...lines.slice(0, half), ...lines.slice(-half)];
  return chosen.filter((line) => line.trim() !== '').map((line) => line.slice(0, 300));
}

const NUMBER_PREFIX = /^\s{0,8}\d{1,7}(?:[:|│→\t]| {2})/;

export function isNumbered(sample: readonly string[]): boolean {
  return sample.length >= 3 && share(sample, NUMBER_PREFIX) > 0.7;
}

export function withoutNumber(line: string): string {
  const prefix = NUMBER_PREFIX.exec(line.slice(0, 24));
  return prefix === null ? line : line.slice(prefix[0].length);
}

function share(lines: readonly string[], pattern: RegExp): number {
  return lines.filter((line) => pattern.test(line)).length / lines.length;
}

const HUNK = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/;
const CHANGED = /^[+-]/;
const FOUND = /^[\w@%+~,-]*[./\\][^\s:]{0,200}[:-]\d+(?::\d+)?[:-]/;
const LISTED =
  /^(?:\S+:$|[bcdlps-][rwxsStT-]{9}|total \d+$|(?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)+\/?$|[│├└─\s]*[├└]── )/;
const TEST_SUMMARY =
  /^(?:=+ .{0,300}\b(?:passed|failed|errors?|test session starts)\b.{0,300} =+$|Tests?:? +.{0,300}\b(?:passed|failed)\b|test result: |Ran \d+ tests? in |--- (?:FAIL|PASS): |(?:ok|FAIL)\s+\S+\s+[\d.]+s|# (?:pass|fail) \d+|\d+ (?:passing|failing)\b|Tests run: \d+)/;
const JSON_LINE =
  /^\s*(?:[{}[\]],?$|"(?:[^"\\]|\\.)*"\s*:|"(?:[^"\\]|\\.)*",?$|-?\d[\d.eE+-]*,?$|(?:true|false|null),?$|[}\]],?$)/;

const RECOGNISERS: readonly { shape: Shape; recognise(sample: readonly string[]): boolean }[] = [
  {
    shape: 'diff',
    recognise: (lines) => lines.some((line) => HUNK.test(line)) && share(lines, CHANGED) > 0.1,
  },
  { shape: 'test-run', recognise: (lines) => lines.some((line) => TEST_SUMMARY.test(line)) },
  { shape: 'data', recognise: (lines) => /^\s*[{[]/.test(lines[0] ?? '') && share(lines, JSON_LINE) > 0.8 },
  { shape: 'markup', recognise: (lines) => MARKUP.test(lines[0] ?? '') },
  { shape: 'search', recognise: (lines) => share(lines, FOUND) > 0.6 },
  { shape: 'listing', recognise: (lines) => share(lines, LISTED) > 0.7 },
  { shape: 'table', recognise: isTable },
];

const MARKUP = /^\s*<(?:!doctype html|html|\?xml)\b/i;
const COLUMN_NAMES =
  /^[A-Z][A-Z0-9_/%()-]*(?: [A-Z0-9_/%()-]+)*(?:\s{2,}[A-Z][A-Z0-9_/%()-]*(?: [A-Z0-9_/%()-]+)*)+\s*$/;
const RULE = /^(?=.*-{2})(?=.*[+|])[\s|+:-]{5,}$/;
const DELIMITERS = [',', '\t', ';', '|'];
const FEW_ROWS = 5;

/** Columns with names in capitals, a rule below the names, or as many delimiters in every row. */
function isTable(lines: readonly string[]): boolean {
  const [first = '', second = ''] = lines;
  if (lines.length < FEW_ROWS) return false;
  if (COLUMN_NAMES.test(first) || RULE.test(second) || RULE.test(first)) return true;
  return !/[(){}=<>]|\d\d/.test(first) && DELIMITERS.some((delimiter) => isDelimited(lines, delimiter));
}

function isDelimited(lines: readonly string[], delimiter: string): boolean {
  const columns = (line: string) => line.split(delimiter).length;
  const expected = columns(lines[0] ?? '');
  return expected > 2 && lines.filter((line) => columns(line) === expected).length > 0.9 * lines.length;
}
