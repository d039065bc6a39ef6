import type { DeclarationKind } from '../structure.ts';

/** Line patterns of a language. One file each in `languages/`, one line in `languages.ts`. */
export interface Language {
  id: string;
  /** Without the dot, lower case. */
  extensions: readonly string[];
  /** Programs named after `#!` that run it. */
  interpreters?: readonly string[];
  /** Lines that declare or import something, recognised one by one: for fragments and quick reading. */
  patterns: readonly LinePattern[];
  /** Patterns that identify the language of a text without a name; the more of them match, the more certain. */
  hints: readonly RegExp[];
}

/**
 * One kind of line that declares or imports. A named group `name` is what it declares.
 * For declarations written the same way with different words (`class`, `struct`), the group `word` picks the kind.
 */
export interface LinePattern {
  kind: DeclarationKind | 'import' | Readonly<Record<string, DeclarationKind>>;
  /** Meets the line with every run of white space drawn together to one blank. */
  match: RegExp;
  /** Columns the line must be indented by; any when absent. */
  indent?: number;
  /** For a line that opens a list: how the next line no deeper than it must look. Calls and declarations part there. */
  closes?: RegExp;
}

/** Runs of white space as one blank each: expressions need no repetition for it, and keep to a time in step with the line. */
export function drawTogether(line: string): string {
  const indent = line.length - line.trimStart().length;
  // Most lines are even but for their indent: a part of the line itself costs no copy.
  const oneBlank = indent > 0 ? line.slice(indent - 1) : line;
  return UNEVEN.test(oneBlank) ? oneBlank.replace(/\s+/g, ' ') : oneBlank;
}

const UNEVEN = /\s\s|[^\S ]/;
