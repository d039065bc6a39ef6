import type { Language } from './language.ts';

const MODIFIERS =
  '(?:@[\\w.:]+(?:\\([^)]*\\))? )*(?:(?:public|private|protected|internal|abstract|final|open|sealed|data|inline|value|inner|enum|annotation|companion|override|lateinit|const|suspend|operator|infix|tailrec|external|expect|actual|fun) )*';

export const kotlin: Language = {
  patterns: [
    { kind: 'import', match: /^ ?import [\w.*]+(?: as \w+)? ?;? ?$/ },
    { kind: 'namespace', match: /^ ?package (?<name>[\w.]+)/ },
    {
      kind: { class: 'class', interface: 'interface', object: 'class' },
      match: new RegExp(
        `^ ?${MODIFIERS}(?<word>class|interface|object)\\b(?: (?<name>\`[^\`]+\`|\\w+))? ?(?:[<({:]|private\\b|internal\\b|@|constructor\\b|where\\b|$)`,
      ),
    },
    {
      kind: 'function',
      match: new RegExp(
        `^ ?${MODIFIERS.replace('|fun)', ')')}fun (?:<[^<>(]*(?:<[^<>(]*>[^<>(]*)*> ?)?(?:[\\w.<>?,* ]+\\.)?(?<name>\`[^\`]+\`|\\w+) ?\\(`,
      ),
    },
    { kind: 'type', match: new RegExp(`^ ?${MODIFIERS}typealias (?<name>\\w+)`) },
    { kind: 'constructor', match: /^ (?:(?:public|private|protected|internal) )?(?<name>constructor) ?\(/ },
    {
      kind: { val: 'constant', var: 'variable' },
      match:
        /^(?:(?:public|private|internal|const|lateinit|expect|actual) )*(?<word>val|var) (?:<[^>]*> ?)?(?:[\w<>]+\.)?(?<name>\w+)/,
    },
    {
      kind: 'property',
      match:
        /^ (?:(?:public|private|protected|internal|const|lateinit|override|abstract|open|final) )+va[lr] (?<name>\w+)/,
    },
    { kind: 'property', indent: 4, match: /^ va[lr] (?<name>\w+) ?(?::|by\b|$)/ },
  ],
  hints: [
    /^ ?((public|private|internal|override|suspend|inline|operator) )*fun (<[^>]*> ?)?[\w.]+ ?\(/,
    /^ ?(data|sealed|enum|open|inner|value|annotation) class \w+/,
    /^ ?(private |internal |override )?va[lr] \w+ ?(:|=|by\b)/,
    /^package [\w.]+ ?$/,
    /^import [\w.]+(\.\*)? ?$/,
    /\bcompanion object\b/,
    /\?\.|\?:|!!/,
    /\bwhen ?(\(|\{)/,
  ],
};
