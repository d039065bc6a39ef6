import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redactSecrets, redactUnparsed } from '@secateur/base/redaction/redact.ts';
import { sliceLines, splitLines } from '@secateur/base/text/lines.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import type { BodyFacts } from '../../syntax/body-facts.ts';
import { type FileFacts, type FileNotes, hasOnlySyntaxErrors, type Ranks } from './facts.ts';
import { sourceText } from './read-bodies.ts';

/** Source lines with secrets redacted. */
export interface Snippet {
  filePath: string;
  startLine: number;
  text: string;
}

export interface SnippetRequest {
  base: string;
  files: readonly FileFacts[];
  notes: FileNotes;
  bodies: ReadonlyMap<string, BodyFacts>;
  ranks: Ranks;
  /** Token budget. At most twice as many tokens are read. */
  budget: number;
}

/** Reads the bodies of functions and methods, the highest rank first, and then texts of files without a parser. */
export async function readSnippets(request: SnippetRequest): Promise<Snippet[]> {
  const snippets: Snippet[] = [];
  const texts = new Map<string, string[]>();
  let tokens = 0;
  for (const wanted of everythingWanted(request)) {
    if (tokens > request.budget * 2) break;
    const snippet = await cut(request.base, wanted, texts);
    snippets.push(snippet);
    tokens += estimateTokens(snippet.text);
  }
  return snippets.filter(({ text }) => text.trim() !== '');
}

interface Wanted {
  path: string;
  redact(text: string): string;
  range: { start: number; end: number };
}

/** Yields the snippets to read one by one. In a large tree only the first ones are used. */
function* everythingWanted(request: SnippetRequest): Generator<Wanted> {
  const { files, notes } = request;
  for (const file of files.filter(hasOnlySyntaxErrors))
    yield { path: file.skeleton.filePath, redact: redactUnparsed, range: WHOLE_FILE };
  for (const { path, startLine, endLine } of rankedFunctions(request))
    yield { path, redact: redactSecrets, range: { start: startLine, end: endLine } };
  yield* unparsed(notes);
}

/** Lines shown of a file that has no facts. */
const WHOLE_FILE = { start: 1, end: 2_000 };

function rankedFunctions({
  files,
  bodies,
  ranks,
}: SnippetRequest): { path: string; startLine: number; endLine: number; rank: number }[] {
  const functions = files.flatMap(({ skeleton: { filePath: path } }) =>
    outermost(bodies.get(path)?.functions ?? []).map(({ name, startLine, endLine }) => ({
      path,
      startLine,
      endLine,
      rank: ranks.of(path, name),
    })),
  );
  return functions.sort((one, other) => other.rank - one.rank);
}

/**
 * Returns the functions that are not inside another function. Functions on one line are omitted, because
 * their signature shows everything.
 */
function outermost(functions: BodyFacts['functions']): BodyFacts['functions'] {
  let end = 0;
  return functions
    .toSorted((one, other) => one.startLine - other.startLine || other.endLine - one.endLine)
    .filter(({ startLine, endLine }) => {
      if (startLine <= end) return false;
      end = endLine;
      return endLine > startLine;
    });
}

const NOT_ABOUT_CODE =
  /(?:^|\/)(?:\.[^/]+|(?:LICEN[CS]E|COPYING|NOTICE|PATENTS|FUNDING|AUTHORS|CODEOWNERS)(?:[._-][^/]*)?)(?:\/|$)/i;

/** Whether a file that has no parser may describe the code. Licences, funding files and hidden files do not. */
export function isAboutCode(path: string): boolean {
  return !NOT_ABOUT_CODE.test(path);
}

function unparsed(notes: FileNotes): Wanted[] {
  return Object.entries(notes)
    .filter(([path, note]) => note.code === 'unknown-language' && isAboutCode(path))
    .map(([path]) => ({ path, redact: redactUnparsed, range: WHOLE_FILE }));
}

async function cut(
  base: string,
  { path, redact, range }: Wanted,
  texts: Map<string, string[]>,
): Promise<Snippet> {
  const known = texts.get(path);
  const lines = known ?? splitLines(redact(await readFile(join(base, path)).then(sourceText, () => '')));
  if (known === undefined) texts.set(path, lines);
  return { filePath: path, startLine: range.start, text: sliceLines(lines, range) };
}
