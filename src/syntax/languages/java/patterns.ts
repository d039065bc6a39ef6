import type { LinePattern } from '../../structure/pattern.ts';

export const javaPatterns: readonly LinePattern[] = [
  { role: 'import', kind: 'import', match: /^ ?import (?:static )?[\w.*]+ ?;/ },
  { role: 'declaration', kind: 'namespace', match: /^ ?package (?<name>[\w.]+) ?;/ },
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
      /^ ?(?:@\w[\w.]*(?:\([^)]*\))? )*(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed|strictfp) )*(?<word>class|interface|enum|record|@interface) (?<name>[A-Za-z_$][\w$]*) ?(?:[<({]|extends\b|implements\b|permits\b|$)/,
  },
  {
    role: 'declaration',
    kind: 'constructor',
    match: /^ (?:public|protected|private) (?<name>[A-Z]\w*) ?\(/,
  },
  {
    role: 'declaration',
    kind: 'method',
    match:
      /^ (?:@\w[\w.]*(?:\([^)]*\))? )*(?:(?:public|protected|private|static|final|abstract|synchronized|native|default|strictfp) )*(?:<[^>]*> )?(?!(?:return|new|throw|else|case|package|import|assert|yield)\b)[A-Za-z_$][\w$.]*(?:<[^()=;]*>)?(?:\[\])*(?:\.\.\.)? (?<name>[A-Za-z_$][\w$]*) ?\([^;={}]*(?:$|[{;](?<=\) ?(?:throws [\w., ]{1,300}|default [^;={}]{0,300})?[{;])(?:(?<=\{)| ?$))/,
  },
  {
    role: 'declaration',
    kind: 'property',
    match:
      /^ (?:(?:public|protected|private|static|final|volatile|transient) )+[A-Za-z_$][\w$.]*(?:<[^()=;]*>)?(?:\[\])* (?<name>[A-Za-z_$][\w$]*) ?(?:=|;|,)/,
  },
];
