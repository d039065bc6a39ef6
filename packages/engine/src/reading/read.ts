import { extensionOf, fileKindOf } from '@secateur/base/text/file-kinds.ts';
import { splitLines } from '@secateur/base/text/lines.ts';
import type { Document, Format, FormatName } from './document.ts';
import { plainFormat } from './formats/plain.ts';
import { FORMATS } from './formats.ts';

/** Converts a text to a document: its format, its lines without terminal sequences and numbers, and its units. */

/** Facts about a text that its sender knows. */
export interface ReadingRequest {
  /** File that the text shows. Its extension determines the format and the language. */
  readonly fileName?: string | undefined;
  /** Format that is used if no format recognises the text. */
  readonly otherwise?: FormatName | undefined;
  /** Whether the text is the report of a program, so that it has no format of a file. */
  readonly isReport?: boolean | undefined;
}

export function readDocument(text: string, request: ReadingRequest = {}): Document {
  const lines = splitLines(text);
  const clean = lines.map(cleanLine);
  const sample = sampleOf(clean);
  const isNumberedText = isNumbered(sample);
  const bareSample = isNumberedText ? sample.map(withoutNumber) : sample;
  const format = formatOf({ sample, bareSample }, request);
  // In search results, numbers distinguish hits from headings and are kept.
  const bare = isNumberedText && format.name !== 'search' ? clean.map(withoutNumber) : clean;
  return { format: format.name, lines, bare, units: format.units(bare, request) };
}

function formatOf(
  { sample, bareSample }: { sample: readonly string[]; bareSample: readonly string[] },
  { fileName, otherwise, isReport }: ReadingRequest,
): Format {
  const named = fileName === undefined ? undefined : NAMED.get(extensionOf(fileName));
  if (named !== undefined) return named;
  if (sample.length < MIN_SAMPLE_LINES) return byName(otherwise ?? 'plain');
  const isCode = fileName !== undefined && fileKindOf(fileName) === 'code';
  if (isCode) return byName('code');
  const candidates = FORMATS.filter(({ name }) => !(isReport === true && OF_FILES.has(name)));
  return (
    candidates.find(
      (format) => format.name !== 'plain' && format.recognise(format.name === 'search' ? sample : bareSample),
    ) ?? byName(otherwise ?? 'plain')
  );
}

const MIN_SAMPLE_LINES = 3;
const OF_FILES: ReadonlySet<FormatName> = new Set<FormatName>(['code', 'document', 'config', 'markup']);

function byName(name: FormatName): Format {
  return FORMATS.find((format) => format.name === name) ?? plainFormat;
}

/** Extensions that determine the format more reliably than the text does. */
const EXTENSIONS: Partial<Record<FormatName, string>> = {
  table: 'csv tsv',
  json: 'json jsonc json5 ipynb',
  config: 'yaml yml toml ini cfg conf properties lock sum',
  markup: 'html htm xhtml xml svg',
  document: 'md mdx markdown rst adoc asciidoc tex org',
  diff: 'diff patch',
};

const NAMED: ReadonlyMap<string, Format> = new Map(
  FORMATS.flatMap((format) =>
    (EXTENSIONS[format.name] ?? '')
      .split(' ')
      .filter((extension) => extension !== '')
      .map((extension) => [extension, format] as const),
  ),
);

/** Lines are matched without terminal sequences, redrawn progress bars and number prefixes. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences start with a control character
const TERMINAL_SEQUENCE = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;

/** Returns a line as a terminal shows it: without colours, and with only the last state of a progress bar. */
export function cleanLine(line: string): string {
  const plain = line.includes('\u001b') ? line.replace(TERMINAL_SEQUENCE, '') : line;
  return plain.includes('\r') ? lastDrawn(plain) : plain;
}

function lastDrawn(line: string): string {
  const end = line.endsWith('\r') ? line.length - 1 : line.length;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

const MAX_SAMPLE_LINES = 400;
const MAX_SAMPLE_LINE_CHARS = 300;

/** Returns lines from the beginning and end of a text, at constant cost. Test runs are recognised by their end. */
function sampleOf(lines: readonly string[]): string[] {
  const half = MAX_SAMPLE_LINES / 2;
  const chosen = lines.length <= MAX_SAMPLE_LINES ? lines : [...lines.slice(0, half), ...lines.slice(-half)];
  return chosen.filter((line) => line.trim() !== '').map((line) => line.slice(0, MAX_SAMPLE_LINE_CHARS));
}

/** Matches a line number before a line. If a digit follows the colon, it is a time, or line and column of a finding. */
const NUMBER_PREFIX = /^\s{0,8}\d{1,7}(?::(?!\d)|[|│→\t]| {2})/;
const MIN_NUMBERED_SHARE = 0.7;

/** Whether most lines begin with a line number, as `cat -n`, `nl` and `grep -n` print it. */
export function isNumbered(sample: readonly string[]): boolean {
  const numbered = sample.filter((line) => NUMBER_PREFIX.test(line)).length;
  return sample.length >= 3 && numbered > MIN_NUMBERED_SHARE * sample.length;
}

function withoutNumber(line: string): string {
  const prefix = NUMBER_PREFIX.exec(line.slice(0, 24));
  return prefix === null ? line : line.slice(prefix[0].length);
}
