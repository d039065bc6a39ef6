import type { LinePattern } from '../../structure/pattern.ts';

export const rustPatterns: readonly LinePattern[] = [
  {
    role: 'import',
    kind: 'import',
    match: /^ ?(?:pub(?:\([^)]*\))? )?(?:use [\w:{*]|extern crate )/,
  },
  {
    role: 'declaration',
    kind: 'function',
    match:
      /^ ?(?:pub(?:\([\w: ]*\))? )?(?:(?:default|const|async|unsafe|safe|extern|"[\w-]*") )*fn (?<name>\w+)/,
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
      /^ ?(?:pub(?:\([^)]*\))? )?(?:unsafe )?(?:auto )?(?<word>struct|enum|union|trait|mod|type) (?<name>[A-Za-z_]\w*) ?(?:[<({;:=]|where\b|$)/,
  },
  {
    role: 'declaration',
    kind: 'impl',
    match:
      /^ ?(?:unsafe )?impl\b ?(?:<(?:[^<>{-]|-(?!>)|->|<(?:[^<>{-]|-(?!>)|->|<[^<>{]*>)*>)*> ?)?(?<name>(?:[^{ ]| (?!where\b|\{|$))*)(?: where\b| ?\{? ?$)/,
  },
  {
    role: 'declaration',
    kind: { const: 'constant', static: 'variable' },
    match: /^ ?(?:pub(?:\([^)]*\))? )?(?<word>const|static) (?:mut )?(?<name>[A-Z_][A-Z0-9_]*) ?:/,
  },
  { role: 'declaration', kind: 'macro', match: /^ ?(?:pub )?macro(?:_rules!)? (?<name>\w+)/ },
];
