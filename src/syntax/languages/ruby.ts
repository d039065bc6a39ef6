import type { Language } from '../language.ts';
import { rubyPatterns } from './ruby/patterns.ts';

export const ruby = {
  id: 'ruby',
  extensions: ['rb', 'rake', 'gemspec', 'ru'],
  interpreters: ['ruby', 'jruby'],
  patterns: rubyPatterns,
  isPublicName: () => true,
  hints: [
    /^\s*def\s+(self\.)?\w+[?!=]?\s*(\(.*\))?\s*$/m,
    /^\s*(class|module)\s+[A-Z][\w:]*(\s*<\s*[A-Z][\w:]*)?\s*$/m,
    /^\s*require(_relative)?\s+['"]/m,
    /^\s*end\s*$/m,
    /\bdo\s*\|[\w,\s*&]+\|/,
    /^\s*attr_(reader|writer|accessor)\s+:/m,
    /(^|[\s(])@\w+\b/,
    /\.(each|map|nil\?|freeze)\b/,
  ],
  reader: {
    kind: 'tree-sitter',
    grammar: { package: 'ruby' },
    load: async () => (await import('./ruby/read.ts')).readRuby,
  },
} as const satisfies Language;
