import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { BodyFacts } from './body-facts/fact.ts';

/** Declarations of a source file, read by a real parser. Lines are 1-based and inclusive. */
export interface Outline {
  /** A `LanguageId`, or `unknown` if neither the path nor the text shows it. */
  language: string;
  /**
   * Reader of the file. `patterns`: by line patterns, because no parser could read it. `none`: not at all,
   * since its language is unknown.
   */
  parser: 'typescript' | 'tree-sitter' | 'patterns' | 'none';
  /** Set if the thread that read the file did not respond in time. Another run may read more. */
  isLate?: true;
  imports: ImportStatement[];
  /** Top-level declarations in source order. Methods of a class, cases of an enum and so on are their `members`. */
  declarations: Declaration[];
  /** Facts of the function bodies. Undefined if they were not requested or no parser read the file. */
  bodies?: BodyFacts;
  problems: ParseProblem[];
}

export interface ImportStatement {
  /** Module as written in the import: `./a.ts`, `os.path`, `<vector>`. */
  module: string;
  /** Imported names as written; empty for a side-effect or whole-module import. */
  names: string[];
  /** Source text of the import statement. */
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
   * bodies. Overloads of a function (TypeScript, Python) are one declaration, whose signature has one line
   * per overload.
   */
  signature: string;
  doc: string | undefined;
  /** Whether other files can use the declaration, by the rules of its language. */
  exported: boolean;
  /** Names under which other files import it, if they differ from `name`: `export { a as b }`. */
  exportedAs?: string[];
  /** For a re-export: its module as written. */
  from?: string;
  /** Set if line patterns found the declaration in lines that the parser could not read. */
  guessed?: true;
  members: Declaration[];
  startLine: number;
  endLine: number;
  /** First line of the body; undefined without a body. All lines before it belong to the signature. */
  bodyStartLine: number | undefined;
}

export interface ParseProblem {
  line: number;
  message: string;
}
