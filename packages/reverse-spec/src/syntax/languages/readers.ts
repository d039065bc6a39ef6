import type { LanguageId } from '@secateur/base/languages/languages.ts';
import type { TreeCode } from '../tree/source.ts';
import type { TsDialect } from './typescript/read.ts';
import { isExported, isPublic } from './visibility.ts';

/** Parsing of a language's files. */
export type Reader = (TypeScriptReader | TreeReader) & {
  /** Returns whether a name alone shows that it is exported: Go's capital, Python's missing underscore. */
  isPublicName?(name: string): boolean;
};

export interface TypeScriptReader {
  kind: 'typescript';
  dialect: TsDialect;
}

export interface TreeReader {
  kind: 'tree-sitter';
  /** Its name in `grammars/`. */
  grammar: string;
  /** Another grammar for texts without the mark that a whole file has: PHP without `<?php`. */
  fragmentGrammar?: { opens: RegExp; grammar: string };
  /** Loads its code when a file first needs it: a project has few of the languages. */
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
