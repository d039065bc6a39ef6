import { readdir, readFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import type { Prose, SpecWriter } from '../parts.ts';
import type { PackageWords, SpecFacts } from '../reading/facts.ts';
import { noTokens } from './document/document-text.ts';
import { readableParagraph } from './document/interface-section.ts';
import { below, enclosingFolder, inlineCode, readable } from './document/markdown.ts';

/** Writes prose from the authors' own text. Uses no model and no network. */
export const astOnlyWriter: SpecWriter = {
  model: 'ast-only',
  write: async ({ facts }) => ({
    prose: astProse(facts),
    tokenUsage: noTokens,
    confidence: 'low',
    warnings: [],
    degraded: false,
  }),
};

export function astProse(facts: SpecFacts): Prose {
  const intent = intentOf(facts);
  return intent === '' ? {} : { intent };
}

const MAX_FILES_TOLD = 15;
const MAX_DOC_LENGTH = 400;

/** Returns the purpose of a module: the description of the package, else those of its files. */
function intentOf({ about, files, bodies }: SpecFacts): string {
  const told = files.flatMap(({ skeleton: { filePath: path } }) => {
    const words = docParagraph(bodies.get(path)?.fileDoc ?? '');
    return words === '' ? [] : [{ path, words }];
  });
  const entries = told.filter(({ path }) => ENTRY.test(path)).map(({ path }) => path.split('/').length);
  const top = Math.min(...entries);
  const isEntry = (path: string) => ENTRY.test(path) && path.split('/').length === top;
  const ofPackage = told.filter(
    ({ path, words }) => isEntry(path) || /^Package \w/.test(words) || files.length === 1,
  );
  // If the description is about a larger package, another part of the document shows it.
  const isOther = about?.isOfWhole === true || (about?.isGuess === true && ofPackage.length > 0);
  const own = about === undefined || isOther ? [] : [about];
  // In Go the package comment comes first, because the README may be about something else.
  const isGo = ofPackage.some(({ path }) => path.endsWith('.go'));
  const ofWhole = (isGo ? [...ofPackage, ...own] : [...own, ...ofPackage])
    .filter(({ words }, at, all) => all.findIndex((each) => saysSame(each.words, words)) === at)
    .map(({ path, words }) => `${words} (${inlineCode(path)})`);
  if (ofWhole.length > 0) return ofWhole.join('\n\n');
  const folder = enclosingFolder(files.map(({ skeleton }) => skeleton.filePath));
  const ofFiles = told.slice(0, MAX_FILES_TOLD);
  return ofFiles.map(({ path, words }) => `- ${inlineCode(below(folder, path))}: ${words}`).join('\n');
}

/** Whether two texts consist of nearly the same words. */
function saysSame(one: string, other: string): boolean {
  const [own, others] = [one, other].map((text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu)));
  const shared = [...(own ?? [])].filter((word) => others?.has(word)).length;
  return shared >= 0.9 * Math.max(own?.size ?? 0, others?.size ?? 0);
}

const ENTRY = /(?:^|\/)(?:index|main|mod|lib|__init__|doc|package-info)\.[^/]+$/;

/** Returns the first paragraph of a comment; empty if it begins with a tag. */
function docParagraph(doc: string): string {
  const words = readableParagraph(doc);
  if (words.startsWith('@') || FEW_WORDS.test(words)) return '';
  return words.length > MAX_DOC_LENGTH ? `${words.slice(0, MAX_DOC_LENGTH)}…` : words;
}

/** Matches one or two words, such as `not used`, which do not describe a file. */
const FEW_WORDS = /^[!-~]+(?: [!-~]+)?$/;

