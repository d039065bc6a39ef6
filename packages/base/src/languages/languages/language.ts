import type { DeclarationKind } from '../structure.ts';

/** Line patterns of a language. One file each in `languages/`, one line in `languages.ts`. */
export interface Language {
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
  /** Matched against the line with every run of white space replaced by one space (`drawTogether`). */
  match: RegExp;
  /** Number of columns the line must be indented by. Default: any. */
  indent?: number;
  /** Pattern of the next line that is indented no deeper. It distinguishes declarations from calls. */
  closes?: RegExp;
}

/** Replaces each run of white space by one space, so that patterns need no repetition for it. */
export function drawTogether(line: string): string {
  const indent = line.length - line.trimStart().length;
  // Most lines have long runs of white space only in their indent: then this slice is the result, without a copy.
  const oneBlank = indent > 0 ? line.slice(indent - 1) : line;
  return UNEVEN.test(oneBlank) ? oneBlank.replace(/\s+/g, ' ') : oneBlank;
}

const UNEVEN = /\s\s|[^\S ]/;
