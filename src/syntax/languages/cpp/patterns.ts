import type { LinePattern } from '../../structure/pattern.ts';
import { cPatterns } from '../c/patterns.ts';

export const cppPatterns: readonly LinePattern[] = [
  { role: 'import', kind: 'import', match: /^\s*(?:export\s+)?import\s+[<"\w.:]+\s*;/ },
  {
    role: 'declaration',
    kind: 'namespace',
    match: /^\s*(?:inline\s+)?namespace\s+(?<name>[\w:]+)?\s*(?:\{|=|$)/,
  },
  {
    role: 'declaration',
    kind: { class: 'class', struct: 'struct' },
    match:
      /^\s*(?:template\s*<.*>\s*)?(?:export\s+)?(?<word>class|struct)\s+(?:\[\[[^\]]*\]\]\s*|alignas\([^)]*\)\s*|[A-Z_]{3,}\s+)*(?<name>\w+)\s*(?:final\s*)?(?::[^;:(]*(?:::[^;(]*)?)?(?:\{.*)?$/,
  },
  { role: 'declaration', kind: 'type', match: /^\s*using\s+(?<name>\w+)\s*(?:\[\[.*\]\]\s*)?=/ },
  { role: 'declaration', kind: 'type', match: /^\s*(?:template\s*<.*>\s*)?concept\s+(?<name>\w+)\s*=/ },
  {
    role: 'declaration',
    kind: 'method',
    match:
      /^\s+(?:(?:virtual|static|inline|explicit|constexpr|friend|\[\[nodiscard\]\])\s+)+(?:[\w:]+(?:<[^()]*>)?[\s*&]+)*(?<name>~?\w+|operator\S+)\s*\(/,
  },
  { role: 'declaration', kind: 'function', match: /^(?:\w+::)+(?<name>~?\w+)\s*\([^;]*(?:\{|:|,|\))\s*$/ },
  {
    role: 'declaration',
    kind: 'method',
    match:
      /^\s+(?!(?:return|else|new|throw|case|delete|using|typedef|co_return|co_await|goto)\b)(?:[A-Za-z_][\w:]*(?:<[^()]*>)?[\s*&]+)+(?<name>(?!(?:if|for|while|switch|catch)\b)[A-Za-z_]\w*|operator\S+)\s*\([^;{}[\]]*\)\s*(?:(?:const|noexcept|override|final|&|&&)\s*)*(?:->\s*[\w:<>*& ]+)?(?:\{.*|= *(?:0|default|delete) *;|(?:override|final)\s*;)\s*$/,
  },
  {
    role: 'declaration',
    kind: 'constructor',
    match:
      /^\s+(?<name>~?[A-Z]\w*)\s*\([^;{}[\]]*\)\s*(?:noexcept\s*)?(?::.*)?(?:\{.*|= *(?:default|delete) *;)\s*$/,
  },
  ...cPatterns,
];
