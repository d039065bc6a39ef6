import type { LanguageId } from '@secateur/base/languages/languages.ts';
import type { TreeCode } from '../tree/source.ts';
import type { TsDialect } from './typescript/read.ts';

/** Reads files with the parser of the TypeScript compiler. */
export interface TypeScriptReader {
  dialect: TsDialect;
}

/** Reads files with a tree-sitter grammar. */
export interface TreeReader {
  /** Name of the grammar in `grammars/`. */
  grammar: string;
  /** Grammar for texts in which `opens` is not found, such as PHP without `<?php`. */
  fragmentGrammar?: { opens: RegExp; grammar: string };
  /** Loads the rules of the language when a file first needs them. */
  load(): Promise<TreeCode>;
}

/** Parsers of the files of each language. */
export const readers: Readonly<Record<LanguageId, TypeScriptReader | TreeReader>> = {
  javascript: { dialect: 'js' },
  typescript: { dialect: 'ts' },
  tsx: { dialect: 'tsx' },
  python: { grammar: 'python', load: async () => (await import('./python/read.ts')).pythonCode },
  go: { grammar: 'go', load: async () => (await import('./go/read.ts')).goCode },
  java: { grammar: 'java', load: async () => (await import('./java/read.ts')).javaCode },
  rust: { grammar: 'rust', load: async () => (await import('./rust/read.ts')).rustCode },
  c: { grammar: 'c', load: async () => (await import('./c/read.ts')).cCode },
  cpp: { grammar: 'cpp', load: async () => (await import('./cpp/read.ts')).cppCode },
  csharp: { grammar: 'c-sharp', load: async () => (await import('./csharp/read.ts')).csharpCode },
  ruby: { grammar: 'ruby', load: async () => (await import('./ruby/read.ts')).rubyCode },
  php: {
    grammar: 'php',
    fragmentGrammar: { opens: /<\?(php|=)/, grammar: 'php_only' },
    load: async () => (await import('./php/read.ts')).phpCode,
  },
  kotlin: { grammar: 'kotlin', load: async () => (await import('./kotlin/read.ts')).kotlinCode },
  swift: { grammar: 'swift', load: async () => (await import('./swift/read.ts')).swiftCode },
};
