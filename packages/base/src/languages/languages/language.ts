import type { LinePattern } from '../structure/pattern.ts';

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
