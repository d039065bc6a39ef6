import { parsedExtensions } from '../../text/file-kinds.ts';
import type { Language } from './language.ts';
import { pythonPatterns } from './python/patterns.ts';
import { isPublic } from './python/visibility.ts';

export const python = {
  id: 'python',
  extensions: parsedExtensions.python,
  interpreters: ['python', 'python3', 'python2'],
  patterns: pythonPatterns,
  hints: [
    /^ ?def \w+ ?\(.*[:,(] ?(?:$|#)/,
    /^ ?class \w+ ?(\([^)]*\))?: ?$/,
    /^ ?(from [\w.]+ import |import [\w.]+( as \w+)? ?$)/,
    /^ ?(if|elif|for|while|with|try|except|else)\b[^{;]*: ?(?:$|#)/,
    /^ ?@\w[\w.]*(\(.*\))? ?$/,
    /\bself\.\w+/,
    /"""|'''/,
  ],
  isPublicName: isPublic,
  reader: {
    kind: 'tree-sitter',
    grammar: 'python',
    load: async () => ({ read: (await import('./python/read.ts')).readPython }),
  },
} as const satisfies Language;
