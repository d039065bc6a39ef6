import type { LinePattern } from '../../structure/pattern.ts';

export const phpPatterns: readonly LinePattern[] = [
  { role: 'import', kind: 'import', match: /^use (?:function |const )?\\?[A-Z_a-z][\w\\{}, ]*/ },
  { role: 'import', kind: 'import', match: /^ ?(?:require|include)(?:_once)?\b[ (]/ },
  { role: 'declaration', kind: 'namespace', match: /^ ?namespace (?<name>[\w\\]+)/ },
  {
    role: 'declaration',
    kind: { class: 'class', interface: 'interface', trait: 'trait', enum: 'enum' },
    match:
      /^ ?(?:#\[[^\]]*\] ?)*(?:(?:abstract|final|readonly) )*(?<word>class|interface|trait|enum) (?<name>[A-Za-z_]\w*) ?(?:[:{]|extends\b|implements\b|$)/,
  },
  { role: 'declaration', kind: 'function', match: /^function &? ?(?<name>\w+)/ },
  {
    role: 'declaration',
    kind: 'method',
    match: /^ (?:(?:public|protected|private|static|abstract|final) )*function &? ?(?<name>\w+)/,
  },
  {
    role: 'declaration',
    kind: 'property',
    match:
      /^ (?:(?:public|protected|private|static|readonly|var)(?:\(set\))? )+(?:[?\\\w|&]+ )?\$(?<name>\w+)/,
  },
  {
    role: 'declaration',
    kind: 'constant',
    match:
      /^ ?(?:(?:public|protected|private|final) )*(?:const (?:[?\\\w|]+ )?(?<name>[A-Za-z_]\w*) ?=|define ?\( ?['"])/,
  },
  { role: 'declaration', kind: 'case', match: /^ case (?<name>[A-Z]\w*) ?(?:=[^>].*)?;/ },
];
