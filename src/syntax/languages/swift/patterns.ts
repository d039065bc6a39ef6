import type { LinePattern } from '../../structure/pattern.ts';

const MODIFIERS =
  '(?:@\\w+(?:\\([^)]*\\))?\\s+)*(?:(?:public|private|fileprivate|internal|open|package|final|static|class|override|mutating|nonmutating|convenience|required|lazy|weak|unowned|dynamic|indirect|nonisolated|isolated|async|prefix|postfix|infix|borrowing|consuming)(?:\\(\\w+\\))?\\s+)*';

export const swiftPatterns: readonly LinePattern[] = [
  {
    role: 'import',
    kind: 'import',
    match:
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*import\s+(?:(?:class|struct|enum|protocol|func|var|let|typealias)\s+)?[\w.]+\s*$/,
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
      `^\\s*${MODIFIERS}(?<word>class|actor|struct|enum|protocol|extension)\\s+(?!func\\b|var\\b|let\\b)(?<name>[A-Za-z_][\\w.]*)`,
    ),
  },
  {
    role: 'declaration',
    kind: 'function',
    match: new RegExp(`^\\s*${MODIFIERS}func\\s+(?<name>[A-Za-z_]\\w*|[-+*/%<>=!~^&|.]+)\\s*[<(]`),
  },
  {
    role: 'declaration',
    kind: 'constructor',
    match: new RegExp(`^\\s*${MODIFIERS}(?<name>init)[?!]?\\s*[<(]`),
  },
  {
    role: 'declaration',
    kind: 'method',
    match: new RegExp(`^\\s*${MODIFIERS}(?<name>subscript|deinit)\\s*[<({]`),
  },
  {
    role: 'declaration',
    kind: 'type',
    match: new RegExp(`^\\s*${MODIFIERS}(?:typealias|associatedtype)\\s+(?<name>\\w+)`),
  },
  {
    role: 'declaration',
    kind: 'macro',
    match: new RegExp(`^\\s*${MODIFIERS}macro\\s+(?<name>\\w+)\\s*[<(]`),
  },
  {
    role: 'declaration',
    kind: { let: 'constant', var: 'variable' },
    match:
      /^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|fileprivate|internal|open|package|static)(?:\(set\))?\s+)*(?<word>let|var)\s+(?<name>\w+)/,
  },
  {
    role: 'declaration',
    kind: 'property',
    match:
      /^\s+(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|fileprivate|internal|open|package|static|class|final|override|lazy|weak|unowned)(?:\(\w+\))?\s+)+(?:let|var)\s+(?<name>\w+)/,
  },
  {
    role: 'declaration',
    kind: 'property',
    match: /^\s+(?:@\w+(?:\([^)]*\))?\s+)+(?:let|var)\s+(?<name>\w+)/,
  },
  { role: 'declaration', kind: 'property', match: /^ {4}(?:let|var)\s+(?<name>\w+)\s*:\s*[^=]+(?:\{.*)?$/ },
  {
    role: 'declaration',
    kind: 'case',
    match:
      /^\s+(?:indirect\s+)?case\s+(?<name>[a-z_]\w*)(?:\([^:]*:.*\)|\([\w.,\s[\]?]+\)|\s*=\s*[^:]+|\s*,.*)?\s*$/,
  },
];
