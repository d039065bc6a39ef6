import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redactSecrets, redactUnparsed } from '../../redaction/redact.ts';
import { sliceLines, splitLines } from '../../text/lines.ts';
import { estimateTokens } from '../../text/token-estimate.ts';
import type { FileNotes } from '../prepare/notes.ts';
import { type FileFacts, hasOnlySyntaxErrors } from './facts.ts';
import { sourceText } from './source-text.ts';

/** A stretch of redacted source text. */
export interface Snippet {
  filePath: string;
  startLine: number;
  text: string;
}

export interface SnippetRequest {
  base: string;
  files: readonly FileFacts[];
  notes: FileNotes;
  /** Reading stops when twice as much was read: the rest could never be used. */
  budget: number;
}

export async function readSnippets({ base, files, notes, budget }: SnippetRequest): Promise<Snippet[]> {
  const snippets: Snippet[] = [];
  let tokens = 0;
  for (const wanted of everythingWanted(files, notes)) {
    if (tokens > budget * 2) break;
    for (const snippet of await cut(base, wanted)) {
      snippets.push(snippet);
      tokens += estimateTokens(snippet.text);
    }
  }
  return snippets;
}

interface Wanted {
  path: string;
  redact(text: string): string;
  /** The whole file when there are none. */
  ranges: { start: number; end: number }[];
}

/** One after the other: of a large tree only the first files are ever asked for. */
function* everythingWanted(
  files: SnippetRequest['files'],
  notes: SnippetRequest['notes'],
): Generator<Wanted> {
  for (const file of files) yield stretches(file);
  yield* unparsed(notes);
}

const WITH_BODY: ReadonlySet<string> = new Set([
  'function',
  'class',
  'method',
  'impl',
  'default',
  'constant',
  'struct',
  'trait',
  'namespace',
]);
/** Lines shown of a file without facts. */
const WHOLE_FILE = { start: 1, end: 2_000 };

/** The signature of a declaration of one line says everything about it. A file without facts is shown whole. */
function stretches(file: FileFacts): Wanted {
  const { skeleton, internals } = file;
  if (hasOnlySyntaxErrors(file))
    return { path: skeleton.filePath, redact: redactUnparsed, ranges: [WHOLE_FILE] };
  const ranges = [...skeleton.exports, ...internals]
    .filter(({ kind, startLine, endLine }) => WITH_BODY.has(kind) && endLine > startLine)
    .map(({ startLine, endLine }) => ({ start: startLine, end: endLine }))
    .sort((one, other) => one.start - other.start);
  return { path: skeleton.filePath, redact: redactSecrets, ranges };
}

function unparsed(notes: FileNotes): Wanted[] {
  return Object.entries(notes)
    .filter(([, note]) => note.code === 'unknown-language')
    .map(([path]) => ({ path, redact: redactUnparsed, ranges: [WHOLE_FILE] }));
}

async function cut(base: string, { path, redact, ranges }: Wanted): Promise<Snippet[]> {
  if (ranges.length === 0) return [];
  const text = await readFile(join(base, path)).then(sourceText, () => '');
  const lines = splitLines(redact(text));
  return ranges.map((range) => ({ filePath: path, startLine: range.start, text: sliceLines(lines, range) }));
}
