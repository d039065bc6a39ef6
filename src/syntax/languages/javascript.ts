import type { Language } from '../language.ts';
import { scriptPatterns } from './typescript/patterns.ts';

/** JSX included: the parser reads tags in every JavaScript file. */
export const javascript = {
  id: 'javascript',
  extensions: ['js', 'mjs', 'cjs', 'jsx'],
  interpreters: ['node', 'nodejs'],
  patterns: scriptPatterns,
  hints: [
    /^\s*(const|let|var)\s+[\w{[][^=\n]*=/m,
    /\brequire\(['"][^'"\n]+['"]\)/,
    /^\s*(module\.)?exports(\.\w+)?\s*=/m,
    /^\s*import\s+[^;\n]*\sfrom\s+['"]/m,
    /^\s*export\s+(default|const|function|class|async)\b/m,
    /\bfunction\s*\w*\s*\([^)\n]*\)\s*\{/,
    /=>\s*[{(]?/,
    /\bconsole\.\w+\(/,
    /===|!==/,
  ],
  reader: { kind: 'typescript', dialect: 'js' },
} as const satisfies Language;
