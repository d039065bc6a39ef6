import { parsedExtensions } from '../../text/file-kinds.ts';
import { csharpPatterns } from './csharp/patterns.ts';
import type { Language } from './language.ts';

export const csharp = {
  id: 'csharp',
  extensions: parsedExtensions.csharp,
  patterns: csharpPatterns,
  hints: [
    /^ ?(global )?using (static )?[A-Z][\w.]*;/,
    /^ ?namespace [A-Z][\w.]* ?[;{]? ?$/,
    /\{ ?(private )?get; ?(private |protected |internal )?(set;|init;)? ?\}/,
    /^ ?(public|private|protected|internal) (static |async |override |virtual |sealed |partial |readonly )*(class|struct|record|interface|void|Task|string|int|bool|var)\b/,
    /\basync Task\b/,
    /\b(string|var|nameof|Console)\b[ .(]/,
    /^ ?\/\/\/ ?<summary>/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: 'c-sharp',
    load: async () => (await import('./csharp/read.ts')).csharpCode,
  },
} as const satisfies Language;
