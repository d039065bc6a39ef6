import type { LinePattern } from '../../structure/pattern.ts';

/** Lines C and C++ share. */
export const cPatterns: readonly LinePattern[] = [
  { role: 'import', kind: 'import', match: /^\s*#\s*(?:include|import|include_next)\s*[<"]/ },
  { role: 'declaration', kind: 'macro', match: /^\s*#\s*define\s+(?<name>\w+)/ },
  {
    role: 'declaration',
    kind: { struct: 'struct', union: 'struct', enum: 'enum' },
    match:
      /^\s*(?:typedef\s+)?(?:static\s+)?(?:const\s+)?(?<word>struct|union|enum)\s+(?:class\s+)?(?<name>\w+)?\s*(?::[^{;(]*)?(?:\{|$)/,
  },
  { role: 'declaration', kind: 'type', match: /^\s*typedef\b[^(]*\(\s*\*\s*(?<name>\w+)\s*\)/ },
  { role: 'declaration', kind: 'type', match: /^\s*typedef\b.*\b(?<name>\w+)\s*(?:\[[^\]]*\])?\s*;/ },
  {
    role: 'declaration',
    kind: 'type',
    match: /^\}\s*(?:__attribute__\s*\(\(.*\)\)\s*)?(?<name>[A-Za-z_]\w*)\s*;/,
  },
  {
    role: 'declaration',
    kind: 'function',
    match:
      /^(?!(?:return|else|if|for|while|switch|case|goto|typedef|using|template|namespace|do|delete|new|throw)\b)(?:[A-Za-z_][\w:]*(?:<[^()]*>)?[\s*&]+)+(?:\w+\s*::\s*)*(?<name>~?[A-Za-z_]\w*|operator[^\s(]+)\s*\((?!\s*\*)[^;={}]*(?:\)[^;{}=]*(?:\{.*|;|$)|,|\()?\s*$/,
  },
  // The return type on a line of its own, the name first on the next.
  {
    role: 'declaration',
    kind: 'function',
    match:
      /^(?!(?:return|else|if|for|while|switch|case|goto|do|sizeof|defined|asm|static_assert)\b)(?<name>[a-z_]\w*)\s*\([^"=;{}]*(?:\)\s*(?:const\s*)?[;{]?|,)\s*$/,
  },
  {
    role: 'declaration',
    kind: 'variable',
    match:
      /^(?:extern|static|const|constexpr|thread_local)\s+(?:[A-Za-z_][\w:]*(?:<[^()]*>)?[\s*&]+)+(?<name>\w+)\s*(?:\[[^\]]*\])*\s*(?:=|;|\{)/,
  },
];
