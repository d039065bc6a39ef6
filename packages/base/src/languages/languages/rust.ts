import type { Language } from './language.ts';

export const rust: Language = {
  patterns: [
    { kind: 'import', match: /^ ?(?:pub(?:\([^)]*\))? )?(?:use [\w:{*]|extern crate )/ },
    {
      kind: 'function',
      match:
        /^ ?(?:pub(?:\([\w: ]*\))? )?(?:(?:default|const|async|unsafe|safe|extern|"[\w-]*") )*fn (?<name>\w+)/,
    },
    {
      kind: {
        struct: 'struct',
        union: 'struct',
        enum: 'enum',
        trait: 'trait',
        mod: 'namespace',
        type: 'type',
      },
      match:
        /^ ?(?:pub(?:\([^)]*\))? )?(?:unsafe )?(?:auto )?(?<word>struct|enum|union|trait|mod|type) (?<name>[A-Za-z_]\w*) ?(?:[<({;:=]|where\b|$)/,
    },
    {
      kind: 'impl',
      match:
        /^ ?(?:unsafe )?impl\b ?(?:<(?:[^<>{-]|-(?!>)|->|<(?:[^<>{-]|-(?!>)|->|<[^<>{]*>)*>)*> ?)?(?<name>(?:[^{ ]| (?!where\b|\{|$))*)(?: where\b| ?\{? ?$)/,
    },
    {
      kind: { const: 'constant', static: 'variable' },
      match: /^ ?(?:pub(?:\([^)]*\))? )?(?<word>const|static) (?:mut )?(?<name>[A-Z_][A-Z0-9_]*) ?:/,
    },
    { kind: 'macro', match: /^ ?(?:pub )?macro(?:_rules!)? (?<name>\w+)/ },
  ],
  hints: [
    /^ ?(pub(\([^)]*\))? )?(async )?(unsafe )?fn \w+ ?[<(]/,
    /^ ?(pub )?use [\w:]+(::\{|::\*|;|::\w+)/,
    /^ ?impl(<[^>]*>)? [\w:<>]+( for \w+)?/,
    /\blet (mut )?\w+(: (?:[^=:]|::)+)? ?=/,
    /^ ?#!?\[\w+/,
    /&(mut|self|str|'\w+)\b/,
    /\w!\(/,
    /-> ?(Result|Option|Self|impl|Box)\b/,
  ],
};
