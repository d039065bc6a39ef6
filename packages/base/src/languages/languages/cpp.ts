import { parsedExtensions } from '../../text/file-kinds.ts';
import { c } from './c.ts';
import { cppPatterns } from './cpp-patterns.ts';
import type { Language } from './language.ts';

export const cpp = {
  id: 'cpp',
  extensions: parsedExtensions.cpp,
  patterns: cppPatterns,
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
    /\w::~?\w+ ?\(/,
  ],
} as const satisfies Language;
