import type { Language } from './language.ts';

export const php: Language = {
  interpreters: ['php'],
  patterns: [
    { kind: 'import', match: /^use (?:function |const )?\\?[A-Z_a-z][\w\\{}, ]*/ },
    { kind: 'import', match: /^ ?(?:require|include)(?:_once)?\b[ (]/ },
    { kind: 'namespace', match: /^ ?namespace (?<name>[\w\\]+)/ },
    {
      kind: { class: 'class', interface: 'interface', trait: 'trait', enum: 'enum' },
      match:
        /^ ?(?:#\[[^\]]*\] ?)*(?:(?:abstract|final|readonly) )*(?<word>class|interface|trait|enum) (?<name>[A-Za-z_]\w*) ?(?:[:{]|extends\b|implements\b|$)/,
    },
    { kind: 'function', match: /^function &? ?(?<name>\w+)/ },
    {
      kind: 'method',
      match: /^ (?:(?:public|protected|private|static|abstract|final) )*function &? ?(?<name>\w+)/,
    },
    {
      kind: 'property',
      match:
        /^ (?:(?:public|protected|private|static|readonly|var)(?:\(set\))? )+(?:[?\\\w|&]+ )?\$(?<name>\w+)/,
    },
    {
      kind: 'constant',
      match:
        /^ ?(?:(?:public|protected|private|final) )*(?:const (?:[?\\\w|]+ )?(?<name>[A-Za-z_]\w*) ?=|define ?\( ?['"])/,
    },
    { kind: 'case', match: /^ case (?<name>[A-Z]\w*) ?(?:=[^>].*)?;/ },
  ],
  hints: [
    /<\?php/,
    /^ ?namespace [A-Z]\w*(\\\w+)* ?;/,
    /^ ?use \\?[A-Z]\w*\\[\w\\]+/,
    /\$this->\w+/,
    /^ ?(public|private|protected|static)? ?function \w+ ?\([^)]*\$?/,
    /(^|[ (=,])\$[a-z_]\w* ?(=|->|\[|,|\))/i,
    /\b[A-Z]\w*::\w+/,
  ],
};
