import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { BodyFacts } from './body-facts/fact.ts';

/** Declarations of a source file, read by a real parser. Lines are 1-based and inclusive. */
export interface Outline {
  /** A `LanguageId`, or `unknown` if neither the path nor the text shows it. */
  language: string;
  /** Reader of the file. `patterns`: no parser could read it. `none`: unknown language. */
  parser: 'typescript' | 'tree-sitter' | 'patterns' | 'none';
  /** The thread that read the file did not answer. Another run may read more. */
  isLate?: true;
  imports: ImportStatement[];
  /** Top-level declarations in source order; a class's methods, an enum's cases and so on are its `members`. */
  declarations: Declaration[];
  /** Facts of the function bodies, if they were requested and a parser read the file. */
  bodies?: BodyFacts;
  problems: ParseProblem[];
}

export interface ImportStatement {
  /** The module as written: `./a.ts`, `os.path`, `<vector>`. */
  module: string;
  /** Imported names as written; empty for a side-effect or whole-module import. */
  names: string[];
  /** Source text of the statement. */
  text: string;
  typeOnly: boolean;
  startLine: number;
  endLine: number;
}

export interface Declaration {
  name: string;
  kind: DeclarationKind;
  /**
   * Source text up to the body: decorators, modifiers, generics, defaults. Types and enums include their
   * bodies. Overloads of one function (TypeScript, Python) are one declaration with one signature per line.
   */
  signature: string;
  doc: string | undefined;
  /** Visible outside its file by the rules of its language. */
  exported: boolean;
  /** Names under which other files import it, if they differ from `name`: `export { a as b }`. */
  exportedAs?: string[];
  /** A re-export's module as written. */
  from?: string;
  /** Line patterns found it, in lines that the parser could not read. */
  guessed?: true;
  members: Declaration[];
  startLine: number;
  endLine: number;
  /** First line of the body; undefined without a body. The lines before it are the signature. */
  bodyStartLine: number | undefined;
}

export interface ParseProblem {
  line: number;
  message: string;
}
