import type { LinePattern } from '../../structure/pattern.ts';

export const rubyPatterns: readonly LinePattern[] = [
  { role: 'import', kind: 'import', match: /^\s*(?:require|require_relative|load|autoload)\b[\s(]+['":]/ },
  { role: 'declaration', kind: 'class', match: /^\s*class\s+(?:<<\s*)?(?<name>[A-Za-z_][\w:]*)/ },
  { role: 'declaration', kind: 'namespace', match: /^\s*module\s+(?<name>[A-Z][\w:]*)/ },
  {
    role: 'declaration',
    kind: 'method',
    match:
      /^\s*(?:(?:private|protected|public|module_function|private_class_method)\s+)?def\s+(?:[\w]+\.)?(?<name>[A-Za-z_]\w*[?!=]?|[-+*/%<>=!~^&|[\]]+)/,
  },
  { role: 'declaration', kind: 'property', match: /^\s*attr_(?:accessor|reader|writer)\s+:(?<name>\w+)/ },
  {
    role: 'declaration',
    kind: 'method',
    match: /^\s*(?:define_method|alias_method|delegate|scope)[\s(]+:(?<name>\w+[?!=]?)/,
  },
  { role: 'declaration', kind: 'constant', match: /^\s*(?<name>[A-Z]\w*)\s*=[^=~>]/ },
];
