import { c, cPatterns, OPERATOR, TYPE_WORDS } from './c.ts';
import type { Language, LinePattern } from './language.ts';

const cppPatterns: readonly LinePattern[] = [
  { kind: 'import', match: /^ ?(?:export )?import [<"\w.:]+ ?;/ },
  { kind: 'namespace', match: /^ ?(?:inline )?namespace (?<name>[\w:]+)? ?(?:\{|=|$)/ },
  {
    kind: { class: 'class', struct: 'struct' },
    match:
      /^ ?(?:template ?<[^<>]*(?:<[^<>]*(?:<[^<>]*(?:<[^<>]*>[^<>]*)*>[^<>]*)*>[^<>]*)*> ?)?(?:export )?(?<word>class|struct) (?:\[\[[^\]]*\]\] ?|alignas\([^)]*\) ?|[A-Z_]{3,} )*(?<name>\w+) ?(?:final ?)?(?::[^;({]*)?(?:\{.*)?$/,
  },
  { kind: 'type', match: /^ ?using (?<name>\w+) ?(?:\[\[.*\]\] ?)?=/ },
  { kind: 'type', match: /^ ?(?:template ?<.*> ?)?concept (?<name>\w+) ?=/ },
  {
    kind: 'method',
    match: new RegExp(
      String.raw`^ (?:virtual|static|inline|explicit|constexpr|friend|\[\[nodiscard\]\]) (?:\[\[nodiscard\]\] )?(?:${TYPE_WORDS})?(?<name>~?\w+|${OPERATOR}) ?\(`,
    ),
  },
  { kind: 'function', match: /^(?:\w+::)+(?<name>~?\w+) ?\([^;]*(?:\{|:|,|\)) ?$/ },
  {
    kind: 'method',
    match: new RegExp(
      String.raw`^ (?!(?:return|else|new|throw|case|delete|using|typedef|co_return|co_await|goto)\b)${TYPE_WORDS}(?<name>(?!(?:if|for|while|switch|catch)\b)[A-Za-z_]\w*|${OPERATOR}) ?\([^;{}[\]]*\)[^;{}[\]()]*(?:\{|;(?<=(?:= ?(?:0|default|delete)|\b(?:override|final)) ?;) ?$)`,
    ),
  },
  {
    kind: 'constructor',
    match:
      /^ (?<name>~?[A-Z]\w*) ?\([^;{}[\]]*(?:\{(?<=\) ?(?:noexcept ?)?(?::.{0,300})?\{)|;(?<=\) ?(?:noexcept ?)?= ?(?:default|delete) ?;) ?$)/,
  },
  ...cPatterns,
];

export const cpp: Language = {
  patterns: cppPatterns,
  // Patterns of C, followed by patterns of C++.
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
};
