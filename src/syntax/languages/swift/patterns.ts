import type { LinePattern } from '../../structure/pattern.ts';

const MODIFIERS =
  '(?:@\\w+(?:\\([^)]*\\))? )*(?:(?:public|private|fileprivate|internal|open|package|final|static|class|override|mutating|nonmutating|convenience|required|lazy|weak|unowned|dynamic|indirect|nonisolated|isolated|async|prefix|postfix|infix|borrowing|consuming)(?:\\(\\w+\\))? )*';

export const swiftPatterns: readonly LinePattern[] = [
  {
    role: 'import',
    kind: 'import',
    match:
      /^ ?(?:@\w+(?:\([^)]*\))? )*import (?:(?:class|struct|enum|protocol|func|var|let|typealias) )?[\w.]+ ?$/,
  },
  {
    role: 'declaration',
    kind: {
      class: 'class',
      actor: 'class',
      struct: 'struct',
      enum: 'enum',
      protocol: 'interface',
      extension: 'impl',
    },
    match: new RegExp(
      `^ ?${MODIFIERS}(?<word>class|actor|struct|enum|protocol|extension) (?!func\\b|var\\b|let\\b)(?<name>[A-Za-z_][\\w.]*)`,
    ),
  },
  {
    role: 'declaration',
    kind: 'function',
    match: new RegExp(`^ ?${MODIFIERS}func (?<name>[A-Za-z_]\\w*|[-+*/%<>=!~^&|.]+) ?[<(]`),
  },
  {
    role: 'declaration',
    kind: 'constructor',
    match: new RegExp(`^ ?${MODIFIERS}(?<name>init)[?!]? ?[<(]`),
  },
  {
    role: 'declaration',
    kind: 'method',
    match: new RegExp(`^ ?${MODIFIERS}(?<name>subscript|deinit) ?[<({]`),
  },
  {
    role: 'declaration',
    kind: 'type',
    match: new RegExp(`^ ?${MODIFIERS}(?:typealias|associatedtype) (?<name>\\w+)`),
  },
  {
    role: 'declaration',
    kind: 'macro',
    match: new RegExp(`^ ?${MODIFIERS}macro (?<name>\\w+) ?[<(]`),
  },
  {
    role: 'declaration',
    kind: { let: 'constant', var: 'variable' },
    match:
      /^(?:@\w+(?:\([^)]*\))? )*(?:(?:public|private|fileprivate|internal|open|package|static)(?:\(set\))? )*(?<word>let|var) (?<name>\w+)/,
  },
  {
    role: 'declaration',
    kind: 'property',
    match:
      /^ (?:@\w+(?:\([^)]*\))? )*(?:(?:public|private|fileprivate|internal|open|package|static|class|final|override|lazy|weak|unowned)(?:\(\w+\))? )+(?:let|var) (?<name>\w+)/,
  },
  {
    role: 'declaration',
    kind: 'property',
    match: /^ (?:@\w+(?:\([^)]*\))? )+(?:let|var) (?<name>\w+)/,
  },
  {
    role: 'declaration',
    kind: 'property',
    indent: 4,
    match: /^ (?:let|var) (?<name>\w+) ?:[^={]+(?:\{.*)?$/,
  },
  {
    role: 'declaration',
    kind: 'case',
    match: /^ (?:indirect )?case (?<name>[a-z_]\w*)(?:\([^:]*:.*\)|\([\w., [\]?]+\)| ?= ?[^:]+| ?,.*)? ?$/,
  },
];
