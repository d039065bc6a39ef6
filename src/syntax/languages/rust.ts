import { parsedExtensions } from '../../text/file-kinds.ts';
import type { Language } from './language.ts';
import { rustPatterns } from './rust/patterns.ts';

export const rust = {
  id: 'rust',
  extensions: parsedExtensions.rust,
  patterns: rustPatterns,
  hints: [
    /^ ?(pub(\([^)]*\))? )?(async )?(unsafe )?fn \w+ ?[<(]/,
    /^ ?(pub )?use [\w:]+(::\{|::\*|;|::\w+)/,
    /^ ?impl(<[^>]*>)? [\w:<>]+( for \w+)?/,
    /\blet (mut )?\w+(: (?:[^=:]|::)+)? ?=/,
    /^ ?#!?\[\w+/,
    /&(mut|self|str|'\w+)\b/,
    /\b\w+!\(/,
    /-> ?(Result|Option|Self|impl|Box)\b/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: 'rust',
    load: async () => (await import('./rust/read.ts')).rustCode,
  },
} as const satisfies Language;
