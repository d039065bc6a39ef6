import type { DeclarationKind } from '../structure.ts';

/** Line patterns of a language. Each language has a file in `languages/` and a line in `languages.ts`. */
export interface Language {
  /** Names of interpreters after `#!`, such as `python3`. */
  interpreters?: readonly string[];
  /** Patterns of lines that declare or import something. Used for code fragments, and to read files without a parser. */
  patterns: readonly LinePattern[];
  /** Patterns by which the language of a text without a file name is guessed. Each match adds to the evidence. */
  hints: readonly RegExp[];
}

/**
 * Pattern of lines that declare or import something. The named group `name` contains the declared name. If
 * one pattern covers several kinds (`class`, `struct`), the group `word` decides.
 */
export interface LinePattern {
  kind: DeclarationKind | 'import' | Readonly<Record<string, DeclarationKind>>;
  /** Pattern for a line in which `drawTogether` has reduced whitespace to single spaces. */
  match: RegExp;
  /** Exact indentation of the line in columns. Default: any. */
  indent?: number;
  /** Pattern of the next line that is not indented more deeply, which distinguishes a declaration from a call. */
  closes?: RegExp;
}

/** Replaces each run of white space by one space, so that patterns need no repetition. */
export function drawTogether(line: string): string {
  const indent = line.length - line.trimStart().length;
  // Most lines have repeated spaces only in their indentation. A slice of the line is then the result, and
  // nothing is copied.
  const oneBlank = indent > 0 ? line.slice(indent - 1) : line;
  return UNEVEN.test(oneBlank) ? oneBlank.replace(/\s+/g, ' ') : oneBlank;
}

const UNEVEN = /\s\s|[^\S ]/;
