import type { Language } from '../language.ts';
import { scriptMarks, tagMark } from './typescript/marks.ts';
import { scriptPatterns } from './typescript/patterns.ts';

/** JSX included: the parser reads tags in every JavaScript file. */
export const javascript = {
  id: 'javascript',
  extensions: ['js', 'mjs', 'cjs', 'jsx'],
  interpreters: ['node', 'nodejs'],
  patterns: scriptPatterns,
  hints: [...scriptMarks, tagMark],
  reader: { kind: 'typescript', dialect: 'js' },
} as const satisfies Language;
