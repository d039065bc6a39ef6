import type { Language } from '../language.ts';
import { maskMacros } from './c/mask.ts';
import { c } from './c.ts';
import { cppPatterns } from './cpp/patterns.ts';

export const cpp = {
  id: 'cpp',
  extensions: ['cpp', 'h', 'cc', 'cxx', 'c++', 'hpp', 'hh', 'hxx', 'h++', 'ipp', 'inl', 'tpp', 'cppm'],
  patterns: cppPatterns,
  isPublicName: () => true,
  // Whatever C shows, and more.
  hints: [
    ...c.hints,
    /^\s*#\s*include\s*<[\w/]+>/m,
    /^\s*(inline\s+)?namespace\s+[\w:]*\s*\{/m,
    /^\s*template\s*</m,
    /\bstd::\w+/,
    /^\s*(public|private|protected)\s*:/m,
    /^\s*(class|struct)\s+\w+(\s+final)?\s*(:\s*(public|private|protected)\s+[\w:]+)?\s*\{?\s*$/m,
    /\b(constexpr|noexcept|nullptr|static_cast|virtual|override|decltype)\b/,
    /\b\w+::~?\w+\s*\(/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: { package: 'cpp' },
    mask: maskMacros,
    load: async () => (await import('./cpp/read.ts')).readCpp,
  },
} as const satisfies Language;
