import { splitLines } from '../../text/lines.ts';
import type { Language } from '../language.ts';
import type { Declaration, ImportStatement, Outline } from '../outline.ts';
import { type StructuralLine, structuralLinesOf } from '../structure.ts';

const CONTAINERS: ReadonlySet<string> = new Set([
  'class',
  'interface',
  'namespace',
  'struct',
  'trait',
  'impl',
  'enum',
]);

/**
 * Where the parser met trouble, line patterns add what it lost: on fragments either alone finds clearly less.
 * Code without problems is left as the parser read it.
 */
export function supplement(outline: Outline, source: string, language: Language): Outline {
  if (outline.problems.length === 0) return outline;
  const lines = splitLines(source);
  const read = linesRead(outline, lines.length);
  const lost = structuralLinesOf(lines, language).filter(({ line }) => read[line] === 0);
  const imports = lost.filter((each) => each.role === 'import').map((each) => guessedImport(each, lines));
  const declarations = [...outline.declarations];
  for (const each of lost) {
    if (each.role === 'declaration') home(declarations, each.line).push(guessedDeclaration(each, lines));
  }
  return {
    ...outline,
    imports: inOrder([...outline.imports, ...imports]),
    declarations: inOrder(declarations),
  };
}

/** What line patterns alone say, when no parser could be used in time. */
export function outlineFromPatterns(source: string, language: Language): Outline {
  const problems = [
    { line: 1, message: 'deadline passed before the file was parsed: read by line patterns' },
  ];
  const empty: Outline = {
    language: language.id,
    parser: 'patterns',
    imports: [],
    declarations: [],
    problems,
  };
  return supplement(empty, source, language);
}

/** A line is read when an import or a declaration that is no container spans it, or a container's own header does. */
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

function home(declarations: Declaration[], line: number): Declaration[] {
  const owner = declarations.find((each) => CONTAINERS.has(each.kind) && !each.guessed && holds(each, line));
  return owner === undefined ? declarations : home(owner.members, line);
}

function holds(range: { startLine: number; endLine: number }, line: number): boolean {
  return range.startLine <= line && line <= range.endLine;
}

function guessedDeclaration({ line, name, kind }: StructuralLine, lines: readonly string[]): Declaration {
  const text = (lines[line - 1] ?? '').trim();
  return {
    name,
    kind: kind === 'import' ? 're-export' : kind,
    signature: text.replace(/\s*[{:;,]$/, ''),
    doc: undefined,
    exported: false,
    guessed: true,
    members: [],
    startLine: line,
    endLine: line,
    bodyStartLine: undefined,
  };
}

function guessedImport({ line }: StructuralLine, lines: readonly string[]): ImportStatement {
  const text = (lines[line - 1] ?? '').trim();
  const module = /['"<]([^'">]+)['">]/.exec(text)?.[1] ?? /^\S+\s+([\w.:\\/]+)/.exec(text)?.[1] ?? text;
  return { module, names: [], text, typeOnly: false, startLine: line, endLine: line };
}

function inOrder<T extends { startLine: number }>(items: T[]): T[] {
  return items.sort((left, right) => left.startLine - right.startLine);
}
