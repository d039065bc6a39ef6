import { parsedExtensions } from '../../text/file-kinds.ts';
import type { Language } from './language.ts';
import { rubyPatterns } from './ruby/patterns.ts';

export const ruby = {
  id: 'ruby',
  extensions: parsedExtensions.ruby,
  interpreters: ['ruby', 'jruby'],
  patterns: rubyPatterns,
  isPublicName: () => true,
  hints: [
    /^ ?def (self\.)?\w+[?!=]? ?(\(.*\))? ?$/,
    /^ ?(class|module) [A-Z][\w:]*( ?< ?[A-Z][\w:]*)? ?$/,
    /^ ?require(_relative)? ['"]/,
    /^ ?end ?$/,
    /\bdo ?\|[\w, *&]+\|/,
    /^ ?attr_(reader|writer|accessor) :/,
    /(^|[ (])@\w+\b/,
    /\.(each|map|nil\?|freeze)\b/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: 'ruby',
    load: async () => ({ read: (await import('./ruby/read.ts')).readRuby }),
  },
} as const satisfies Language;
