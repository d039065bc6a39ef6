import type { Language } from '../language.ts';
import { scriptPatterns } from './typescript/patterns.ts';
import { typescript } from './typescript.ts';

export const tsx = {
  id: 'tsx',
  extensions: ['tsx'],
  patterns: scriptPatterns,
  // JSX alone could be JavaScript: typed and with tags it is TSX.
  hints: typescript.hints,
  reader: { kind: 'typescript', dialect: 'tsx' },
} as const satisfies Language;