const MAX_DESCRIPTION_LENGTH = 600;
const README = /^readme(?:\.(?:md|markdown|rst|txt|adoc))?$/i;
const JSON_DESCRIPTION = /"description"\s*:\s*"((?:[^"\\]|\\.)+)"/;
const TOML_DESCRIPTION = /^description\s*=\s*(?:""\s{0,9})?"((?:[^"\\]|\\.)+)"/m;
const DESCRIPTIONS: readonly [name: RegExp, pattern: RegExp][] = [
  [/^(?:package|composer)\.json$/, JSON_DESCRIPTION],
  [/^(?:Cargo|pyproject)\.toml$/, TOML_DESCRIPTION],
  [/^setup\.(?:py|cfg)$/, /^[ \t]{0,20}description[ \t]{0,9}=[ \t]{0,9}["']?([^"'\n,]{10,300})/m],
  [/^CMakeLists\.txt$/, /\bproject\s*\([^)]{0,400}?\bDESCRIPTION\s+"([^"]{10,300})"/],
  [/\.(?:gem|pod)spec$/, /\.(?:description|summary)\s*=\s*["'%]\s*[qQ]?[({]?([^"')}\n]{10,})/],
  [/^pom\.xml$/, /<description>([^<]+)<\/description>/],
  [/^gradle\.properties$/, /^POM_DESCRIPTION[ \t]{0,9}=([^\n]{1,600})/m],
  [/^build\.gradle(?:\.kts)?$/, /^description[ \t=]{1,9}["']([^"'\n]+)["']/m],
  [/\.(?:cs|fs)proj$/, /<Description>([^<]+)<\/Description>/],
];
const NAMES: readonly [name: string, pattern: RegExp][] = [
  ['package.json', /^\s{0,8}"name"\s*:\s*"([^"\n]+)"/m],
  ['composer.json', /^\s{0,8}"name"\s*:\s*"([^"\n]+)"/m],
  ['Cargo.toml', /^name\s*=\s*"([^"\n]+)"/m],
  ['pyproject.toml', /^name\s*=\s*"([^"\n]+)"/m],
  ['go.mod', /^module\s+(\S+)/m],
];

/** Reads the name of the project from its manifest. */
export async function readPackageName(base: string): Promise<string | undefined> {
  for (const [name, pattern] of NAMES) {
    const found = pattern.exec(await textOf(base, '.', name))?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Matches text that begins and ends like a sentence. */
const SENTENCE = /^[\p{L}\p{N}`*_"'([].*[.!?:。！？：]["'`)*_\]]{0,4}$/su;

/**
 * Reads the purpose of a folder from a README or manifest in the folder or above it. If the text describes a
 * larger package, `isOfWhole` is set.
 */
export async function readPackageDescription(
  base: string,
  folder: string,
): Promise<PackageWords | undefined> {
  for (const at of foldersFrom(folder)) {
    const names = await readdir(join(base, at)).catch(() => []);
    const words = await wordsIn(base, at, names);
    if (words !== undefined) return isMainSource(folder, at) ? words : { ...words, isOfWhole: true };
  }
  return undefined;
}

function foldersFrom(folder: string): string[] {
  const above = posix.dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}

const SOURCE_FOLDER = /^(?:src|lib|source|Sources|main|java|kotlin|scala|app)$/;

/**
 * Whether a folder contains the main sources of the package at `at`, so that the description of the package
 * applies: `gson/src/main/java/…` for `gson`, `src/click` for `click`.
 */
