import { parsedExtensions } from '../../text/file-kinds.ts';
import type { Language } from './language.ts';
import { phpPatterns } from './php/patterns.ts';

export const php = {
  id: 'php',
  extensions: parsedExtensions.php,
  interpreters: ['php'],
  patterns: phpPatterns,
  isPublicName: () => true,
  hints: [
    /<\?php/,
    /^ ?namespace [A-Z]\w*(\\\w+)* ?;/,
    /^ ?use \\?[A-Z]\w*\\[\w\\]+/,
    /\$this->\w+/,
    /^ ?(public|private|protected|static)? ?function \w+ ?\([^)]*\$?/,
    /(^|[ (=,])\$[a-z_]\w* ?(=|->|\[|,|\))/i,
    /\b[A-Z]\w*::\w+/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: 'php',
    fragmentGrammar: { opens: /<\?(php|=)/, grammar: 'php_only' },
    load: async () => ({ read: (await import('./php/read.ts')).readPhp }),
  },
} as const satisfies Language;
