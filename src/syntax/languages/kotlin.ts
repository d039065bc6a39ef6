import { parsedExtensions } from '../../text/file-kinds.ts';
import { kotlinPatterns } from './kotlin/patterns.ts';
import type { Language } from './language.ts';

export const kotlin = {
  id: 'kotlin',
  extensions: parsedExtensions.kotlin,
  patterns: kotlinPatterns,
  isPublicName: () => true,
  hints: [
    /^ ?((public|private|internal|override|suspend|inline|operator) )*fun (<[^>]*> ?)?[\w.]+ ?\(/,
    /^ ?(data|sealed|enum|open|inner|value|annotation) class \w+/,
    /^ ?(private |internal |override )?va[lr] \w+ ?(:|=|by\b)/,
    /^package [\w.]+ ?$/,
    /^import [\w.]+(\.\*)? ?$/,
    /\bcompanion object\b/,
    /\?\.|\?:|!!/,
    /\bwhen ?(\(|\{)/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: 'kotlin',
    load: async () => (await import('./kotlin/read.ts')).kotlinCode,
  },
} as const satisfies Language;
