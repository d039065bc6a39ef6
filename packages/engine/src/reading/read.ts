/** Text → document: which format it has, its lines as patterns see them, its units. */
import { extensionOf, fileKindOf } from '@secateur/base/text/file-kinds.ts';
import { splitLines } from '@secateur/base/text/lines.ts';
import type { Document, Format, FormatName } from './document.ts';
import { plainFormat } from './formats/plain.ts';
import { FORMATS } from './formats.ts';
import { cleanLine, isNumbered, sampleOf, withoutNumber } from './lines.ts';

/** Facts the sender of a text knows about it. */
export interface ReadingRequest {
  /** The file it shows; its extension determines the format and the language. */
  readonly fileName?: string | undefined;
  /** Format its sender names: used only if no format recognises the text. */
  readonly otherwise?: FormatName | undefined;
  /** It reports on the work of a program: formats of files are not considered. */
  readonly isReport?: boolean | undefined;
}

export function readDocument(text: string, request: ReadingRequest = {}): Document {
  const lines = splitLines(text);
  const clean = lines.map(cleanLine);
  const sample = sampleOf(clean);
  const isNumberedText = isNumbered(sample);
  const bareSample = isNumberedText ? sample.map(withoutNumber) : sample;
  const format = formatOf({ sample, bareSample }, request);
  // In search results the numbers tell hits and headings apart.
  const bare = isNumberedText && format.name !== 'search' ? clean.map(withoutNumber) : clean;
  return { format: format.name, lines, bare, units: format.units(bare, request) };
}

interface Samples {
  readonly sample: readonly string[];
  readonly bareSample: readonly string[];
}

function formatOf(
  { sample, bareSample }: Samples,
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

/** Extensions that tell more than a look at the text. */
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
