import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentLanguage, documentLanguages } from '../words.ts';
import { readFrontMatter } from './document/front-matter.ts';

export interface LanguageChoice {
  /** Requested language. */
  language?: DocumentLanguage;
  /** Language of a new document by default. */
  defaultLanguage: DocumentLanguage;
}

/** A document keeps its language until another is asked for: it must not depend on who runs the tool. */
export async function languageFor(
  outputDir: string,
  name: string,
  { language, defaultLanguage }: LanguageChoice,
): Promise<DocumentLanguage> {
  if (language !== undefined) return language;
  const document = await readFile(join(outputDir, name), 'utf8').catch(() => undefined);
  if (document === undefined) return defaultLanguage;
  const written = readFrontMatter(document).language;
  // Documents of the first format were Chinese and did not say so.
  return documentLanguages.find((each) => each === written) ?? 'zh';
}
