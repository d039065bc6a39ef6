import type { LinePattern } from '../../structure/pattern.ts';

const MODIFIERS =
  '(?:@[\\w.:]+(?:\\([^)]*\\))?\\s+)*(?:(?:public|private|protected|internal|abstract|final|open|sealed|data|inline|value|inner|enum|annotation|companion|override|lateinit|const|suspend|operator|infix|tailrec|external|expect|actual|fun)\\s+)*';

export const kotlinPatterns: readonly LinePattern[] = [
  { role: 'import', kind: 'import', match: /^\s*import\s+[\w.*]+(?:\s+as\s+\w+)?\s*;?\s*$/ },
  { role: 'declaration', kind: 'namespace', match: /^\s*package\s+(?<name>[\w.]+)/ },
  {
    role: 'declaration',
    kind: { class: 'class', interface: 'interface', object: 'class' },
    match: new RegExp(
      `^\\s*${MODIFIERS}(?<word>class|interface|object)\\b(?:\\s+(?<name>\`[^\`]+\`|\\w+))?\\s*(?:[<({:]|private\\b|internal\\b|@|constructor\\b|where\\b|$)`,
    ),
  },
  {
    role: 'declaration',
    kind: 'function',
    match: new RegExp(
      `^\\s*${MODIFIERS.replace('|fun)', ')')}fun\\s+(?:<[^(]*>\\s*)?(?:[\\w.<>?,*\\s]+\\.)?(?<name>\`[^\`]+\`|\\w+)\\s*\\(`,
    ),
  },
  { role: 'declaration', kind: 'type', match: new RegExp(`^\\s*${MODIFIERS}typealias\\s+(?<name>\\w+)`) },
  {
    role: 'declaration',
    kind: 'constructor',
    match: /^\s+(?:(?:public|private|protected|internal)\s+)?(?<name>constructor)\s*\(/,
  },
  {
    role: 'declaration',
    kind: { val: 'constant', var: 'variable' },
    match:
      /^(?:(?:public|private|internal|const|lateinit|expect|actual)\s+)*(?<word>val|var)\s+(?:<[^>]*>\s*)?(?:[\w<>]+\.)?(?<name>\w+)/,
  },
  {
    role: 'declaration',
    kind: 'property',
    match:
      /^\s+(?:(?:public|private|protected|internal|const|lateinit|override|abstract|open|final)\s+)+va[lr]\s+(?<name>\w+)/,
  },
  { role: 'declaration', kind: 'property', match: /^ {4}va[lr]\s+(?<name>\w+)\s*(?::|by\b|$)/ },
];
