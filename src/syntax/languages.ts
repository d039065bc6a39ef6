import type { Language } from './language.ts';
import { javascript } from './languages/javascript.ts';
import { python } from './languages/python.ts';
import { tsx } from './languages/tsx.ts';
import { typescript } from './languages/typescript.ts';

export const languages = [typescript, tsx, javascript, python] as const satisfies readonly Language[];

export type LanguageId = (typeof languages)[number]['id'];

export function languageById(id: string): Language | undefined {
  return languages.find((language) => language.id === id);
}

/** The language of a file by its name, else by its first line, else by what its text looks like. */
export function detectLanguage({ path, source }: { path?: string; source?: string }): LanguageId | undefined {
  const named = path === undefined ? undefined : languageOfPath(path);
  if (named !== undefined || source === undefined) return named;
  return languageOfShebang(source) ?? guessLanguage(source);
}

export function languageOfPath(path: string): LanguageId | undefined {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
  if (extension === undefined) return undefined;
  return languages.find((language) => (language.extensions as readonly string[]).includes(extension))?.id;
}

function languageOfShebang(source: string): LanguageId | undefined {
  const program = /^#!\s*\S*?(?:\/env\s+(?:-S\s+)?)?([\w.]+?)[\d.]*(?:\s|$)/.exec(source)?.[1];
  if (program === undefined) return undefined;
  return languages.find((language: Language) => language.interpreters?.includes(program))?.id;
}

const SAMPLE_CHARACTERS = 20_000;

/** Two marks of a language, and more than any other has, are taken as proof; less is a coin toss. */
export function guessLanguage(source: string): LanguageId | undefined {
  const sample = source.slice(0, SAMPLE_CHARACTERS);
  let best: { id: LanguageId; marks: number } | undefined;
  for (const { id, hints } of languages) {
    const marks = hints.filter((hint: RegExp) => hint.test(sample)).length;
    if (marks >= 2 && marks > (best?.marks ?? 0)) best = { id, marks };
  }
  return best?.id;
}
