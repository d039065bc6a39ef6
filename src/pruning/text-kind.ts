import { commandKind } from '../ranking/command-kind.ts';
import type { SourceType } from '../ranking/scorer.ts';
import { extensionOf, fileKindOf } from '../text/file-kinds.ts';
import { printsDiff, shownFile } from './text-kind/command-line.ts';
import { guessSourceType, isWritten } from './text-kind/guess.ts';
import { recogniseShape, type Shape, sampleText } from './text-kind/shape.ts';

/** Where a text came from, as far as its sender knows. */
export type TextOrigin =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'search'; readonly pattern: string }
  | { readonly kind: 'other' };

/** What decides how a text is cut. */
export interface TextKind {
  /** What the scorer reads it as: it learnt from texts that were told apart in this way. */
  sourceType: SourceType;
  /** What rules of protection and the names of gaps go by. */
  shape: Shape;
  /** The file it shows, whose name tells its language. */
  fileName?: string;
}

/** The one place that says what a text is, from where it came from and what it looks like. */
export function kindOfText(origin: TextOrigin, text: string): TextKind {
  const fileName = fileOf(origin);
  const known = fileName === undefined ? undefined : fileKindOf(fileName);
  const sourceType = known ?? guessSourceType(text);
  const named = NAMED_SHAPES.get(extensionOf(fileName ?? ''));
  const shape =
    named ?? recogniseShape(sampleText(text)) ?? unrecognised(origin, { fileName, sourceType, text });
  return { sourceType, shape, ...(fileName !== undefined && { fileName }) };
}

/** Diffs up to this many characters are read to the letter; longer ones lose whole hunks, files and commits. */
export const WHOLE_DIFF_CHARS = 20_000;

/** Diffs and patches are read to the letter, unless they are long. */
export function isReadWhole(origin: TextOrigin, text: string, { shape }: TextKind): boolean {
  if (text.length > WHOLE_DIFF_CHARS) return false;
  if (origin.kind === 'command' && printsDiff(origin.command)) return true;
  if (origin.kind === 'file' && DIFF_FILES.has(extensionOf(origin.path))) return true;
  return shape === 'diff' && origin.kind !== 'search';
}

/** A call in words, as an agent's scorer knows calls: `Read src/a.ts`, `Grep retry`, a command line as it is. */
export function callText(origin: TextOrigin, searchTool = 'Grep'): string {
  if (origin.kind === 'command') return origin.command;
  if (origin.kind === 'file') return `Read ${origin.path}`;
  return origin.kind === 'search' ? `${searchTool} ${origin.pattern}` : '';
}

/** Names that tell more than a look at the text. */
const NAMED_SHAPES: ReadonlyMap<string, Shape> = new Map([
  ...['csv', 'tsv'].map((extension) => [extension, 'table'] as const),
  ...['json', 'jsonc', 'yaml', 'yml', 'toml', 'ini', 'cfg'].map((extension) => [extension, 'data'] as const),
  ...['html', 'htm', 'xhtml', 'xml', 'svg'].map((extension) => [extension, 'markup'] as const),
]);

const DIFF_FILES = new Set(['diff', 'patch']);

function fileOf(origin: TextOrigin): string | undefined {
  if (origin.kind === 'file') return origin.path;
  return origin.kind === 'command' ? shownFile(origin.command) : undefined;
}

interface Unrecognised {
  fileName: string | undefined;
  sourceType: SourceType;
  text: string;
}

/** What a program says of its own work is a log, whatever a few of its lines look like: its failures must stay. */
function unrecognised(origin: TextOrigin, { fileName, sourceType, text }: Unrecognised): Shape {
  if (origin.kind !== 'command' || fileName !== undefined || isWritten(text, sourceType)) return sourceType;
  const kind = commandKind(origin.command);
  if (kind === 'search' || kind === 'listing') return kind;
  return kind === 'read' || GIT_HISTORY.test(origin.command) ? sourceType : 'logs';
}

/** By themselves, what they print is not about how they went: its words of failure are those of commits. */
const GIT_HISTORY =
  /^\s*(?:cd \S+ && )?git (?:--no-pager )?(?:log|shortlog|reflog|blame|branch|tag)\b[^;&]*$/;
