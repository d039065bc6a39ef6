import type { LinePattern } from '../../structure/pattern.ts';

export const goPatterns: readonly LinePattern[] = [
  { role: 'import', kind: 'import', match: /^import\s*(?:\(|"|[\w.]+\s+")/ },
  { role: 'import', kind: 'import', match: /^\s+(?:[\w.]+\s+)?"[\w./-]+"\s*(?:\/\/.*)?$/ },
  { role: 'declaration', kind: 'namespace', match: /^package\s+(?<name>\w+)/ },
  { role: 'declaration', kind: 'method', match: /^func\s*\([^)]*\)\s*(?<name>\w+)/ },
  { role: 'declaration', kind: 'function', match: /^func\s+(?<name>\w+)/ },
  {
    role: 'declaration',
    kind: { struct: 'struct', interface: 'interface' },
    match: /^\s*(?:type\s+)?(?<name>[A-Za-z_]\w*)(?:\[[^\]]*\])?\s+(?<word>struct|interface)\s*\{/,
  },
  { role: 'declaration', kind: 'type', match: /^type\s+(?<name>\w+)/ },
  {
    role: 'declaration',
    kind: { const: 'constant', var: 'variable', type: 'type' },
    match: /^(?<word>const|var|type)\s+(?:\(|(?<name>\w+))/,
  },
];
