import type { Language } from '../language.ts';
import { csharpPatterns } from './csharp/patterns.ts';

export const csharp = {
  id: 'csharp',
  extensions: ['cs', 'csx'],
  patterns: csharpPatterns,
  hints: [
    /^\s*(global\s+)?using\s+(static\s+)?[A-Z][\w.]*;/m,
    /^\s*namespace\s+[A-Z][\w.]*\s*[;{]?\s*$/m,
    /\{\s*(private\s+)?get;\s*(private\s+|protected\s+|internal\s+)?(set;|init;)?\s*\}/,
    /^\s*(public|private|protected|internal)\s+(static\s+|async\s+|override\s+|virtual\s+|sealed\s+|partial\s+|readonly\s+)*(class|struct|record|interface|void|Task|string|int|bool|var)\b/m,
    /\basync\s+Task\b/,
    /\b(string|var|nameof|Console)\b[\s.(]/,
    /^\s*\/\/\/\s*<summary>/m,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: { package: 'c-sharp' },
    load: async () => (await import('./csharp/read.ts')).readCsharp,
  },
} as const satisfies Language;
