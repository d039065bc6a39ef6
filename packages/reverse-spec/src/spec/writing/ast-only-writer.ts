import { basename } from 'node:path';
import { withoutXml } from '@secateur/base/text/doc-words.ts';
import type { FileFacts, SpecFacts } from '../reading/facts.ts';
import type { Prose, SpecWriter } from '../writer.ts';
import { noTokens } from './document/front-matter.ts';
import { firstSentence } from './document/interface-section.ts';
import { inlineCode, readable } from './document/markdown.ts';
import { below, enclosingFolder } from './spec-paths.ts';

/** Says what the authors themselves wrote about the target; the rest of a document are facts. No network, no guesses. */
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
const MAX_WORDS = 400;

/** Words about the package first, then about its files; words about one declaration name it. */
function intentOf({ about, files, bodies, ranks }: SpecFacts): string {
  const told = files.flatMap(({ skeleton: { filePath: path } }) => {
    const doc = bodies.get(path)?.fileDoc;
    const words = firstParagraph(doc ?? '');
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
  // Words about a whole package are put in the frame of the document.
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

const MAIN_KINDS: ReadonlySet<string> = new Set([
  'class',
  'interface',
  'struct',
  'trait',
  'enum',
  'function',
  'type',
]);

/** The declaration a file is named after: `Logger` of `Logger.php`. */
function mainDeclaration({
  skeleton: { filePath: path, exports },
}: FileFacts): { path: string; words: string }[] {
  const stem = plain(basename(path).replace(/\.[^.]*$/, ''));
  const main = exports.find(
    ({ name, kind, jsDoc }) =>
      jsDoc !== null && MAIN_KINDS.has(kind) && plain(name.split(/[.:\\]/).at(-1) ?? '') === stem,
  );
  const words = firstSentence(firstParagraph(main?.jsDoc ?? ''));
  return main === undefined || words === '' ? [] : [{ path, words: `${inlineCode(main.name)}: ${words}` }];
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

const ENTRY = /(?:^|\/)(?:index|main|mod|lib|__init__|doc|package-info)\.[^/]+$/;

/** Tags and examples are for tools and callers. */
function firstParagraph(doc: string): string {
  const words = readable(withoutXml(doc).split(/\n[^\S\n]{0,200}[\n@]/)[0] ?? '').replace(/<!--/g, '&lt;!--');
  if (words.startsWith('@')) return '';
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}…` : words;
}
