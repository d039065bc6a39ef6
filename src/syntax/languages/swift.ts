import { parsedExtensions } from '../../text/file-kinds.ts';
import type { Language } from './language.ts';
import { swiftPatterns } from './swift/patterns.ts';

export const swift = {
  id: 'swift',
  extensions: parsedExtensions.swift,
  interpreters: ['swift'],
  patterns: swiftPatterns,
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
  reader: {
    kind: 'tree-sitter',
    grammar: 'swift',
    load: async () => (await import('./swift/read.ts')).swiftCode,
  },
} as const satisfies Language;
