import { parsedExtensions } from '../../text/file-kinds.ts';
import type { Language } from './language.ts';
import { scriptMarks, tagMark } from './typescript/marks.ts';
import { scriptPatterns } from './typescript/patterns.ts';

/** JSX included: the parser reads tags in every JavaScript file. */
export const javascript = {
  id: 'javascript',
  extensions: parsedExtensions.javascript,
  interpreters: ['node', 'nodejs'],
  patterns: scriptPatterns,
  hints: [...scriptMarks, tagMark],
  reader: { kind: 'typescript', dialect: 'js' },
} as const satisfies Language;
