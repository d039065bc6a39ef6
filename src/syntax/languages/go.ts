import { parsedExtensions } from '../../text/file-kinds.ts';
import { goPatterns } from './go/patterns.ts';
import { isExported } from './go/visibility.ts';
import type { Language } from './language.ts';

export const go = {
  id: 'go',
  extensions: parsedExtensions.go,
  patterns: goPatterns,
  hints: [
    /^package \w+ ?$/,
    /^func (\([^)]*\) ?)?\w+ ?[[(]/,
    /^import (\(|")/,
    /^type \w+ (struct|interface) ?\{/,
    /:=/,
    /\berr ?!= ?nil\b/,
    /\b(chan|defer|go func)\b/,
  ],
  isPublicName: isExported,
  reader: {
    kind: 'tree-sitter',
    grammar: 'go',
    load: async () => ({ read: (await import('./go/read.ts')).readGo }),
  },
} as const satisfies Language;
