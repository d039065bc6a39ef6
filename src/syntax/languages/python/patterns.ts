import type { LinePattern } from '../../structure/pattern.ts';

export const pythonPatterns: readonly LinePattern[] = [
  {
    role: 'import',
    kind: 'import',
    match: /^\s*(?:from\s+[\w.]+\s+import\b|import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,|\s*(?:#.*)?$))/,
  },
  { role: 'declaration', kind: 'function', match: /^(?:async\s+)?def\s+(?<name>\w+)/ },
  { role: 'declaration', kind: 'method', match: /^\s+(?:async\s+)?def\s+(?<name>\w+)/ },
  { role: 'declaration', kind: 'class', match: /^\s*class\s+(?<name>\w+)\s*[(:[]/ },
  { role: 'declaration', kind: 'type', match: /^\s*type\s+(?<name>\w+)\s*(?:\[.*\])?\s*=/ },
  {
    role: 'declaration',
    kind: 'constant',
    match: /^(?<name>[A-Z][A-Z0-9_]+|__all__|__version__)\s*(?::[^=]+)?=[^=]/,
  },
  { role: 'declaration', kind: 'variable', match: /^(?<name>[A-Za-z_]\w*)\s*:\s*[\w"'][^=]*=[^=]/ },
];
