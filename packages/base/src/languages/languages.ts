import { grouped } from '../runtime/grouped.ts';
import { extensionOf, parsedExtensions } from '../text/file-kinds.ts';
import { c } from './languages/c.ts';
import { cpp } from './languages/cpp.ts';
import { csharp } from './languages/csharp.ts';
import { go } from './languages/go.ts';
import { java } from './languages/java.ts';
import { kotlin } from './languages/kotlin.ts';
import { drawTogether, type Language } from './languages/language.ts';
import { php } from './languages/php.ts';
import { python } from './languages/python.ts';
import { ruby } from './languages/ruby.ts';
import { rust } from './languages/rust.ts';
import { swift } from './languages/swift.ts';
import { javascript, tsx, typescript } from './languages/typescript.ts';

const LANGUAGES = {
  javascript,
  typescript,
  tsx,
  python,
  go,
  java,
  rust,
  c,
  cpp,
  csharp,
  ruby,
  php,
  kotlin,
  swift,
} satisfies Readonly<Record<keyof typeof parsedExtensions, Language>>;

export type LanguageId = keyof typeof LANGUAGES;

export interface KnownLanguage extends Language {
  id: LanguageId;
  extensions: readonly string[];
}

/** All languages. If several have equally many marks, the earlier one is guessed. */
export const languages: readonly KnownLanguage[] = (Object.keys(LANGUAGES) as LanguageId[]).map((id) => {
  return { id, extensions: parsedExtensions[id], ...LANGUAGES[id] };
});

export function languageById(id: string): KnownLanguage | undefined {
  return languages.find((language) => language.id === id);
}

/** Returns the language of a file by its name, else by its first line. Without a name, the content decides. */
export function detectLanguage({ path, source }: { path?: string; source?: string }): LanguageId | undefined {
  if (path === undefined) return source === undefined ? undefined : languageOfText(source);
  if (isTemplate(path, source)) return undefined;
  const named = BY_EXTENSION.get(extensionOf(path)) ?? [];
  if (named.length === 1 || source === undefined) return named[0]?.id;
  // A `.h` is C unless a pattern of C++ matches.
  if (named.length > 1) return isCpp(source) ? 'cpp' : 'c';
  if (/\.inc$/i.test(path)) return languageOfInclude(path, source);
  return /\.[^./\\]+$/.test(path) ? undefined : languageOfShebang(source);
}

function languageOfText(source: string): LanguageId | undefined {
  return source.startsWith('#!') ? languageOfShebang(source) : guessLanguage(source);
}

/** Whether a file is a Blade template: a page with placeholders, whose scripts contain no PHP declarations. */
function isTemplate(path: string, source: string | undefined): boolean {
  return path.endsWith('.blade.php') && source?.includes('<?php') !== true;
}

/** Whether a source matches a pattern that C cannot contain. Comments and preprocessor lines are ignored. */
function isCpp(source: string): boolean {
  const sample = sampleOf(source, Number.MAX_SAFE_INTEGER).filter((line) => !/^ ?(?:\/[/*]|\*|#)/.test(line));
  return CPP_MARKS.some((mark) => sample.some((line) => mark.test(line)));
}

const CPP_MARKS: readonly RegExp[] = [
  /^ ?(?:inline )?namespace(?: [\w:]+)? ?(?:\{|=|$)/,
  /^ ?template ?</,
  /^ ?(?:public|private|protected) ?:/,
  /^ ?class \w+\b[^;=(*]*(?:\{|:|$)/,
  /^ ?using [\w:]+(?: ?=|;)/,
  /\bstd::\w/,
  /\b(?:constexpr|noexcept|nullptr|static_cast|decltype)\b/,
  /^ ?virtual \w/,
  /\boperator ?(?:[-+*/%=<>!]|\(\))/,
];

/** Returns the language of an included file: PHP if it contains `<?`, else C or C++. Makefiles have none. */
function languageOfInclude(path: string, source: string): LanguageId | undefined {
  if (source.includes('<?')) return 'php';
  if (/(?:^|[/\\])make/i.test(path)) return undefined;
  const guess = guessLanguage(source);
  return guess === 'c' || guess === 'cpp' ? guess : undefined;
}

/** Languages by extension. A map, because it is read for every file of a tree. */
const BY_EXTENSION: ReadonlyMap<string, KnownLanguage[]> = grouped(
  languages.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
);

function languageOfShebang(source: string): LanguageId | undefined {
  if (!source.startsWith('#!')) return undefined;
  const [line = ''] = source.slice(2, 2 + SAMPLE_LINE_CHARACTERS).split('\n', 1);
  const words = line.trim().split(/\s+/);
  const command = /(?:^|\/)env$/.test(words[0] ?? '')
    ? words.slice(1).find((word) => word !== '-S')
    : words[0];
  const program = /^[\w.]*[a-z_]/i.exec(command?.split('/').at(-1) ?? '')?.[0];
  if (program === undefined) return undefined;
  return languages.find((language) => language.interpreters?.includes(program))?.id;
}

/** Guesses the language from the lines of a source; `undefined` if fewer than two patterns of a language match. */
export function guessLanguage(source: string): LanguageId | undefined {
  // Code repeats lines, closing brackets for example: each distinct line is checked once.
  return languageWithMostMarks([...new Set(sampleOf(source))]);
}

const SAMPLE_CHARACTERS = 20_000;
const SAMPLE_LINE_CHARACTERS = 300;

/**
 * Returns the lines of a source that are not blank, cut to 300 characters and with single spaces. Patterns could take
 * unlimited time on thousands of spaces or on very long lines.
 */
function sampleOf(source: string, characters = SAMPLE_CHARACTERS): string[] {
  return source
    .slice(0, characters)
    .split('\n')
    .map((line) => drawTogether(line.slice(0, SAMPLE_LINE_CHARACTERS)))
    .filter((line) => line !== '' && line !== ' ');
}

const BEGINNINGS = new Set(
  languages.flatMap(({ hints }) => hints.filter(({ source }) => source.startsWith('^'))),
);
/** Most lines begin with none of these marks: one combined pattern rules them out three times as fast. */
const ANY_BEGINNING = new RegExp([...BEGINNINGS].map(({ source }) => source).join('|'));
/** Marks of each language, those first that are found fastest. */
const ORDERED_MARKS = languages.map(({ id, hints }) => {
  return { id, hints: hints.toSorted((a, b) => Number(BEGINNINGS.has(b)) - Number(BEGINNINGS.has(a))) };
});

/** Finds the language with most marks, at least two; the earlier one wins a tie. */
function languageWithMostMarks(lines: readonly string[]): LanguageId | undefined {
  const begun = lines.filter((line) => ANY_BEGINNING.test(line));
  // Languages share marks: each is looked for once.
  const seen = new Map<RegExp, boolean>();
  const isSeen = (hint: RegExp) => {
    const found = seen.get(hint) ?? (BEGINNINGS.has(hint) ? begun : lines).some((line) => hint.test(line));
    seen.set(hint, found);
    return found;
  };
  let best: LanguageId | undefined;
  let most = 1;
  for (const { id, hints } of ORDERED_MARKS) {
    const marks = countMarks(hints, isSeen, most);
    if (marks > most) [best, most] = [id, marks];
  }
  return best;
}

/** Counts the matching patterns. Stops when the count cannot exceed `most` any more. */
function countMarks(hints: readonly RegExp[], isSeen: (hint: RegExp) => boolean, most: number): number {
  let marks = 0;
  for (const [index, hint] of hints.entries()) {
    if (marks + hints.length - index <= most) break;
    if (isSeen(hint)) marks += 1;
  }
  return marks;
}
