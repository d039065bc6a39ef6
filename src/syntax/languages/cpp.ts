import { parsedExtensions } from '../../text/file-kinds.ts';
import { conditionalsInTheWay } from '../tree/conditionals.ts';
import { c } from './c.ts';
import { maskCpp } from './cpp/mask.ts';
import { cppPatterns } from './cpp/patterns.ts';
import type { Language } from './language.ts';

export const cpp = {
  id: 'cpp',
  extensions: parsedExtensions.cpp,
  patterns: cppPatterns,
  isPublicName: () => true,
  // Whatever C shows, and more.
  hints: [
    ...c.hints,
    /^ ?# ?include ?<[\w/]+>/,
    /^ ?(inline )?namespace [\w:]* ?\{/,
    /^ ?template ?</,
    /\bstd::\w+/,
    /^ ?(public|private|protected) ?:/,
    /^ ?(class|struct) \w+( final)? ?(: ?(public|private|protected) [\w:]+)? ?\{? ?$/,
    /\b(constexpr|noexcept|nullptr|static_cast|virtual|override|decltype)\b/,
    /\b\w+::~?\w+ ?\(/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: 'cpp',
    mask: maskCpp,
    hides: conditionalsInTheWay,
    load: async () => (await import('./cpp/read.ts')).readCpp,
  },
} as const satisfies Language;
