import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { detectLanguage } from '@secateur/base/languages/languages.ts';
import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import { UNFINISHED_TAGS } from '@secateur/base/text/doc-words.ts';
import { splitLines } from '@secateur/base/text/lines.ts';
import type { BodyFacts } from '../../syntax/body-facts.ts';
import type { Declaration, Outline } from '../../syntax/outline.ts';
import { createOutliner, type OutlineRequest, type Outliner } from '../../syntax/read-outline.ts';
import type { Callout, FileFacts, FileNote } from '../reading/facts.ts';
import { packBodies, sourceText } from '../reading/read-bodies.ts';
import { openMembers, skeletonOf } from '../reading/skeleton.ts';

export interface SourceRequest {
  absolute: string;
  /** Path of the file, as named in the result. */
  path: string;
  maxBytes: number;
  /** Set to read the file by line patterns only, because a parser took too long or too many steps before. */
  byPatterns?: OutlineRequest['byPatterns'];
  /** Whether to read facts of function bodies too. Default: false. */
  withBodies?: boolean;
}

const DEFAULT_BYTES = 64 * 1024;

export type SourceReading =
  | { kind: 'facts'; facts: FileFacts }
  | { kind: 'note'; note: FileNote; contentHash?: string };

/** Objects that a thread reuses for all files it reads. */
export interface ReadingTools {
  outliner: Outliner;
  /** Buffer that holds one file at a time. */
  scratch: Buffer;
}

export function createReadingTools(): ReadingTools {
  return { outliner: createOutliner(), scratch: Buffer.alloc(DEFAULT_BYTES) };
}

/** Reads the facts of one file. A failure becomes a note, so that the other files are still read. */
export async function readSource(request: SourceRequest, tools: ReadingTools): Promise<SourceReading> {
  const opened = readBytes(request, tools.scratch);
  if (opened.kind === 'note') return opened;
  const contentHash = hash('sha256', opened.bytes);
  if (opened.bytes.subarray(0, 8_000).includes(0))
    return { kind: 'note', note: { code: 'binary' }, contentHash };
  try {
    const facts = await factsOf({ raw: sourceText(opened.bytes), contentHash }, request, tools);
    if (facts === undefined) return { kind: 'note', note: { code: 'unknown-language' }, contentHash };
    return { kind: 'facts', facts };
  } catch {
    // The parser crashed, or the facts are nested too deeply to be serialised.
    return { kind: 'note', note: { code: 'failed' }, contentHash };
  }
}

type Bytes = { kind: 'bytes'; bytes: Buffer } | { kind: 'note'; note: FileNote };

/**
 * Reads a file synchronously, which is three times faster for small files. A worker thread has nothing else
 * to do. The size is checked only if the file does not fit the buffer.
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

/** Reads the facts of a text. Secrets are redacted before the text is parsed, so that no fact contains one. */
async function factsOf(
  { raw, contentHash }: { raw: string; contentHash: string },
  { path, byPatterns, withBodies = false }: SourceRequest,
  { outliner }: ReadingTools,
): Promise<FileFacts | undefined> {
  if (detectLanguage({ path, source: raw }) === undefined) return undefined;
  const text = redactSecrets(raw);
  const outline = await outliner.outline(text, { path, withBodies, ...(byPatterns && { byPatterns }) });
  if (outline.parser === 'none') return undefined;
  const lines = splitLines(text);
  return {
    skeleton: skeletonOf(outline, { path, loc: lines.length }),
    contentHash: outline.isLate ? '' : contentHash,
    headComment: headComment(lines),
    ...(isMarkedGenerated(lines) && { isGenerated: true as const }),
    callouts: findCallouts(lines),
    internals: internalsOf(outline),
    ...(withBodies && { packedBodies: packBodies(outline.bodies ?? NO_BODIES) }),
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
/** Maximum characters of a line that is searched for tags. Longer lines are not written by people, and the pattern is slow on them. */
const MAX_LINE = 2_000;

/** Returns comments that ask for attention, such as TODO. */
export function findCallouts(lines: readonly string[]): Callout[] {
  const callouts: Callout[] = [];
  for (const [at, line] of lines.entries()) {
    // `TAG` is a fast check for lines without a tag, which are most. The full pattern is slow.
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
/** Marks in generated files, as written by Go, Bazel and the tools of Meta and .NET. */
const GENERATED_MARK =
  /^.{0,100}(?:\bcode generated\b.{0,200}\bdo not (?:edit|modify)\b|(?<![\w`'"])@generated\b|<auto-?generated|\bthis (?:file|code) (?:is|was) (?:auto(?:matically)?[- ]?)?generated\b.{0,200}\bdo not (?:edit|modify)\b)/i;
const COMMENT = /^\s*(?:\/\/|#|\/?\*|--|;|<!--)/;

/** Whether comments at the start of a file say that a program generated it. */
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

/** Returns the text of a block comment or doc string. Its end is missing if it is longer than the lines given. */
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
