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

/** All languages. If several match a text equally well, the first of them is guessed. */
export const languages: readonly KnownLanguage[] = (Object.keys(LANGUAGES) as LanguageId[]).map((id) => {
  return { id, extensions: parsedExtensions[id], ...LANGUAGES[id] };
});

export function languageById(id: string): KnownLanguage | undefined {
  return languages.find((language) => language.id === id);
}

/** Returns the language of a file by its name, else by its first line. Without a path, uses the whole text. */
export function detectLanguage({ path, source }: { path?: string; source?: string }): LanguageId | undefined {
  if (path === undefined) return source === undefined ? undefined : languageOfText(source);
  if (isTemplate(path, source)) return undefined;
  const named = BY_EXTENSION.get(extensionOf(path)) ?? [];
  if (named.length === 1 || source === undefined) return named[0]?.id;
  if (named.length > 1) return languageOfHeader(source);
  if (/\.inc$/i.test(path)) return languageOfInclude(path, source);
  return /\.[^./\\]+$/.test(path) ? undefined : languageOfShebang(source);
}

function languageOfText(source: string): LanguageId | undefined {
  return source.startsWith('#!') ? languageOfShebang(source) : guessLanguage(source);
}

/** Whether a file is a Blade template. Templates are HTML pages without PHP declarations. */
function isTemplate(path: string, source: string | undefined): boolean {
  return path.endsWith('.blade.php') && source?.includes('<?php') !== true;
}

/** Whether a source contains syntax that C does not have. Comments and preprocessor lines are ignored. */
function isCpp(source: string): boolean {
  const sample = sampleOf(source, Number.MAX_SAFE_INTEGER).filter((line) => !/^ ?(?:\/[/*]|\*|#)/.test(line));
  return CPP_MARKS.some((mark) => sample.some((line) => mark.test(line)));
}

/** Returns the language of a `.h` file: C unless a pattern of C++ matches. No parser reads Objective-C. */
function languageOfHeader(source: string): LanguageId | undefined {
  if (OBJECTIVE_C.test(source)) return undefined;
  return isCpp(source) ? 'cpp' : 'c';
}

/** Matches lines that only Objective-C has. */
const OBJECTIVE_C = /^(?:@(?:interface|protocol|class|import|property|end)\b|NS_ASSUME_NONNULL_BEGIN\b)/m;

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

/** Returns the language of an `.inc` file: PHP if it contains `<?`, else C or C++; `undefined` for a makefile. */
function languageOfInclude(path: string, source: string): LanguageId | undefined {
  if (source.includes('<?')) return 'php';
  if (/(?:^|[/\\])make/i.test(path)) return undefined;
  const guess = guessLanguage(source);
  return guess === 'c' || guess === 'cpp' ? guess : undefined;
}

/** Languages by file extension. A map, because it is looked up for every file of a tree. */
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

/** Guesses the language from the lines of a source. `undefined` if fewer than two patterns of any language match. */
export function guessLanguage(source: string): LanguageId | undefined {
  // Repeated lines, such as closing brackets, are checked once.
  return languageWithMostMarks([...new Set(sampleOf(source))]);
}

const SAMPLE_CHARACTERS = 20_000;
const SAMPLE_LINE_CHARACTERS = 300;

/**
 * Returns the non-blank lines of a source, with single spaces and at most 300 characters. Otherwise patterns
 * could take very long on thousands of spaces or on long lines.
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
/** Matches the beginning of any mark. Most lines have none, and one combined pattern excludes them three times as fast. */
const ANY_BEGINNING = new RegExp([...BEGINNINGS].map(({ source }) => source).join('|'));
/** Patterns of each language. Those that are found fastest come first. */
const ORDERED_MARKS = languages.map(({ id, hints }) => {
  return { id, hints: hints.toSorted((a, b) => Number(BEGINNINGS.has(b)) - Number(BEGINNINGS.has(a))) };
});

/** Returns the language with the most matching patterns, which must be two or more. In a tie the first language wins. */
function languageWithMostMarks(lines: readonly string[]): LanguageId | undefined {
  const begun = lines.filter((line) => ANY_BEGINNING.test(line));
  // Several languages share patterns, so each result is stored.
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

/** Counts the matching patterns. Stops when the count can no longer exceed `most`. */
function countMarks(hints: readonly RegExp[], isSeen: (hint: RegExp) => boolean, most: number): number {
  let marks = 0;
  for (const [index, hint] of hints.entries()) {
    if (marks + hints.length - index <= most) break;
    if (isSeen(hint)) marks += 1;
  }
  return marks;
}
