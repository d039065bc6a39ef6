import type { LinePattern } from '../../structure/pattern.ts';

export const rubyPatterns: readonly LinePattern[] = [
  { role: 'import', kind: 'import', match: /^ ?(?:require|require_relative|load|autoload)\b[ (]+['":]/ },
  { role: 'declaration', kind: 'class', match: /^ ?class (?:<< ?)?(?<name>[A-Za-z_][\w:]*)/ },
  { role: 'declaration', kind: 'namespace', match: /^ ?module (?<name>[A-Z][\w:]*)/ },
  {
    role: 'declaration',
    kind: 'method',
    match:
      /^ ?(?:(?:private|protected|public|module_function|private_class_method) )?def (?:[\w]+\.)?(?<name>[A-Za-z_]\w*[?!=]?|[-+*/%<>=!~^&|[\]]+)/,
  },
  { role: 'declaration', kind: 'property', match: /^ ?attr_(?:accessor|reader|writer) :(?<name>\w+)/ },
  {
    role: 'declaration',
    kind: 'method',
    match: /^ ?(?:define_method|alias_method|delegate|scope)[ (]+:(?<name>\w+[?!=]?)/,
  },
  { role: 'declaration', kind: 'constant', match: /^ ?(?<name>[A-Z]\w*) ?=[^=~>]/ },
];
