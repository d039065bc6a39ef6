import { parsedExtensions } from '../../text/file-kinds.ts';
import { cPatterns } from './c-patterns.ts';
import type { Language } from './language.ts';

export const c = {
  id: 'c',
  extensions: parsedExtensions.c,
  patterns: cPatterns,
  hints: [
    /^ ?# ?include ?["<][\w/.-]+\.h[">]/,
    /^ ?# ?(define|ifdef|ifndef|endif|pragma)\b/,
    /^(static |extern |inline )*(const )?(unsigned )?(int|void|char|size_t|struct \w+|uint\d+_t|bool|double|float|long)( ?\*+ ?| )\w+ ?\(/,
    /^ ?typedef (struct|enum|union|unsigned|int|void)\b/,
    /\w->\w/,
    /\b(malloc|free|sizeof|printf|memcpy|strlen|NULL)\b/,
  ],
} as const satisfies Language;
