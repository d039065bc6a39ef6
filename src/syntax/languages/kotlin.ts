import type { Language } from '../language.ts';
import { maskActual } from './kotlin/mask.ts';
import { kotlinPatterns } from './kotlin/patterns.ts';

export const kotlin = {
  id: 'kotlin',
  extensions: ['kt', 'kts'],
  patterns: kotlinPatterns,
  isPublicName: () => true,
  hints: [
    /^\s*((public|private|internal|override|suspend|inline|operator)\s+)*fun\s+(<[^>]*>\s*)?[\w.]+\s*\(/m,
    /^\s*(data|sealed|enum|open|inner|value|annotation)\s+class\s+\w+/m,
    /^\s*(private\s+|internal\s+|override\s+)?va[lr]\s+\w+\s*(:|=|by\b)/m,
    /^package\s+[\w.]+\s*$/m,
    /^import\s+[\w.]+(\.\*)?\s*$/m,
    /\bcompanion\s+object\b/,
    /\?\.|\?:|!!/,
    /\bwhen\s*(\(|\{)/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: { vendored: 'kotlin' },
    mask: maskActual,
    load: async () => (await import('./kotlin/read.ts')).readKotlin,
  },
} as const satisfies Language;
