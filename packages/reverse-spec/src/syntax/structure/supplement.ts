import type { KnownLanguage } from '@secateur/base/languages/languages.ts';
import { matchingLines, type StructuralLine } from '@secateur/base/languages/structure.ts';
import { indexLines, splitLines } from '@secateur/base/text/lines.ts';
import { publicNames } from '../languages/visibility.ts';
import type { Declaration, ImportStatement, Outline } from '../outline.ts';

const TYPES: ReadonlySet<string> = new Set(['class', 'interface', 'struct', 'trait', 'impl', 'enum']);
const CONTAINERS: ReadonlySet<string> = new Set([...TYPES, 'namespace']);

/**
 * Adds declarations that the parser missed because of errors, as found by line patterns. Returns an outline
 * without problems unchanged. On code fragments, parser and patterns together find clearly more than either
 * alone.
 */
export function supplement(outline: Outline, source: string, language: KnownLanguage): Outline {
  if (outline.problems.length === 0) return outline;
  const lines = splitLines(source);
  const read = linesRead(outline, lines.length);
  const isComment = commentLines(source, language.id);
  const lost = matchingLines(lines, language.patterns).filter(
    ({ line }) => read[line] === 0 && !isComment.has(line),
  );
  const imports = lost.filter((each) => each.role === 'import').map((each) => guessedImport(each, lines));
  const declarations = outline.declarations.filter(
    ({ kind, startLine }) => kind !== 'macro' || !isIncludeGuard(lines, startLine),
  );
  const containers = containersIn(outline.declarations);
  for (const each of lost) {
    if (each.role !== 'declaration' || isIncludeGuard(lines, each.line)) continue;
    const owner = containers.findLast(
      ({ startLine, endLine }) => startLine <= each.line && each.line <= endLine,
    );
    // A `} name;` at the end of the type `name` repeats its name. It is not another declaration.
    if (each.kind === 'type' && each.name === owner?.name) continue;
    (owner?.members ?? declarations).push(guessedDeclaration(each, lines, language));
  }
  return {
    ...outline,
    imports: inOrder([...outline.imports, ...imports]),
    declarations: nestByIndent(inOrder(declarations), lines).map((each) => reveal(each, language)),
  };
}

const WITHOUT_BLOCK_COMMENTS: ReadonlySet<string> = new Set(['python', 'ruby']);

/** Returns the line numbers inside block comments. */
function commentLines(source: string, language: string): Set<number> {
  const lines = new Set<number>();
  if (WITHOUT_BLOCK_COMMENTS.has(language)) return lines;
  const { rowAt } = indexLines(source);
  for (let at = 0; at < source.length; at = endOfPiece(source, at)) {
    if (!source.startsWith('/*', at)) continue;
    const last = rowAt(endOfPiece(source, at));
    for (let row = rowAt(at); row <= last; row += 1) lines.add(row + 1);
  }
  return lines;
}

/** Returns the end of the comment, string or single character at an offset. */
function endOfPiece(source: string, at: number): number {
  if (source.startsWith('/*', at)) return endAfter(source, '*/', at + 2);
  if (source.startsWith('//', at)) return endAfter(source, '\n', at + 2);
  const char = source[at] ?? '';
  if (char !== '"' && char !== "'") return at + 1;
  for (let end = at + 1; end < source.length && source[end] !== '\n'; end += 1) {
    if (source[end] === '\\') end += 1;
    else if (source[end] === char) return end + 1;
  }
  return at + 1;
}

function endAfter(source: string, mark: string, from: number): number {
  const end = source.indexOf(mark, from);
  return end === -1 ? source.length : end + mark.length;
}

/** Whether a line is an include guard: `#define NAME_H` after `#ifndef NAME_H`. */
function isIncludeGuard(lines: readonly string[], line: number): boolean {
  const name = /^\s*#\s*define\s+(\w+)\s*$/.exec(lines[line - 1] ?? '')?.[1];
  if (name === undefined) return false;
  return /^\s*#\s*ifndef\s+(\w+)/.exec(lines[line - 2] ?? '')?.[1] === name;
}

/**
 * Sets the visibility of members that were found by patterns. A namespace found by patterns is exported if a
 * member is.
 */
function reveal(declaration: Declaration, language: KnownLanguage): Declaration {
  const isOpen = CONTAINERS.has(declaration.kind);
  for (const member of declaration.members) {
    if (isOpen && member.guessed === true) member.exported ||= isSeen(member, language);
    reveal(member, language);
  }
  if (declaration.guessed === true && declaration.kind === 'namespace')
    declaration.exported ||= declaration.members.some(({ exported }) => exported);
  return declaration;
}

