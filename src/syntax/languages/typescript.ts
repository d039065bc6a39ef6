import { parsedExtensions } from '../../text/file-kinds.ts';
import type { Language } from './language.ts';
import { scriptMarks } from './typescript/marks.ts';
import { scriptPatterns } from './typescript/patterns.ts';

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
  reader: { kind: 'typescript', dialect: 'ts' },
} as const satisfies Language;
