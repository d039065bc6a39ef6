import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { BodyFacts } from './body-facts/fact.ts';

/** Declarations of a source file, read by a real parser. Lines are 1-based and inclusive. */
export interface Outline {
  /** A `LanguageId`, or `unknown` if neither the path nor the text shows it. */
  language: string;
  /** `patterns`: no parser could be used (deadline passed), line patterns alone spoke. `none`: unknown language. */
  parser: 'typescript' | 'tree-sitter' | 'patterns' | 'none';
  imports: ImportStatement[];
  /** Top-level declarations in source order; a class's methods, an enum's cases and so on are its `members`. */
  declarations: Declaration[];
  /** Facts of the bodies, if asked for and a parser read the file. */
  bodies?: BodyFacts;
  problems: ParseProblem[];
}

export interface ImportStatement {
  /** The module as written: `./a.ts`, `os.path`, `<vector>`. */
  module: string;
  /** Imported names as written; empty for a side-effect or whole-module import. */
  names: string[];
  /** The statement's own text. */
  text: string;
  typeOnly: boolean;
  startLine: number;
  endLine: number;
}

export interface Declaration {
  name: string;
  kind: DeclarationKind;
  /**
   * The source's own text up to the body: decorators, modifiers, generics, defaults; whole bodies for types and enums.
   * Overloads of one function (TypeScript, Python) are one declaration, one signature a line.
   */
  signature: string;
  doc: string | undefined;
  /** Visible outside its file by the rules of its language. */
  exported: boolean;
  /** The names outside code uses, where they differ from `name` (`export { a as b }`, `export default a`). */
  exportedAs?: string[];
  /** A re-export's module as written. */
  from?: string;
  /** Found by line patterns in a stretch the parser could not read. */
  guessed?: true;
  members: Declaration[];
  startLine: number;
  endLine: number;
  /** First line of the body, if there is one; lets a reader keep the signature and cut the rest. */
  bodyStartLine: number | undefined;
}

export interface ParseProblem {
  line: number;
  message: string;
}
