import type { LinePattern } from '../../structure/pattern.ts';

export const javaPatterns: readonly LinePattern[] = [
  { role: 'import', kind: 'import', match: /^\s*import\s+(?:static\s+)?[\w.*]+\s*;/ },
  { role: 'declaration', kind: 'namespace', match: /^\s*package\s+(?<name>[\w.]+)\s*;/ },
  {
    role: 'declaration',
    kind: {
      class: 'class',
      interface: 'interface',
      enum: 'enum',
      record: 'class',
      '@interface': 'interface',
    },
    match:
      /^\s*(?:@\w[\w.]*(?:\([^)]*\))?\s+)*(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed|strictfp)\s+)*(?<word>class|interface|enum|record|@interface)\s+(?<name>[A-Za-z_$][\w$]*)\s*(?:[<({]|extends\b|implements\b|permits\b|$)/,
  },
  {
    role: 'declaration',
    kind: 'constructor',
    match: /^\s+(?:public|protected|private)\s+(?<name>[A-Z]\w*)\s*\(/,
  },
  {
    role: 'declaration',
    kind: 'method',
    match:
      /^\s+(?:@\w[\w.]*(?:\([^)]*\))?\s+)*(?:(?:public|protected|private|static|final|abstract|synchronized|native|default|strictfp)\s+)*(?:<[^>]*>\s+)?(?!(?:return|new|throw|else|case|package|import|assert|yield)\b)[A-Za-z_$][\w$.]*(?:<[^()=;]*>)?(?:\[\])*(?:\.\.\.)?\s+(?<name>[A-Za-z_$][\w$]*)\s*\([^;={}]*?(?:\)\s*(?:throws\s[\w.,\s]+)?(?:default\s.*;|\{.*|;)?|,)?\s*$/,
  },
  {
    role: 'declaration',
    kind: 'property',
    match:
      /^\s+(?:(?:public|protected|private|static|final|volatile|transient)\s+)+[A-Za-z_$][\w$.]*(?:<[^()=;]*>)?(?:\[\])*\s+(?<name>[A-Za-z_$][\w$]*)\s*(?:=|;|,)/,
  },
];
