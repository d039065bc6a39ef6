import type { LinePattern } from '../../structure/pattern.ts';

export const csharpPatterns: readonly LinePattern[] = [
  {
    role: 'import',
    kind: 'import',
    match: /^ ?(?:global )?using (?:static )?[\w.]+(?: ?= ?[\w.<>, ]+)? ?;/,
  },
  { role: 'declaration', kind: 'namespace', match: /^ ?namespace (?<name>[\w.]+)/ },
  {
    role: 'declaration',
    kind: { class: 'class', struct: 'struct', interface: 'interface', enum: 'enum', record: 'class' },
    match:
      /^ ?(?:\[[^\]]*\] ?)*(?:(?:public|private|protected|internal|static|abstract|sealed|partial|readonly|ref|unsafe|file|new|record) )*(?<word>class|struct|interface|enum|record) (?<name>[A-Za-z_]\w*) ?(?:[<({:;]|where\b|$)/,
  },
  {
    role: 'declaration',
    kind: 'type',
    match: /^ ?(?:(?:public|private|protected|internal) )*delegate [\w.<>[\],? ]+? (?<name>\w+) ?[<(]/,
  },
  {
    role: 'declaration',
    kind: 'method',
    match:
      /^ (?:(?:public|private|protected|internal|static|virtual|override|abstract|sealed|async|extern|unsafe|partial|new|readonly) )+(?!class\b|struct\b|interface\b|enum\b|record\b|delegate\b)(?:[A-Za-z_][\w.]*(?:<[^<>()=;]*(?:<[^<>()=;]*(?:<[^<>()=;]*>[^<>()=;]*)*>[^<>()=;]*)*>)?[?[\],]* )?(?<name>[A-Za-z_]\w*)(?:<[^<>()]*>)? ?\(/,
  },
  {
    role: 'declaration',
    kind: 'property',
    match:
      /^ (?:(?:public|private|protected|internal|static|virtual|override|abstract|required|readonly|const|new|volatile|event) )+[A-Za-z_][\w.]*(?:<[^()=;]*>)?[?[\],]* (?<name>[A-Za-z_]\w*) ?(?:\{|=>|=|;|$)/,
  },
];
