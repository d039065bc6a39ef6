import { readdir, readFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import type { Prose, SpecWriter } from '../parts.ts';
import type { FileFacts, PackageWords, SpecFacts } from '../reading/facts.ts';
import { noTokens } from './document/document-text.ts';
import { firstSentence, readableParagraph } from './document/interface-section.ts';
import { below, enclosingFolder, inlineCode, readable } from './document/markdown.ts';

/** Writes prose from the text of the authors alone. Uses no model and no network. */
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

/**
 * Returns the purpose of a module: the description of the package first, then those of its files. A
 * description that comes from a declaration names it.
 */
function intentOf({ about, files, bodies, ranks }: SpecFacts): string {
  const told = files.flatMap(({ skeleton: { filePath: path } }) => {
    const doc = bodies.get(path)?.fileDoc;
    const words = docParagraph(doc ?? '');
    return words === '' ? [] : [{ path, words }];
  });
  const ofPackage = told.filter(
    ({ path, words }) => ENTRY.test(path) || /^Package \w/.test(words) || files.length === 1,
  );
  const known = new Set(told.map(({ path }) => path));
  const main = files.flatMap((file) => (known.has(file.skeleton.filePath) ? [] : mainDeclaration(file)));
  const weight = (path: string) =>
    (bodies.get(path)?.functions ?? []).reduce((most, { name }) => Math.max(most, ranks.of(path, name)), 0);
  const folder = enclosingFolder(files.map(({ skeleton }) => skeleton.filePath));
  const ofFiles = [...told.filter((each) => !ofPackage.includes(each)), ...main]
    .sort((one, other) => weight(other.path) - weight(one.path))
    .slice(0, MAX_FILES_TOLD);
  // A description of the whole package is rendered elsewhere in the document.
  const own = about?.isOfWhole === true ? undefined : about;
  return [
    ...[...(own === undefined ? [] : [own]), ...ofPackage].map(
      ({ path, words }) => `${words} (${inlineCode(path)})`,
    ),
    ofFiles.map(({ path, words }) => `- ${inlineCode(below(folder, path))}: ${words}`).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const MAIN_KINDS: ReadonlySet<string> = new Set('class interface struct trait enum function type'.split(' '));

/** Returns the description of the declaration that a file is named after: `Logger` in `Logger.php`. */
function mainDeclaration({
  skeleton: { filePath: path, exports },
}: FileFacts): { path: string; words: string }[] {
  const stem = plain(basename(path).replace(/\.[^.]*$/, ''));
  const main = exports.find(
    ({ name, kind, jsDoc }) =>
      jsDoc !== null && MAIN_KINDS.has(kind) && plain(name.split(/[.:\\]/).at(-1) ?? '') === stem,
  );
  const words = firstSentence(docParagraph(main?.jsDoc ?? ''));
  return main === undefined || words === '' ? [] : [{ path, words: `${inlineCode(main.name)}: ${words}` }];
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

const ENTRY = /(?:^|\/)(?:index|main|mod|lib|__init__|doc|package-info)\.[^/]+$/;

/** Returns the first paragraph of a comment; empty if it begins with a tag. */
function docParagraph(doc: string): string {
  const words = readableParagraph(doc);
  if (words.startsWith('@')) return '';
  return words.length > MAX_DOC_LENGTH ? `${words.slice(0, MAX_DOC_LENGTH)}…` : words;
}

const MAX_DESCRIPTION_LENGTH = 600;
const README = /^readme(?:\.(?:md|markdown|rst|txt|adoc))?$/i;
const JSON_DESCRIPTION = /"description"\s*:\s*"((?:[^"\\]|\\.)+)"/;
const TOML_DESCRIPTION = /^description\s*=\s*"((?:[^"\\]|\\.)+)"/m;
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

/** Text that begins and ends like a sentence. */
const SENTENCE = /^[\p{L}\p{N}`*_"'([].*[.!?:。！？：]["'`)*_\]]{0,4}$/su;

/**
 * Reads the purpose of a folder from the README or manifest in it or in a folder above. If these describe a
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
 * Whether a folder is the main source of the package at `at`, so that the package's description applies to
 * it: `gson/src/main/java/…` for `gson`, `src/click` for a project `click`.
 */