function isMainSource(folder: string, at: string): boolean {
  const below = posix.relative(at, folder);
  if (below === '' || /(?:^|\/)src\/(?:main|\w{1,40}Main)\/(?:java|kotlin|scala)\//.test(`${below}/`))
    return true;
  const rest = below.split('/').filter((part) => !SOURCE_FOLDER.test(part));
  const isSource = rest.length < below.split('/').length;
  return rest.length === 0 || (rest.length === 1 && isSource);
}

/** Returns the description in a manifest, else the first suitable paragraph of a README. */
async function wordsIn(
  base: string,
  folder: string,
  names: readonly string[],
): Promise<PackageWords | undefined> {
  const told = await wordsInManifests(base, folder, names);
  if (told !== undefined) return told;
  for (const name of names.filter((each) => README.test(each)).sort()) {
    const words = readmeWords(await textOf(base, folder, name), basename(join(base, folder)));
    if (words !== undefined) return { path: posix.join(folder, name), ...words };
  }
  return undefined;
}

async function wordsInManifests(
  base: string,
  folder: string,
  names: readonly string[],
): Promise<PackageWords | undefined> {
  for (const [file, pattern] of DESCRIPTIONS)
    for (const name of names.filter((each) => file.test(each))) {
      const words = pattern
        .exec(await textOf(base, folder, name))?.[1]
        ?.replace(/\s+/g, ' ')
        .trim();
      if (words !== undefined && words !== '') return { path: posix.join(folder, name), words };
    }
  return undefined;
}

async function textOf(base: string, folder: string, name: string): Promise<string> {
  return readFile(join(base, folder, name), 'utf8').then(redactSecrets, () => '');
}

/** Headings of a README that begin instructions. The text before them says what the project is. */
const INSTRUCTIONS =
  /^(?:#{1,4} +.{0,20}?\b(?:install\w*|usage|using|quick ?start|getting started|(?:table of )?contents|examples?|requirements|documentation|docs|api|licen[cs]e|contributing|changelog|building|setup)\b|(?:installation|usage|quick ?start|getting started|examples?|documentation)\n[=~-]{3,})/im;

/**
 * Returns the paragraph of a README that defines the project, preferably from before the instructions, or
 * else the first sentence. Skips titles, badges, pictures, quotes, lists, tables, markup, notices and advice.
 */
function readmeWords(readme: string, folder: string): Omit<PackageWords, 'path'> | undefined {
  const text = withoutDirectives(withoutCode(readme));
  const opening = proseIn(text.slice(0, INSTRUCTIONS.exec(text)?.index));
  const title = /^#{1,2} +([\p{L}\p{N}_.-]+)|^([\p{L}\p{N}_.-]+)\n={3}/mu.exec(text) ?? [];
  const names = [title[1] ?? title[2] ?? folder, folder];
  const definition =
    opening.slice(0, MAX_PARAGRAPHS).find((each) => isSentence(each) && defines(each, names)) ??
    proseIn(text).find((each) => isSentence(each) && THIS_PROJECT.test(each));
  const quoted = /^> *(?!\[!)(\p{L}[^\n]{9,300})(?=\n\n|\n?$)/mu.exec(text.slice(0, MAX_QUOTE_OFFSET))?.[1];
  const chosen =
    definition ??
    opening.find(isSentence) ??
    opening.find((each) => /^[*_`]{0,3}\p{L}/u.test(each)) ??
    quoted ??
    SLOGAN.exec(text)?.[1];
  const words = shown(chosen);
  if (words === undefined) return undefined;
  const isGuess = definition === undefined && (chosen !== opening[0] || RELEASE_LINE.test(text));
  return { words, ...(isGuess && { isGuess }) };
}

/** Matches `This is a parser` and `This library reads boxes`. */
const THIS_PROJECT =
  /^\W{0,3}this (?:is an?|package|library|project|module|repository|repo|gem|crate|tool) /i;
/** Matches a title of at least four words that describes the project: `Portable validations for Kotlin`. */
const SLOGAN = /^# ((?:[\p{L}\p{N}'-]{1,40} ){2,8}(?:for|of|in|to|with) [^\n]{2,80})$/mu;
/** Maximum offset at which a quote may describe the project. */
const MAX_QUOTE_OFFSET = 1_500;
const VERB = /\b(?:is|are|provides|sends|lets|allows|helps|implements|can be used)\b/;

/** Maximum offset of the name in a paragraph that defines it: `The command-line tool Fastify is …`. */
const MAX_LEAD = 40;

/** Whether a paragraph defines the project, as `Fastify is a web framework` does. */
function defines(paragraph: string, names: readonly string[]): boolean {
  if (THIS_PROJECT.test(paragraph) || /^\W{0,3}an? /i.test(paragraph)) return true;
  const head = paragraph.slice(0, MAX_LEAD).toLowerCase();
  return (
    !/^(?:if|when|by|to|in|for)\b/.test(head) &&
    VERB.test(paragraph) &&
    names.some((name) => name.length > 1 && head.includes(name.toLowerCase()))
  );
}

/** Removes reStructuredText directives, such as `.. caution::`, with their indented text. */
function withoutDirectives(text: string): string {
  let isDirective = false;
  const lines = text.split('\n').filter((line) => {
    isDirective = /^\.\. [\w-]{1,60}::/.test(line) || (isDirective && /^(?:\s|$)/.test(line));
    return !isDirective || line === '';
  });
  return lines.join('\n');
}

function shown(paragraph: string | undefined): string | undefined {
  const flat = paragraph === undefined ? undefined : readable(withoutLinks(withoutBadges(paragraph)));
  return flat === undefined || flat.length <= MAX_DESCRIPTION_LENGTH
    ? flat
    : `${flat.slice(0, MAX_DESCRIPTION_LENGTH - 1)}…`;
}

/** Replaces links by their text, and removes marks of bold text. */
function withoutLinks(paragraph: string): string {
  return paragraph
    .replace(/\[([^[\]]{1,200})\]\([^()\s]{1,500}\)/g, '$1')
    .replace(/\*\*([^*\n]{1,200})\*\*/g, '$1');
}

function proseIn(text: string): string[] {
  const paragraphs = text.split(/\r?\n(?:[^\S\n]*\n)+/).map((each) => withoutTitle(each.trim()));
  return paragraphs
    .filter((each) => /\p{L}/u.test(each.replace(BADGE, '')))
    .map(withoutBadges)
    .filter(
      (each) =>
        !/^(?:#|!?\[!?|<|>|[-*+] |\||```|\.\. |={3}|-{3}|\[|:\w)/.test(each) &&
        !/\n[=~-]{3,}$/.test(each) &&
        /\p{L}{2}\S{0,80}\s.{0,40}?\p{L}/u.test(each) &&
        !ADVICE.test(each) &&
        !RELEASE.test(each),
    );
}

const BADGE = /\[!\[[^\]]{0,200}\]\([^)]{0,500}\)\]\([^)]{0,500}\)|!\[[^\]]{0,200}\]\([^)]{0,500}\)/g;

