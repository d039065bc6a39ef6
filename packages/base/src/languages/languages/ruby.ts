import type { Language } from './language.ts';

export const ruby: Language = {
  interpreters: ['ruby', 'jruby'],
  patterns: [
    { kind: 'import', match: /^ ?(?:require|require_relative|load|autoload)\b[ (]+['":]/ },
    { kind: 'class', match: /^ ?class (?:<< ?)?(?<name>[A-Za-z_][\w:]*)/ },
    { kind: 'namespace', match: /^ ?module (?<name>[A-Z][\w:]*)/ },
    {
      kind: 'method',
      match:
        /^ ?(?:(?:private|protected|public|module_function|private_class_method) )?def (?:[\w]+\.)?(?<name>[A-Za-z_]\w*[?!=]?|[-+*/%<>=!~^&|[\]]+)/,
    },
    { kind: 'property', match: /^ ?attr_(?:accessor|reader|writer) :(?<name>\w+)/ },
    { kind: 'method', match: /^ ?(?:define_method|alias_method|delegate|scope)[ (]+:(?<name>\w+[?!=]?)/ },
    { kind: 'constant', match: /^ ?(?<name>[A-Z]\w*) ?=[^=~>]/ },
  ],
  hints: [
    /^ ?def (self\.)?\w+[?!=]? ?(\(.*\))? ?$/,
    /^ ?(class|module) [A-Z][\w:]*( ?< ?[A-Z][\w:]*)? ?$/,
    /^ ?require(_relative)? ['"]/,
    /^ ?end ?$/,
    /\bdo ?\|[\w, *&]+\|/,
    /^ ?attr_(reader|writer|accessor) :/,
    /(^|[ (])@\w+\b/,
    /\.(each|map|nil\?|freeze)\b/,
  ],
};
