import type { Language } from '../language.ts';
import { maskNewWords } from './swift/mask.ts';
import { swiftPatterns } from './swift/patterns.ts';

export const swift = {
  id: 'swift',
  extensions: ['swift'],
  interpreters: ['swift'],
  patterns: swiftPatterns,
  hints: [
    /^\s*import\s+(Foundation|UIKit|SwiftUI|Combine|XCTest|os|Darwin)\b/m,
    /^\s*((public|private|internal|fileprivate|static|override|mutating|open)\s+)*func\s+\w+(<[^>]*>)?\(/m,
    /^\s*((public|private|final|open|internal|fileprivate)\s+)*(struct|class|enum|protocol|extension|actor)\s+\w+[^;]*\{\s*\}?\s*$/m,
    /\b(let|var)\s+\w+\s*:\s*\[?[A-Z]\w*/,
    /\bguard\s+(let\b|.*\belse\b)/,
    /\bif\s+let\s+\w+/,
    /->\s*(some\s+|\[?[A-Z]\w*|\()/,
    /@(objc|State|Published|escaping|MainActor|available)\b/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: { vendored: 'swift' },
    mask: maskNewWords,
    load: async () => (await import('./swift/read.ts')).readSwift,
  },
} as const satisfies Language;