/** Access modifiers before the keyword of a declaration. Those after it may belong to a base class. */
const CLOSED_WORDS =
  /^(?:(?!class|interface|object|struct|enum|fun|def)\w+\s+)*?(?:private|protected|internal|fileprivate|static)\b/;

function isSeen({ name, signature }: Pick<Declaration, 'name' | 'signature'>, language: KnownLanguage) {
  return publicNames[language.id]?.(name) === true && !CLOSED_WORDS.test(signature);
}

const NO_PARSER = {
  late: 'no answer from the thread that parsed the file',
  'too-deep': 'nested too deeply for the parser',
  'too-much': 'too much for the parser',
} as const;

/** Reads an outline with line patterns only, for files that no parser could read. */
export function outlineFromPatterns(
  source: string,
  language: KnownLanguage,
  reason: keyof typeof NO_PARSER,
): Outline {
  const problems = [{ line: 1, message: `${NO_PARSER[reason]}: read by line patterns` }];
  const empty: Outline = {
    language: language.id,
    parser: 'patterns',
    ...(reason === 'late' && { isLate: true as const }),
    imports: [],
    declarations: [],
    problems,
  };
  return supplement(empty, source, language);
}

/** Marks lines that need no patterns: imports, headers of containers, and other declarations as a whole. */
function linesRead({ imports, declarations }: Outline, count: number): Uint8Array {
  const read = new Uint8Array(count + 1);
  for (const { startLine, endLine } of imports) read.fill(1, startLine, endLine + 1);
  markRead(declarations, read);
  return read;
}

function markRead(declarations: readonly Declaration[], read: Uint8Array): void {
  for (const { kind, startLine, endLine, bodyStartLine, members } of declarations) {
    read.fill(1, startLine, (CONTAINERS.has(kind) ? (bodyStartLine ?? endLine) : endLine) + 1);
    markRead(members, read);
  }
}

/** Returns the declarations that can have members, outer ones before inner ones. */
function containersIn(declarations: readonly Declaration[]): Declaration[] {
  return declarations.flatMap((each) => [
    ...(CONTAINERS.has(each.kind) ? [each] : []),
    ...containersIn(each.members),
  ]);
}

const OPEN_WORDS = /^(?:export|pub|public|open|module\.exports|exports\.)\b/;

function guessedDeclaration(
  { line, name, kind, indent }: StructuralLine,
  lines: readonly string[],
  language: KnownLanguage,
): Declaration {
  const text = (lines[line - 1] ?? '').trim();
  const signature = /[{:;,]$/.test(text) ? text.slice(0, -1).trimEnd() : text;
  return {
    name: name || (kind === 'default' ? 'default' : '<anonymous>'),
    kind: kind === 'import' ? 're-export' : kind,
    signature,
    doc: undefined,
    exported: OPEN_WORDS.test(text) || (indent === 0 && isSeen({ name, signature }, language)),
    guessed: true,
    members: [],
    startLine: line,
    endLine: line,
    bodyStartLine: undefined,
  };
}

function guessedImport({ line }: StructuralLine, lines: readonly string[]): ImportStatement {
  const text = (lines[line - 1] ?? '').trim();
  const module = /['"<]([^'"<>]+)['">]/.exec(text)?.[1] ?? /^\S+\s+([\w.:\\/]+)/.exec(text)?.[1] ?? text;
  return { module, names: [], text, typeOnly: false, startLine: line, endLine: line };
}

function inOrder<T extends { startLine: number }>(items: T[]): T[] {
  return items.sort((left, right) => left.startLine - right.startLine);
}

/** Nests declarations by indentation. The parser may have missed the end of a block. */
function nestByIndent(declarations: readonly Declaration[], lines: readonly string[]): Declaration[] {
  const top: Declaration[] = [];
  const open: { declaration: Declaration; indent: number }[] = [];
  for (const declaration of declarations) {
    const indent = (lines[declaration.startLine - 1] ?? '').search(/\S|$/);
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const owner = open.at(-1)?.declaration;
    if (owner === undefined) top.push(declaration);
    else adopt(owner, declaration);
    open.push({ declaration, indent });
  }
  return top;
}

function adopt(owner: Declaration, declaration: Declaration): void {
  const isMember = TYPES.has(owner.kind);
  if (isMember && declaration.kind === 'function') declaration.kind = 'method';
  // Declarations inside a function are not visible in other files.
  if (!isMember && owner.kind !== 'namespace') declaration.exported = false;
  owner.endLine = Math.max(owner.endLine, declaration.endLine);
  owner.members.push(declaration);
}
