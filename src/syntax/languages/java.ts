import { parsedExtensions } from '../../text/file-kinds.ts';
import { javaPatterns } from './java/patterns.ts';
import type { Language } from './language.ts';

export const java = {
  id: 'java',
  extensions: parsedExtensions.java,
  patterns: javaPatterns,
  hints: [
    /^package [\w.]+;/,
    /^import (static )?[a-z]\w*(\.\w+)+(\.\*)?;/,
    /^ ?(public|private|protected) (static |final |abstract )*(class|interface|enum|record|void|[A-Z]\w*|int|boolean|long|String)\b/,
    /@Override\b/,
    /\bnew [A-Z]\w*(<[\w, .?]*(<[\w, .?]*>[\w, .?]*)*>)?\(/,
    /\bthrows [A-Z]\w*/,
    /\bSystem\.(out|err)\.print/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: 'java',
    load: async () => ({ read: (await import('./java/read.ts')).readJava }),
  },
} as const satisfies Language;
