import type { LanguageId } from '@secateur/base/languages/languages.ts';
import type { TreeCode } from '../tree/source.ts';
import type { TsDialect } from './typescript/read.ts';
import { isExported, isPublic } from './visibility.ts';

/** Parser of the files of a language. */
export type Reader = (TypeScriptReader | TreeReader) & {
  /**
   * Returns whether a name is exported, if the name alone shows it: a capital letter in Go, no leading
   * underscore in Python.
   */
  isPublicName?(name: string): boolean;
};

export interface TypeScriptReader {
  kind: 'typescript';
  dialect: TsDialect;
}

export interface TreeReader {
  kind: 'tree-sitter';
  /** Name of the grammar in `grammars/`. */
  grammar: string;
  /** Grammar for texts that do not match `opens`, such as PHP without `<?php`. */
  fragmentGrammar?: { opens: RegExp; grammar: string };
  /** Loads the rules of the language, when a file first needs them. */
  load(): Promise<TreeCode>;
}

export const readers: Readonly<Record<LanguageId, Reader>> = {
  javascript: { kind: 'typescript', dialect: 'js' },
  typescript: { kind: 'typescript', dialect: 'ts' },
  tsx: { kind: 'typescript', dialect: 'tsx' },
  python: {
    kind: 'tree-sitter',
    grammar: 'python',
    load: async () => (await import('./python/read.ts')).pythonCode,
    isPublicName: isPublic,
  },
  go: {
    kind: 'tree-sitter',
    grammar: 'go',
    load: async () => (await import('./go/read.ts')).goCode,
    isPublicName: isExported,
  },
  java: {
    kind: 'tree-sitter',
    grammar: 'java',
    load: async () => (await import('./java/read.ts')).javaCode,
  },
  rust: {
    kind: 'tree-sitter',
    grammar: 'rust',
    load: async () => (await import('./rust/read.ts')).rustCode,
  },
  c: {
    kind: 'tree-sitter',
    grammar: 'c',
    load: async () => (await import('./c/read.ts')).cCode,
    isPublicName: () => true,
  },
  cpp: {
    kind: 'tree-sitter',
    grammar: 'cpp',
    load: async () => (await import('./cpp/read.ts')).cppCode,
    isPublicName: () => true,
  },
  csharp: {
    kind: 'tree-sitter',
    grammar: 'c-sharp',
    load: async () => (await import('./csharp/read.ts')).csharpCode,
  },
  ruby: {
    kind: 'tree-sitter',
    grammar: 'ruby',
    load: async () => (await import('./ruby/read.ts')).rubyCode,
    isPublicName: () => true,
  },
  php: {
    kind: 'tree-sitter',
    grammar: 'php',
    fragmentGrammar: { opens: /<\?(php|=)/, grammar: 'php_only' },
    load: async () => (await import('./php/read.ts')).phpCode,
    isPublicName: () => true,
  },
  kotlin: {
    kind: 'tree-sitter',
    grammar: 'kotlin',
    load: async () => (await import('./kotlin/read.ts')).kotlinCode,
    isPublicName: () => true,
  },
  swift: {
    kind: 'tree-sitter',
    grammar: 'swift',
    load: async () => (await import('./swift/read.ts')).swiftCode,
  },
};
