import { parsedExtensions } from '../../text/file-kinds.ts';
import type { Language } from './language.ts';
import { tagMark } from './typescript/marks.ts';
import { scriptPatterns } from './typescript/patterns.ts';
import { typescript } from './typescript.ts';

export const tsx = {
  id: 'tsx',
  extensions: parsedExtensions.tsx,
  patterns: scriptPatterns,
  // Tags alone could be JavaScript: typed and with tags it is TSX.
  hints: [...typescript.hints, tagMark],
  reader: { kind: 'typescript', dialect: 'tsx' },
} as const satisfies Language;
