import type { LinePattern } from '../../structure/pattern.ts';

export const phpPatterns: readonly LinePattern[] = [
  { role: 'import', kind: 'import', match: /^use\s+(?:function\s+|const\s+)?\\?[A-Z_a-z][\w\\{},\s]*/ },
  { role: 'import', kind: 'import', match: /^\s*(?:require|include)(?:_once)?\b[\s(]/ },
  { role: 'declaration', kind: 'namespace', match: /^\s*namespace\s+(?<name>[\w\\]+)/ },
  {
    role: 'declaration',
    kind: { class: 'class', interface: 'interface', trait: 'trait', enum: 'enum' },
    match:
      /^\s*(?:#\[[^\]]*\]\s*)*(?:(?:abstract|final|readonly)\s+)*(?<word>class|interface|trait|enum)\s+(?<name>[A-Za-z_]\w*)\s*(?:[:{]|extends\b|implements\b|$)/,
  },
  { role: 'declaration', kind: 'function', match: /^function\s+&?\s*(?<name>\w+)/ },
  {
    role: 'declaration',
    kind: 'method',
    match: /^\s+(?:(?:public|protected|private|static|abstract|final)\s+)*function\s+&?\s*(?<name>\w+)/,
  },
  {
    role: 'declaration',
    kind: 'property',
    match:
      /^\s+(?:(?:public|protected|private|static|readonly|var)(?:\(set\))?\s+)+(?:[?\\\w|&]+\s+)?\$(?<name>\w+)/,
  },
  {
    role: 'declaration',
    kind: 'constant',
    match:
      /^\s*(?:(?:public|protected|private|final)\s+)*(?:const\s+(?:[?\\\w|]+\s+)?(?<name>[A-Za-z_]\w*)\s*=|define\s*\(\s*['"])/,
  },
  { role: 'declaration', kind: 'case', match: /^\s+case\s+(?<name>[A-Z]\w*)\s*(?:=[^>].*)?;/ },
];
