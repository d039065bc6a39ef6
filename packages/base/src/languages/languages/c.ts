import type { Language, LinePattern } from './language.ts';

/** Matches template arguments that are nested up to four levels. It is unambiguous, so it runs in linear time. */
const TEMPLATE_ARGUMENTS = '<[^<>()]*(?:<[^<>()]*(?:<[^<>()]*(?:<[^<>()]*>[^<>()]*)*>[^<>()]*)*>[^<>()]*)*>';

/** Types before a name, each with its separator. */
export const TYPE_WORDS = String.raw`(?:[A-Za-z_][\w:]*(?:${TEMPLATE_ARGUMENTS})?[ *&]+)+`;

/** Matches the name of an operator function: `operator+=`, `operator()`, `operator""_s`. */
export const OPERATOR = String.raw`operator(?:\(\)|[^\w (]{1,3}\w*)`;

export const cPatterns: readonly LinePattern[] = [
  { kind: 'import', match: /^ ?# ?(?:include|import|include_next) ?[<"]/ },
  { kind: 'macro', match: /^ ?# ?define (?<name>\w+)/ },
  {
    kind: { struct: 'struct', union: 'struct', enum: 'enum' },
    match:
      /^ ?(?:typedef )?(?:static )?(?:const )?(?<word>struct|union|enum) (?:class )?(?<name>\w+)? ?(?::[^{;(]*)?(?:\{|$)/,
  },
  { kind: 'type', match: /^ ?typedef\b[^(]*\( ?\* ?(?<name>\w+) ?\)/ },
  { kind: 'type', match: /^ ?typedef\b.*\b(?<name>\w+) ?(?:\[[^\][;]*\])? ?;/ },
  { kind: 'type', match: /^\} ?(?:__attribute__ ?\(\(.*\)\) ?)?(?<name>[A-Za-z_]\w*) ?;/ },
  {
    kind: 'function',
    match: new RegExp(
      String.raw`^(?!(?:return|else|if|for|while|switch|case|goto|typedef|using|template|namespace|do|delete|new|throw)\b)${TYPE_WORDS}(?:\w+ ?::)*(?<name>~?[A-Za-z_]\w*|${OPERATOR}) ?\((?! ?\*)[^;={})]*(?:$|\)[^;={}]*(?:$|\{|; ?$))`,
    ),
  },
  // A function whose return type is on the line before its name.
  {
    kind: 'function',
    match:
      /^(?!(?:return|else|if|for|while|switch|case|goto|do|sizeof|defined|asm|static_assert)\b)(?<name>[a-z_]\w*) ?\([^"=;{}]*(?<=\) ?(?:const ?)?|, ?)[;{]? ?$/,
  },
  {
    kind: 'variable',
    match: new RegExp(
      String.raw`^(?:extern|static|const|constexpr|thread_local) ${TYPE_WORDS}(?<name>\w+) ?(?:\[[^\]]*\])* ?(?:=|;|\{)`,
    ),
  },
];

export const c: Language = {
  patterns: cPatterns,
  hints: [
    /^ ?# ?include ?["<][\w/.-]+\.h[">]/,
    /^ ?# ?(define|ifdef|ifndef|endif|pragma)\b/,
    /^(static |extern |inline )*(const )?(unsigned )?(int|void|char|size_t|struct \w+|uint\d+_t|bool|double|float|long)( ?\*+ ?| )\w+ ?\(/,
    /^ ?typedef (struct|enum|union|unsigned|int|void)\b/,
    /\w->\w/,
    /\b(malloc|free|sizeof|printf|memcpy|strlen|NULL)\b/,
  ],
};
