import { parsedExtensions } from '../../text/file-kinds.ts';
import type { Language } from './language.ts';
import { scriptPatterns } from './typescript-patterns.ts';

/** Marks of JavaScript; TypeScript shows these too. */
const scriptMarks: readonly RegExp[] = [
  /^ ?(const|let|var) [\w{[][^=\n]*=/,
  /\brequire\(['"][^'"\n]+['"]\)/,
  /^ ?(module\.)?exports(\.\w+)? ?=/,
  /^ ?import [^;\n]* from ['"]/,
  /^ ?export (default|const|function|class|async)\b/,
  /\bfunction ?\w* ?\([^()]*\) ?\{/,
  /=> ?[{(]?/,
  /\bconsole\.\w+\(/,
  /===|!==/,
];

const tagMark = /<[A-Za-z][\w.]*(\s[^<>]*)?\/>|<\/[A-Za-z][\w.]*>/;

/** JSX included: the parser reads tags in every JavaScript file. */
export const javascript = {
  id: 'javascript',
  extensions: parsedExtensions.javascript,
  interpreters: ['node', 'nodejs'],
  patterns: scriptPatterns,
  hints: [...scriptMarks, tagMark],
} as const satisfies Language;

export const typescript = {
  id: 'typescript',
  extensions: parsedExtensions.typescript,
  interpreters: ['tsx', 'ts-node', 'deno', 'bun'],
  patterns: scriptPatterns,
  // A typed file shows every mark of JavaScript and some of its own.
  hints: [
    ...scriptMarks,
    /^ ?(export )?(declare )?(interface|type|enum|namespace|abstract class) \w+/,
    /^ ?import type /,
    /[\w)\]]\??: ?(string|number|boolean|unknown|void|Promise<|readonly )/,
    /\b(private|public|protected|readonly) \w+[?!]? ?[:(]/,
    /\bas const\b/,
  ],
} as const satisfies Language;

export const tsx = {
  id: 'tsx',
  extensions: parsedExtensions.tsx,
  patterns: scriptPatterns,
  // Tags alone could be JavaScript: typed and with tags it is TSX.
  hints: [...typescript.hints, tagMark],
} as const satisfies Language;
