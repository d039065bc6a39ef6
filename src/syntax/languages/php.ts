import type { Language } from '../language.ts';
import { phpPatterns } from './php/patterns.ts';

export const php = {
  id: 'php',
  extensions: ['php', 'phtml', 'php5', 'inc'],
  interpreters: ['php'],
  patterns: phpPatterns,
  isPublicName: () => true,
  hints: [
    /<\?php/,
    /^\s*namespace\s+[A-Z]\w*(\\\w+)*\s*;/m,
    /^\s*use\s+\\?[A-Z]\w*\\[\w\\]+/m,
    /\$this->\w+/,
    /^\s*(public|private|protected|static)?\s*function\s+\w+\s*\([^)]*\$?/m,
    /(^|[\s(=,])\$[a-z_]\w*\s*(=|->|\[|,|\))/im,
    /\b[A-Z]\w*::\w+/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: { package: 'php' },
    fragmentGrammar: { opens: /<\?(php|=)/, grammar: { vendored: 'php_only' } },
    load: async () => (await import('./php/read.ts')).readPhp,
  },
} as const satisfies Language;
