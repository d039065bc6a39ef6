import type { LinePattern } from '../../structure/pattern.ts';

export const pythonPatterns: readonly LinePattern[] = [
  {
    role: 'import',
    kind: 'import',
    match: /^ ?(?:from [\w.]+ import\b|import [\w.]+(?: as \w+)? ?(?:,|#|$))/,
  },
  { role: 'declaration', kind: 'function', match: /^(?:async )?def (?<name>\w+)/ },
  { role: 'declaration', kind: 'method', match: /^ (?:async )?def (?<name>\w+)/ },
  { role: 'declaration', kind: 'class', match: /^ ?class (?<name>\w+) ?[(:[]/ },
  { role: 'declaration', kind: 'type', match: /^ ?type (?<name>\w+) ?(?:\[.*\])? ?=/ },
  {
    role: 'declaration',
    kind: 'constant',
    match: /^(?<name>[A-Z][A-Z0-9_]+|__all__|__version__) ?(?::[^=]+)?=[^=]/,
  },
  { role: 'declaration', kind: 'variable', match: /^(?<name>[A-Za-z_]\w*) ?: ?[\w"'][^=]*=[^=]/ },
];
