import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { detectLanguage } from '@secateur/base/languages/languages.ts';
import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import { type Clock, deadlineIn, systemClock } from '@secateur/base/runtime/time.ts';
import { UNFINISHED_TAGS } from '@secateur/base/text/doc-words.ts';
import { splitLines } from '@secateur/base/text/lines.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import type { BodyFacts } from '../../syntax/body-facts.ts';
import type { Declaration, Outline } from '../../syntax/outline.ts';
import { createOutliner, type Outliner } from '../../syntax/read-outline.ts';
import type { Callout, FileFacts, FileNote } from '../reading/facts.ts';
import { packBodies, sourceText } from '../reading/read-bodies.ts';
import { openMembers, type SkeletonExport, type SkeletonImport, skeletonOf } from '../reading/skeleton.ts';

export interface SourceRequest {
  absolute: string;
  /** Path in the result. */
  path: string;
  maxBytes: number;
  /** Whether to use line patterns only, because a parser failed on the file before. Default: false. */
  byPatterns?: boolean;
  /** Whether to read facts of function bodies too. Default: false. */
  withBodies?: boolean;
}

const DEFAULT_BYTES = 64 * 1024;

export type SourceReading =
  | { kind: 'facts'; facts: FileFacts }
  | { kind: 'note'; note: FileNote; contentHash?: string };

/** Objects that a reading thread reuses for all files. */
export interface ReadingTools {
  outliner: Outliner;
  /** Buffer that holds one file at a time. */
  scratch: Buffer;
  clock: Clock;
}

export function createReadingTools(clock: Clock = systemClock): ReadingTools {
  return { outliner: createOutliner(), scratch: Buffer.alloc(DEFAULT_BYTES), clock };
}

/**
 * Minimum deadline for parsing in ms, about 100 times what a normal file takes. On some files of 60 KB a
 * parser would run for a minute.
 */
const MIN_PARSE_MS = 2000;
const PARSE_MS_A_CHARACTER = 0.02;

/** Reads the facts of one file. A failure becomes a note, so that the other files are still read. */
export async function readSource(request: SourceRequest, tools: ReadingTools): Promise<SourceReading> {
  const opened = readBytes(request, tools.scratch);
  if (opened.kind === 'note') return opened;
  const contentHash = hash('sha256', opened.bytes);
  if (opened.bytes.subarray(0, 8_000).includes(0))
    return { kind: 'note', note: { code: 'binary' }, contentHash };
  try {
    const outline = await outlineOf(sourceText(opened.bytes), request, tools);
    if (outline === undefined) return { kind: 'note', note: { code: 'unknown-language' }, contentHash };
    return { kind: 'facts', facts: { ...outline, contentHash } };
  } catch {
    // The parser failed, or the facts are nested too deeply to be serialised.
    return { kind: 'note', note: { code: 'failed' }, contentHash };
  }
}

type Bytes = { kind: 'bytes'; bytes: Buffer } | { kind: 'note'; note: FileNote };

/**
 * Reads a file synchronously, which is three times faster for small files; a worker has nothing else to do.
 * Only a large file is asked for its size.
 */
