import type { Language } from '../language.ts';
import { javaPatterns } from './java/patterns.ts';

export const java = {
  id: 'java',
  extensions: ['java'],
  patterns: javaPatterns,
  hints: [
    /^package\s+[\w.]+;/m,
    /^import\s+(static\s+)?[a-z]\w*(\.\w+)+(\.\*)?;/m,
    /^\s*(public|private|protected)\s+(static\s+|final\s+|abstract\s+)*(class|interface|enum|record|void|[A-Z]\w*|int|boolean|long|String)\b/m,
    /@Override\b/,
    /\bnew\s+[A-Z]\w*(<.*>)?\(/,
    /\bthrows\s+[A-Z]\w*/,
    /\bSystem\.(out|err)\.print/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: { package: 'java' },
    load: async () => (await import('./java/read.ts')).readJava,
  },
} as const satisfies Language;
