import type { Language } from '../language.ts';
import { maskMacros } from './c/mask.ts';
import { cPatterns } from './c/patterns.ts';

export const c = {
  id: 'c',
  extensions: ['c', 'h'],
  patterns: cPatterns,
  isPublicName: () => true,
  hints: [
    /^\s*#\s*include\s*["<][\w/.-]+\.h[">]/m,
    /^\s*#\s*(define|ifdef|ifndef|endif|pragma)\b/m,
    /^(static\s+|extern\s+|inline\s+)*(const\s+)?(unsigned\s+)?(int|void|char|size_t|struct\s+\w+|uint\d+_t|bool|double|float|long)\s*\**\s*\w+\s*\(/m,
    /^\s*typedef\s+(struct|enum|union|unsigned|int|void)\b/m,
    /\w+->\w+/,
    /\b(malloc|free|sizeof|printf|memcpy|strlen|NULL)\b/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: { vendored: 'c' },
    mask: maskMacros,
    load: async () => (await import('./c/read.ts')).readC,
  },
} as const satisfies Language;
