import type { LanguageId } from '@secateur/base/languages/languages.ts';

/** Whether a name is exported in Go: it begins with a capital letter. */
export function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

/** Whether a name is public in Python: no leading underscore, or a dunder name like `__init__`. */
export function isPublic(name: string): boolean {
  return !name.startsWith('_') || /^__\w+__$/.test(name);
}

/** Functions that decide by the name alone whether a declaration is exported, for languages with such a rule. */
export const publicNames: Readonly<Partial<Record<LanguageId, (name: string) => boolean>>> = {
  python: isPublic,
  go: isExported,
  ...Object.fromEntries(['c', 'cpp', 'ruby', 'php', 'kotlin'].map((language) => [language, () => true])),
};
