import type { LinePattern } from '../../structure/pattern.ts';

export const rustPatterns: readonly LinePattern[] = [
  {
    role: 'import',
    kind: 'import',
    match: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:use\s+[\w:{*]|extern\s+crate\s)/,
  },
  {
    role: 'declaration',
    kind: 'function',
    match:
      /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+(?:"[^"]*"\s+)?)?fn\s+(?<name>\w+)/,
  },
  {
    role: 'declaration',
    kind: {
      struct: 'struct',
      union: 'struct',
      enum: 'enum',
      trait: 'trait',
      mod: 'namespace',
      type: 'type',
    },
    match:
      /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:auto\s+)?(?<word>struct|enum|union|trait|mod|type)\s+(?<name>[A-Za-z_]\w*)\s*(?:[<({;:=]|where\b|$)/,
  },
  {
    role: 'declaration',
    kind: 'impl',
    match: /^\s*(?:unsafe\s+)?impl\b(?:\s*<[^{]*?>)?\s*(?<name>[^{]*?)\s*(?:where\b.*)?\{?\s*$/,
  },
  {
    role: 'declaration',
    kind: { const: 'constant', static: 'variable' },
    match: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?<word>const|static)\s+(?:mut\s+)?(?<name>[A-Z_][A-Z0-9_]*)\s*:/,
  },
  { role: 'declaration', kind: 'macro', match: /^\s*(?:pub\s+)?macro(?:_rules!)?\s+(?<name>\w+)/ },
];
