import type { LinePattern } from '../../structure/pattern.ts';

export const csharpPatterns: readonly LinePattern[] = [
  {
    role: 'import',
    kind: 'import',
    match: /^\s*(?:global\s+)?using\s+(?:static\s+)?[\w.]+(?:\s*=\s*[\w.<>,\s]+)?\s*;/,
  },
  { role: 'declaration', kind: 'namespace', match: /^\s*namespace\s+(?<name>[\w.]+)/ },
  {
    role: 'declaration',
    kind: { class: 'class', struct: 'struct', interface: 'interface', enum: 'enum', record: 'class' },
    match:
      /^\s*(?:\[[^\]]*\]\s*)*(?:(?:public|private|protected|internal|static|abstract|sealed|partial|readonly|ref|unsafe|file|new|record)\s+)*(?<word>class|struct|interface|enum|record)\s+(?<name>[A-Za-z_]\w*)\s*(?:[<({:;]|where\b|$)/,
  },
  {
    role: 'declaration',
    kind: 'type',
    match:
      /^\s*(?:(?:public|private|protected|internal)\s+)*delegate\s+[\w.<>[\],?\s]+?\s(?<name>\w+)\s*[<(]/,
  },
  {
    role: 'declaration',
    kind: 'method',
    match:
      /^\s+(?:(?:public|private|protected|internal|static|virtual|override|abstract|sealed|async|extern|unsafe|partial|new|readonly)\s+)+(?!class\b|struct\b|interface\b|enum\b|record\b|delegate\b)(?:[A-Za-z_][\w.]*(?:<[^()=;]*>)?[?[\],]*\s+)?(?<name>[A-Za-z_]\w*)(?:<[^()]*>)?\s*\(/,
  },
  {
    role: 'declaration',
    kind: 'property',
    match:
      /^\s+(?:(?:public|private|protected|internal|static|virtual|override|abstract|required|readonly|const|new|volatile|event)\s+)+[A-Za-z_][\w.]*(?:<[^()=;]*>)?[?[\],]*\s+(?<name>[A-Za-z_]\w*)\s*(?:\{|=>|=|;|$)/,
  },
];
