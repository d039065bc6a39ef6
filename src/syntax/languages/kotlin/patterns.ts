import type { LinePattern } from '../../structure/pattern.ts';

const MODIFIERS =
  '(?:@[\\w.:]+(?:\\([^)]*\\))? )*(?:(?:public|private|protected|internal|abstract|final|open|sealed|data|inline|value|inner|enum|annotation|companion|override|lateinit|const|suspend|operator|infix|tailrec|external|expect|actual|fun) )*';

export const kotlinPatterns: readonly LinePattern[] = [
  { role: 'import', kind: 'import', match: /^ ?import [\w.*]+(?: as \w+)? ?;? ?$/ },
  { role: 'declaration', kind: 'namespace', match: /^ ?package (?<name>[\w.]+)/ },
  {
    role: 'declaration',
    kind: { class: 'class', interface: 'interface', object: 'class' },
    match: new RegExp(
      `^ ?${MODIFIERS}(?<word>class|interface|object)\\b(?: (?<name>\`[^\`]+\`|\\w+))? ?(?:[<({:]|private\\b|internal\\b|@|constructor\\b|where\\b|$)`,
    ),
  },
  {
    role: 'declaration',
    kind: 'function',
    match: new RegExp(
      `^ ?${MODIFIERS.replace('|fun)', ')')}fun (?:<[^<>(]*(?:<[^<>(]*>[^<>(]*)*> ?)?(?:[\\w.<>?,* ]+\\.)?(?<name>\`[^\`]+\`|\\w+) ?\\(`,
    ),
  },
  { role: 'declaration', kind: 'type', match: new RegExp(`^ ?${MODIFIERS}typealias (?<name>\\w+)`) },
  {
    role: 'declaration',
    kind: 'constructor',
    match: /^ (?:(?:public|private|protected|internal) )?(?<name>constructor) ?\(/,
  },
  {
    role: 'declaration',
    kind: { val: 'constant', var: 'variable' },
    match:
      /^(?:(?:public|private|internal|const|lateinit|expect|actual) )*(?<word>val|var) (?:<[^>]*> ?)?(?:[\w<>]+\.)?(?<name>\w+)/,
  },
  {
    role: 'declaration',
    kind: 'property',
    match:
      /^ (?:(?:public|private|protected|internal|const|lateinit|override|abstract|open|final) )+va[lr] (?<name>\w+)/,
  },
  { role: 'declaration', kind: 'property', indent: 4, match: /^ va[lr] (?<name>\w+) ?(?::|by\b|$)/ },
];