/** Replaces badges by their text: `[![Pure Kotlin](…)](…)` becomes `Pure Kotlin`. */
function withoutBadges(paragraph: string): string {
  return paragraph
    .replace(/\[!\[([^\]]{0,200})\]\([^)]{0,500}\)\]\([^)]{0,500}\)/g, '$1')
    .replace(/!\[([^\]]{0,200})\]\([^)]{0,500}\)/g, '$1');
}

/** Whether a paragraph begins and ends like a sentence. A link `[words][label]` counts as its words. */
function isSentence(paragraph: string): boolean {
  return SENTENCE.test(paragraph.replace(/\[([^[\]]{1,300})\]\[[^[\]]{0,100}\]/g, '$1'));
}

/** Matches a sentence about a release, such as `box v3 is a major upgrade`. */
const RELEASE =
  /^.{0,60}\bis (?:an?|the) (?:\w+ ){0,2}(?:upgrade|release|rewrite|version|update|successor|fork)\b/;
const RELEASE_LINE = new RegExp(RELEASE, 'm');

/** Matches notices and instructions, which do not say what the project is. */
const ADVICE =
  /^\W{0,5}(?:simply|just|please|you can|to \w+|if you|make sure|check|see|note|warning|important|migrating|looking for|want to|follow the|visit|join|click|before you|include|install|download|clone|add|run|copy|open|read)\b(?!-)/i;

/** Removes code blocks, because comments in them look like titles. */
function withoutCode(text: string): string {
  let isCode = false;
  const lines = text.split('\n').filter((line) => {
    const isFence = /^\s{0,3}(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return !isFence && !isCode;
  });
  return lines.join('\n');
}

const MAX_PARAGRAPHS = 8;

/** Removes a heading at the start of a paragraph: a line that begins with `#`, or one that is underlined. */
function withoutTitle(paragraph: string): string {
  return paragraph
    .replace(/^[^\n]*\n[=~-]{3,}[^\S\n]*(?:\n|$)/, '')
    .replace(/^#{1,6} [^\n]*(?:\n|$)/, '')
    .trim();
}
