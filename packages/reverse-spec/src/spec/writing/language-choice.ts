import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentLanguage, documentLanguages } from '../words.ts';
import { readFrontMatter } from './document/front-matter.ts';

export interface LanguageChoice {
  /** What somebody asked for. */
  language?: DocumentLanguage;
  /** Where nobody asked and there is no document yet. */
  defaultLanguage: DocumentLanguage;
}

/** A document keeps its language until somebody asks for another: it must not follow whoever runs the tool. */
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