function readBytes({ absolute, maxBytes }: SourceRequest, scratch: Buffer): Bytes {
  try {
    const descriptor = openSync(absolute, 'r');
    try {
      const count = readSync(descriptor, scratch, 0, scratch.length, 0);
      if (count < scratch.length && count <= maxBytes)
        return { kind: 'bytes', bytes: scratch.subarray(0, count) };
      return readLarge(descriptor, maxBytes);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return { kind: 'note', note: { code: 'unreadable' } };
  }
}

function readLarge(descriptor: number, maxBytes: number): Bytes {
  const { size } = fstatSync(descriptor);
  if (size > maxBytes) return { kind: 'note', note: { code: 'too-large', bytes: size, maxBytes } };
  return { kind: 'bytes', bytes: readFileSync(descriptor) };
}

/**
 * Reads the outline of a text. The text is redacted before it is parsed, so that the facts contain no secret.
 */
async function outlineOf(
  raw: string,
  { path, byPatterns = false, withBodies = false }: SourceRequest,
  { outliner, clock }: ReadingTools,
): Promise<Omit<FileFacts, 'contentHash'> | undefined> {
  const known = detectLanguage({ path, source: raw }) !== undefined;
  if (!known) return undefined;
  const text = redactSecrets(raw);
  const deadline = () => deadlineIn(MIN_PARSE_MS + PARSE_MS_A_CHARACTER * text.length, clock);
  const outline = await outliner.outline(text, { path, deadline, byPatterns, withBodies });
  if (outline.parser === 'none') return undefined;
  const lines = splitLines(text);
  const read = {
    skeleton: skeletonOf(outline, { path, loc: lines.length }),
    headComment: headComment(lines),
  };
  const outlineText = renderSkeletonText(read);
  return {
    ...read,
    ...(isMarkedGenerated(lines) && { isGenerated: true as const }),
    callouts: findCallouts(lines),
    internals: internalsOf(outline),
    ...(withBodies && { packedBodies: packBodies(outline.bodies ?? NO_BODIES) }),
    outlineText,
    outlineTokens: estimateTokens(outlineText) + 1,
  };
}

const NO_BODIES: BodyFacts = {
  fileDoc: undefined,
  facts: [],
  testCalls: [],
  functions: [],
  types: [],
  bindings: [],
  variables: {},
};

function internalsOf({ declarations, parser }: Outline): FileFacts['internals'] {
  return declarations
    .filter(({ exported }) => !exported)
    .map((declaration: Declaration) => {
      const { name, kind, signature, startLine, endLine } = declaration;
      const members = parser === 'typescript' ? openMembers(declaration) : [];
      return { name, kind, signature, startLine, endLine, ...(members.length > 0 && { members }) };
    });
}

const TAGS = `${UNFINISHED_TAGS}|SECURITY|DEPRECATED`;
const TAG = new RegExp(TAGS);
const CALLOUT = new RegExp(
  String.raw`(?:\/\/|#|\/\*|^\s*\*|--|<!--|;;).{0,120}?\b(${TAGS})\b(?:\([^)]{0,100}\))?\s{0,20}[:：-]?\s{0,20}(.*)`,
);
const MAX_LENGTH = 300;
/**
 * Maximum number of characters in a line that is searched. Longer lines are not written by hand, and patterns
 * with lookahead would be slow on them.
 */
const MAX_LINE = 2_000;

/** Returns comments that ask for attention, such as TODO. */
export function findCallouts(lines: readonly string[]): Callout[] {
  const callouts: Callout[] = [];
  for (const [at, line] of lines.entries()) {
    // The fast check comes first, because most lines have no tag and the full pattern is slow.
    if (line.length > MAX_LINE || !TAG.test(line)) continue;
    const [, tag, rest = ''] = CALLOUT.exec(line) ?? [];
    if (tag === undefined) continue;
    callouts.push({
      tag,
      text: rest
        .replace(/(?<!\s)\s*(?:\*\/|-->)\s*$/, '')
        .trim()
        .slice(0, MAX_LENGTH),
      line: at + 1,
    });
  }
  return callouts;
}

const MARK_LINES = 30;
/** Marks of generated files, as written by Go, Bazel, the tools of Meta and those of .NET. */
const GENERATED_MARK =
  /^.{0,100}(?:\bcode generated\b.{0,200}\bdo not (?:edit|modify)\b|(?<![\w`'"])@generated\b|<auto-?generated|\bthis (?:file|code) (?:is|was) (?:auto(?:matically)?[- ]?)?generated\b.{0,200}\bdo not (?:edit|modify)\b)/i;
const COMMENT = /^\s*(?:\/\/|#|\/?\*|--|;|<!--)/;

/** Whether the first comments of a file say that a program wrote it. */
function isMarkedGenerated(lines: readonly string[]): boolean {
  return lines
    .slice(0, MARK_LINES)
    .some((line) => line.length < MAX_LINE && COMMENT.test(line) && GENERATED_MARK.test(line));
}

const LICENCE = /copyright|licen[cs]e|spdx-|all rights reserved/i;
const MAX_HEAD_LINES = 40;

/** Returns the text of the first comment of a file; null if it is missing or a licence. */
export function headComment(lines: readonly string[]): string | null {
  const start = lines[0]?.startsWith('#!') === true ? 1 : 0;
  const opening = lines
    .slice(start, start + MAX_HEAD_LINES)
    .join('\n')
    .trimStart();
  const words = blockComment(opening) ?? lineComments(opening);
  if (words === undefined || words.trim() === '' || LICENCE.test(words)) return null;
  return words.trim().slice(0, 2_000);
}

/**
 * Returns the text of a block comment or doc string. It may be cut if the comment is longer than the lines
 * read.
 */
function blockComment(text: string): string | undefined {
  const [, slashed, , quoted] =
    /^(?:\/\*{1,200}!?([\s\S]*?)(?:\*\/|$)|[rRuU]?("""|''')([\s\S]*?)(?:\2|$))/.exec(text) ?? [];
  const body = slashed ?? quoted;
  return body?.replace(/^[ \t]*\*? ?/gm, '');
}

function lineComments(text: string): string | undefined {
  const block = /^(?:[ \t]*(?:\/\/|#(?!!|include|define|if|pragma))[^\n]*(?:\n|$))+/.exec(text)?.[0];
  return block?.replace(/^[ \t]*(?:\/\/+!?|#+) ?/gm, '');
}

const MAX_DOC = 600;

/**
 * Returns the skeleton of a file as text for a model. It takes half the tokens of its JSON and is independent
 * of the document language.
 */
function renderSkeletonText({ skeleton, headComment }: Pick<FileFacts, 'skeleton' | 'headComment'>): string {
  const { filePath, language, loc, imports, exports, parseErrors } = skeleton;
  return [
    `### ${filePath} (${language}, L1-L${loc})`,
    ...(headComment === null ? [] : [comment(headComment, '')]),
    ...importLine(imports),
    ...(parseErrors === undefined ? [] : [`(parseErrors: ${parseErrors.length})`]),
    ...onceEach(exports).map((each) => renderExport(each, '')),
  ].join('\n');
}

/** Returns all imports in one line, each module once: `import typing { t }, os`. */
function importLine(imports: readonly SkeletonImport[]): string[] {
  const modules = grouped(imports.map(({ module, names }) => [module, names]));
  const told = [...modules].map(([module, lists]) => {
    const names = new Set(lists.flat());
    return names.size === 0 ? module : `${module} { ${[...names].join(', ')} }`;
  });
  return told.length === 0 ? [] : [`import ${told.join(', ')}`];
}

/** Keeps one export of a statement that declares several names (`a = b = c = f`). */
function onceEach(exports: readonly SkeletonExport[]): SkeletonExport[] {
  return exports.filter((each, at) => {
    const before = exports[at - 1];
    return before?.signature !== each.signature || before.startLine !== each.startLine;
  });
}

function renderExport({ name, signature, jsDoc, members }: SkeletonExport, indent: string): string {
  const exportedName = signature.includes(name) ? '' : ` (export: ${name})`;
  return [
    ...(jsDoc === null ? [] : [comment(jsDoc, indent)]),
    `${indent}${signature.split('\n').join(`\n${indent}`)}${exportedName}`,
    ...onceEach(members ?? []).map((member) => renderExport(member, `${indent}  `)),
  ].join('\n');
}

function comment(text: string, indent: string): string {
  const short = text.length > MAX_DOC ? `${text.slice(0, MAX_DOC)}…` : text;
  return short
    .split('\n')
    .map((line) => `${indent}/// ${line.trim()}`)
    .join('\n');
}
