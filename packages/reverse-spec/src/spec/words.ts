import { en } from './words/en.ts';
import { fr } from './words/fr.ts';
import { type Words, zh } from './words/zh.ts';

/** Languages a document can be written in; each is one file in `words/` and one line below. */
export const documentLanguages = ['zh', 'en', 'fr'] as const;

export type DocumentLanguage = (typeof documentLanguages)[number];

export type { Words };

export const wordsOf: Readonly<Record<DocumentLanguage, Words>> = { zh, en, fr };
