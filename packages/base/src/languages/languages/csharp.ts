import type { Language } from './language.ts';

export const csharp: Language = {
  patterns: [
    { kind: 'import', match: /^ ?(?:global )?using (?:static )?[\w.]+(?: ?= ?[\w.<>, ]+)? ?;/ },
    { kind: 'namespace', match: /^ ?namespace (?<name>[\w.]+)/ },
    {
      kind: { class: 'class', struct: 'struct', interface: 'interface', enum: 'enum', record: 'class' },
      match:
        /^ ?(?:\[[^\]]*\] ?)*(?:(?:public|private|protected|internal|static|abstract|sealed|partial|readonly|ref|unsafe|file|new|record) )*(?<word>class|struct|interface|enum|record) (?<name>[A-Za-z_]\w*) ?(?:[<({:;]|where\b|$)/,
    },
    {
      kind: 'type',
      match: /^ ?(?:(?:public|private|protected|internal) )*delegate [\w.<>[\],? ]+? (?<name>\w+) ?[<(]/,
    },
    {
      kind: 'method',
      match:
        /^ (?:(?:public|private|protected|internal|static|virtual|override|abstract|sealed|async|extern|unsafe|partial|new|readonly) )+(?!class\b|struct\b|interface\b|enum\b|record\b|delegate\b)(?:[A-Za-z_][\w.]*(?:<[^<>()=;]*(?:<[^<>()=;]*(?:<[^<>()=;]*>[^<>()=;]*)*>[^<>()=;]*)*>)?[?[\],]* )?(?<name>[A-Za-z_]\w*)(?:<[^<>()]*>)? ?\(/,
    },
    {
      kind: 'property',
      match:
        /^ (?:(?:public|private|protected|internal|static|virtual|override|abstract|required|readonly|const|new|volatile|event) )+[A-Za-z_][\w.]*(?:<[^()=;]*>)?[?[\],]* (?<name>[A-Za-z_]\w*) ?(?:\{|=>|=|;|$)/,
    },
  ],
  hints: [
    /^ ?(global )?using (static )?[A-Z][\w.]*;/,
    /^ ?namespace [A-Z][\w.]* ?[;{]? ?$/,
    /\{ ?(private )?get; ?(private |protected |internal )?(set;|init;)? ?\}/,
    /^ ?(public|private|protected|internal) (static |async |override |virtual |sealed |partial |readonly )*(class|struct|record|interface|void|Task|string|int|bool|var)\b/,
    /\basync Task\b/,
    /\b(string|var|nameof|Console)\b[ .(]/,
    /^ ?\/\/\/ ?<summary>/,
  ],
};