function isMainSource(folder: string, at: string): boolean {
  const below = posix.relative(at, folder);
  if (below === '' || /(?:^|\/)src\/(?:main|\w{1,40}Main)\/(?:java|kotlin|scala)\//.test(`${below}/`))
    return true;
  const rest = below.split('/').filter((part) => !SOURCE_FOLDER.test(part));
  const isSource = rest.length < below.split('/').length;
  return rest.length === 0 || (rest.length === 1 && isSource);
}

async function wordsIn(
  base: string,
  folder: string,
  names: readonly string[],
): Promise<PackageWords | undefined> {
  const readmes = names.filter((each) => README.test(each)).sort();
  const title = basename(join(base, folder));
  const fromReadme = async (reach: 'opening' | 'all'): Promise<PackageWords | undefined> => {
    for (const name of readmes) {
      const words = readmeParagraph(await textOf(base, folder, name), title, reach);
      if (words !== undefined) return { path: posix.join(folder, name), words };
    }
    return undefined;
  };
  return (
    (await fromReadme('opening')) ??
    (await wordsInManifests(base, folder, names)) ??
    (await fromReadme('all'))
  );
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

/** Headings of a README that begin instructions, after the part that says what the project is. */
const INSTRUCTIONS =
  /^(?:#{1,4} +.{0,20}?\b(?:install\w*|usage|using|quick ?start|getting started|(?:table of )?contents|examples?|requirements|documentation|docs|api|licen[cs]e|contributing|changelog|building|setup)\b|(?:installation|usage|quick ?start|getting started|examples?|documentation)\n[=~-]{3,})/im;

/**
 * Returns the paragraph of a README that describes the project. Titles, badges, pictures, quotes, lists,
 * tables, markup and advice are skipped. A sentence that defines the project is preferred, then any sentence.
 */
function readmeParagraph(readme: string, folder: string, reach: 'opening' | 'all'): string | undefined {
  const text = withoutCode(readme);
  const opening = proseIn(text.slice(0, reach === 'all' ? undefined : INSTRUCTIONS.exec(text)?.index));
  const title = /^#{1,2} +([\p{L}\p{N}_.-]+)|^([\p{L}\p{N}_.-]+)\n={3}/mu.exec(text) ?? [];
  const names = [title[1] ?? title[2] ?? folder, folder];
  const chosen =
    opening.slice(0, MAX_PARAGRAPHS).find((each) => isSentence(each) && defines(each, names)) ??
    opening.find((each) => isSentence(each)) ??
    opening[0];
  const flat = chosen === undefined ? undefined : readable(withoutBadges(chosen));
  return flat === undefined || flat.length <= MAX_DESCRIPTION_LENGTH
    ? flat
    : `${flat.slice(0, MAX_DESCRIPTION_LENGTH - 1)}…`;
}

function proseIn(text: string): string[] {
  const paragraphs = text.split(/\r?\n(?:[^\S\n]*\n)+/).map((each) => withoutTitle(each.trim()));
  return paragraphs
    .map(withoutBadges)
    .filter(
      (each) =>
        !/^(?:#|!?\[!?|<|>|[-*+] |\||```|\.\. |={3}|-{3}|\[|:\w)/.test(each) &&
        !/\n[=~-]{3,}$/.test(each) &&
        /\p{L}{2}\S{0,80}\s.{0,40}?\p{L}/u.test(each) &&
        !isAdvice(each) &&
        !isNavigation(each),
    );
}

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

/** Whether a paragraph is a notice in bold or an instruction, neither of which says what the project is. */
function isAdvice(paragraph: string): boolean {
  return /^(?:\*\*[^*]+\*\*|__[^_]+__)$/.test(paragraph) || ADVICE.test(paragraph.replace(/^[*_\W]+/, ''));
}

/** Whether a paragraph contains little more than links: `[Docs](…) • [Start](…)`. */
function isNavigation(paragraph: string): boolean {
  const links = paragraph.match(/\[[^\]]{1,200}\]\([^)]{1,500}\)/g) ?? [];
  const rest = links.reduce((text, link) => text.replace(link, ''), paragraph);
  return links.length >= 2 && (rest.match(/\p{L}{2,}/gu) ?? []).length < links.length;
}

const ADVICE =
  /^(?:simply|just|please|you can|to \w+|if you|make sure|check (?:out|the)|see|note|warning|important|migrating|looking for|want to|follow the|visit|join (?:us|the)|click|before you|include|install|download|clone|(?:add|run|copy|open|read) (?:the|this|it)|this (?:package|library|project|module|repository|repo) (?:is (?:compliant|licensed|released|maintained|tested|no longer|not|deprecated|archived|now)|complies|follows|requires|uses|supports|adheres|was))\b(?!-)/i;

/** Removes code blocks, whose comments look like titles. */
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

/** Maximum offset in a paragraph of the name it defines: `The command-line tool Fastify is …`. */
const MAX_LEAD = 40;

/** Whether a paragraph defines one of the names: `Fastify is a web framework`. */
function defines(paragraph: string, names: readonly string[]): boolean {
  const words = paragraph.toLowerCase();
  return names.some((name) => {
    const at = name.length > 1 ? words.indexOf(name.toLowerCase()) : -1;
    const isEarly = at !== -1 && at <= MAX_LEAD && !/^(?:if|when|by|to|in|for)\b/.test(words);
    return isEarly && /\b(?:is|are|provides|sends|lets|allows|helps|implements)\b/.test(words.slice(at));
  });
}

/**
 * Removes a heading at the start of a paragraph: a title with its underline, or a line that begins with `#`.
 */
function withoutTitle(paragraph: string): string {
  return paragraph
    .replace(/^[^\n]*\n[=~-]{3,}[^\S\n]*(?:\n|$)/, '')
    .replace(/^#{1,6} [^\n]*(?:\n|$)/, '')
    .trim();
}
