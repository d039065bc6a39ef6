import type { LinePattern } from '../structure/pattern.ts';
import type { TreeCode } from '../tree/source.ts';
import type { TsDialect } from './typescript/read.ts';

/** All the house knows about a language. One of these a file in `languages/`, one line in `languages.ts`. */
export interface Language {
  id: string;
  /** Without the dot, lower case. */
  extensions: readonly string[];
  /** Programs named after `#!` that run it. */
  interpreters?: readonly string[];
  /** Lines that speak for themselves, for fragments and for quick looks. */
  patterns: readonly LinePattern[];
  /** Where a name alone says whether it is exported: Go’s capital, Python’s missing underscore, Ruby’s anything. */
  isPublicName?(name: string): boolean;
  /** Marks that tell the language of a nameless text; the more match, the surer. */
  hints: readonly RegExp[];
  reader: TypeScriptReader | TreeReader;
}

export interface TypeScriptReader {
  kind: 'typescript';
  dialect: TsDialect;
}

export interface TreeReader {
  kind: 'tree-sitter';
  /** Its name in `grammars/`. */
  grammar: string;
  /** Another grammar for texts without the mark a whole file has: PHP without `<?php`. */
  fragmentGrammar?: { opens: RegExp; grammar: string };
  /** Its code, when a file first needs it: who reads one language does not pay for twelve, who cuts a text for none. */
  load(): Promise<TreeCode>;
}
