import type { Language } from './language.ts';

export const go: Language = {
  patterns: [
    { kind: 'import', match: /^import ?(?:\(|"|[\w.]+ ")/ },
    { kind: 'import', match: /^ (?:[\w.]+ )?"[\w./-]+" ?(?:\/\/.*)?$/ },
    { kind: 'namespace', match: /^package (?<name>\w+)/ },
    { kind: 'method', match: /^func ?\([^)]*\) ?(?<name>\w+)/ },
    { kind: 'function', match: /^func (?<name>\w+)/ },
    {
      kind: { struct: 'struct', interface: 'interface' },
      match: /^ ?(?:type )?(?<name>[A-Za-z_]\w*)(?:\[[^\]]*\])? (?<word>struct|interface) ?\{/,
    },
    { kind: 'type', match: /^type (?<name>\w+)/ },
    {
      kind: { const: 'constant', var: 'variable', type: 'type' },
      match: /^(?<word>const|var|type) (?:\(|(?<name>\w+))/,
    },
  ],
  hints: [
    /^package \w+ ?$/,
    /^func (\([^)]*\) ?)?\w+ ?[[(]/,
    /^import (\(|")/,
    /^type \w+ (struct|interface) ?\{/,
    /:=/,
    /\berr ?!= ?nil\b/,
    /\b(chan|defer|go func)\b/,
  ],
};
