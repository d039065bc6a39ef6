import type { LinePattern } from '../../structure/pattern.ts';

export const goPatterns: readonly LinePattern[] = [
  { role: 'import', kind: 'import', match: /^import ?(?:\(|"|[\w.]+ ")/ },
  { role: 'import', kind: 'import', match: /^ (?:[\w.]+ )?"[\w./-]+" ?(?:\/\/.*)?$/ },
  { role: 'declaration', kind: 'namespace', match: /^package (?<name>\w+)/ },
  { role: 'declaration', kind: 'method', match: /^func ?\([^)]*\) ?(?<name>\w+)/ },
  { role: 'declaration', kind: 'function', match: /^func (?<name>\w+)/ },
  {
    role: 'declaration',
    kind: { struct: 'struct', interface: 'interface' },
    match: /^ ?(?:type )?(?<name>[A-Za-z_]\w*)(?:\[[^\]]*\])? (?<word>struct|interface) ?\{/,
  },
  { role: 'declaration', kind: 'type', match: /^type (?<name>\w+)/ },
  {
    role: 'declaration',
    kind: { const: 'constant', var: 'variable', type: 'type' },
    match: /^(?<word>const|var|type) (?:\(|(?<name>\w+))/,
  },
];
