import type { Language } from '../language.ts';
import { rustPatterns } from './rust/patterns.ts';

export const rust = {
  id: 'rust',
  extensions: ['rs'],
  patterns: rustPatterns,
  hints: [
    /^\s*(pub(\([^)]*\))?\s+)?(async\s+)?(unsafe\s+)?fn\s+\w+\s*[<(]/m,
    /^\s*(pub\s+)?use\s+[\w:]+(::\{|::\*|;|::\w+)/m,
    /^\s*impl(<[^>]*>)?\s+[\w:<>]+(\s+for\s+\w+)?/m,
    /\blet\s+(mut\s+)?\w+(\s*:\s*[^=]+)?\s*=/,
    /^\s*#!?\[\w+/m,
    /&(mut|self|str|'\w+)\b/,
    /\b\w+!\(/,
    /->\s*(Result|Option|Self|impl|Box)\b/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: { package: 'rust' },
    load: async () => (await import('./rust/read.ts')).readRust,
  },
} as const satisfies Language;
