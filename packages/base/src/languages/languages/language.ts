import type { DeclarationKind } from '../structure.ts';

/** Line patterns of a language. Each language has a file in `languages/` and a line in `languages.ts`. */
export interface Language {
  /** Programs named after `#!` that run it. */
  interpreters?: readonly string[];
  /** Patterns of lines that declare or import something, for fragments and fast reading without a parser. */
  patterns: readonly LinePattern[];
  /** Patterns that identify the language of a text without a file name. The more patterns match, the more certain. */
  hints: readonly RegExp[];
}

/**
 * One kind of line that declares or imports. The named group `name` contains the declared name. For declarations with
 * equal form and different words (`class`, `struct`), the group `word` determines the kind.
 */
export interface LinePattern {
  kind: DeclarationKind | 'import' | Readonly<Record<string, DeclarationKind>>;
  /** Matched against the line after `drawTogether`, with single spaces. */
  match: RegExp;
  /** Number of columns by which the line must be indented. Default: any number. */
  indent?: number;
  /** Pattern of the next line that is not indented more deeply. It distinguishes declarations from calls. */
  closes?: RegExp;
}

/** Replaces each run of white space by one space, so that patterns need no repetition. */
export function drawTogether(line: string): string {
  const indent = line.length - line.trimStart().length;
  // Most lines have long white space only in their indentation: this slice is then the result, without a copy.
  const oneBlank = indent > 0 ? line.slice(indent - 1) : line;
  return UNEVEN.test(oneBlank) ? oneBlank.replace(/\s+/g, ' ') : oneBlank;
}

const UNEVEN = /\s\s|[^\S ]/;
