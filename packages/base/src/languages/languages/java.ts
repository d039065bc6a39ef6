import type { Language } from './language.ts';

export const java: Language = {
  patterns: [
    { kind: 'import', match: /^ ?import (?:static )?[\w.*]+ ?;/ },
    { kind: 'namespace', match: /^ ?package (?<name>[\w.]+) ?;/ },
    {
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
    { kind: 'constructor', match: /^ (?:public|protected|private) (?<name>[A-Z]\w*) ?\(/ },
    {
      kind: 'method',
      match:
        /^ (?:@\w[\w.]*(?:\([^)]*\))? )*(?:(?:public|protected|private|static|final|abstract|synchronized|native|default|strictfp) )*(?:<[^>]*> )?(?!(?:return|new|throw|else|case|package|import|assert|yield)\b)[A-Za-z_$][\w$.]*(?:<[^()=;]*>)?(?:\[\])*(?:\.\.\.)? (?<name>[A-Za-z_$][\w$]*) ?\([^;={}]*(?:$|[{;](?<=\) ?(?:throws [\w., ]{1,300}|default [^;={}]{0,300})?[{;])(?:(?<=\{)| ?$))/,
    },
    {
      kind: 'property',
      match:
        /^ (?:(?:public|protected|private|static|final|volatile|transient) )+[A-Za-z_$][\w$.]*(?:<[^()=;]*>)?(?:\[\])* (?<name>[A-Za-z_$][\w$]*) ?(?:=|;|,)/,
    },
  ],
  hints: [
    /^package [\w.]+;/,
    /^import (static )?[a-z]\w*(\.\w+)+(\.\*)?;/,
    /^ ?(public|private|protected) (static |final |abstract )*(class|interface|enum|record|void|[A-Z]\w*|int|boolean|long|String)\b/,
    /@Override\b/,
    /\bnew [A-Z]\w*(<[\w, .?]*(<[\w, .?]*>[\w, .?]*)*>)?\(/,
    /\bthrows [A-Z]\w*/,
    /\bSystem\.(out|err)\.print/,
  ],
};
