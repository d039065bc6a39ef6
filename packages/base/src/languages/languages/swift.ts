import type { Language } from './language.ts';

const MODIFIERS =
  '(?:@\\w+(?:\\([^)]*\\))? )*(?:(?:public|private|fileprivate|internal|open|package|final|static|class|override|mutating|nonmutating|convenience|required|lazy|weak|unowned|dynamic|indirect|nonisolated|isolated|async|prefix|postfix|infix|borrowing|consuming)(?:\\(\\w+\\))? )*';

export const swift: Language = {
  interpreters: ['swift'],
  patterns: [
    {
      kind: 'import',
      match:
        /^ ?(?:@\w+(?:\([^)]*\))? )*import (?:(?:class|struct|enum|protocol|func|var|let|typealias) )?[\w.]+ ?$/,
    },
    {
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
      kind: 'function',
      match: new RegExp(`^ ?${MODIFIERS}func (?<name>[A-Za-z_]\\w*|[-+*/%<>=!~^&|.]+) ?[<(]`),
    },
    { kind: 'constructor', match: new RegExp(`^ ?${MODIFIERS}(?<name>init)[?!]? ?[<(]`) },
    { kind: 'method', match: new RegExp(`^ ?${MODIFIERS}(?<name>subscript|deinit) ?[<({]`) },
    { kind: 'type', match: new RegExp(`^ ?${MODIFIERS}(?:typealias|associatedtype) (?<name>\\w+)`) },
    { kind: 'macro', match: new RegExp(`^ ?${MODIFIERS}macro (?<name>\\w+) ?[<(]`) },
    {
      kind: { let: 'constant', var: 'variable' },
      match:
        /^(?:@\w+(?:\([^)]*\))? )*(?:(?:public|private|fileprivate|internal|open|package|static)(?:\(set\))? )*(?<word>let|var) (?<name>\w+)/,
    },
    {
      kind: 'property',
      match:
        /^ (?:@\w+(?:\([^)]*\))? )*(?:(?:public|private|fileprivate|internal|open|package|static|class|final|override|lazy|weak|unowned)(?:\(\w+\))? )+(?:let|var) (?<name>\w+)/,
    },
    { kind: 'property', match: /^ (?:@\w+(?:\([^)]*\))? )+(?:let|var) (?<name>\w+)/ },
    { kind: 'property', indent: 4, match: /^ (?:let|var) (?<name>\w+) ?:[^={]+(?:\{.*)?$/ },
    {
      kind: 'case',
      match: /^ (?:indirect )?case (?<name>[a-z_]\w*)(?:\([^:]*:.*\)|\([\w., [\]?]+\)| ?= ?[^:]+| ?,.*)? ?$/,
    },
  ],
  hints: [
    /^ ?import (Foundation|UIKit|SwiftUI|Combine|XCTest|os|Darwin)\b/,
    /^ ?((public|private|internal|fileprivate|static|override|mutating|open) )*func \w+(<[^>]*>)?\(/,
    /^ ?((public|private|final|open|internal|fileprivate) )*(struct|class|enum|protocol|extension|actor) \w[^;]*\{ ?\}? ?$/,
    /\b(let|var) \w+ ?: ?\[?[A-Z]\w*/,
    /^ ?guard (let\b|.*\belse\b)/,
    /\bif let \w+/,
    /-> ?(some |\[?[A-Z]\w*|\()/,
    /@(objc|State|Published|escaping|MainActor|available)\b/,
  ],
};
