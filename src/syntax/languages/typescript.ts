import type { Language } from '../language.ts';
import { scriptMarks } from './typescript/marks.ts';
import { scriptPatterns } from './typescript/patterns.ts';

export const typescript = {
  id: 'typescript',
  extensions: ['ts', 'mts', 'cts'],
  interpreters: ['tsx', 'ts-node', 'deno', 'bun'],
  patterns: scriptPatterns,
  // A typed file shows every mark of JavaScript and some of its own.
  hints: [
    ...scriptMarks,
    /^\s*(export\s+)?(declare\s+)?(interface|type|enum|namespace|abstract class)\s+\w+/m,
    /^\s*import\s+type\s/m,
    /[\w)\]]\??:\s*(string|number|boolean|unknown|void|Promise<|readonly\s)/,
    /\b(private|public|protected|readonly)\s+\w+[?!]?\s*[:(]/,
    /\bas\s+const\b/,
  ],
  reader: { kind: 'typescript', dialect: 'ts' },
} as const satisfies Language;
