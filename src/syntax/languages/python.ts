import type { Language } from '../language.ts';
import { pythonPatterns } from './python/patterns.ts';
import { isPublic } from './python/visibility.ts';

export const python = {
  id: 'python',
  extensions: ['py', 'pyi', 'pyw'],
  interpreters: ['python', 'python3', 'python2'],
  patterns: pythonPatterns,
  hints: [
    /^\s*def\s+\w+\s*\(.*(:|,|\()\s*(#.*)?$/m,
    /^\s*class\s+\w+\s*(\([^)]*\))?:\s*$/m,
    /^\s*(from\s+[\w.]+\s+import\s|import\s+[\w.]+(\s+as\s+\w+)?\s*$)/m,
    /^\s*(if|elif|for|while|with|try|except|else)\b[^{;]*:\s*(#.*)?$/m,
    /^\s*@\w+[\w.]*(\(.*\))?\s*$/m,
    /\bself\.\w+/,
    /"""|'''/,
  ],
  isPublicName: isPublic,
  reader: {
    kind: 'tree-sitter',
    grammar: { package: 'python' },
    load: async () => (await import('./python/read.ts')).readPython,
  },
} as const satisfies Language;
