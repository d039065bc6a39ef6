import type { SpecFacts } from '../reading/facts.ts';
import type { SpecWriter } from '../writer.ts';
import { noTokens } from './document/front-matter.ts';
import { inlineCode } from './document/markdown.ts';
import type { Prose } from './prose.ts';

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

/** Words about the package first, then about its files; a comment on a declaration is about the declaration. */
function intentOf({ about, files, bodies }: SpecFacts): string {
  const told = files.flatMap(({ skeleton: { filePath: path } }) => {
    const doc = bodies.get(path)?.fileDoc;
    return doc === undefined ? [] : [{ path, words: firstParagraph(doc) }];
  });
  const ofPackage = told.filter(
    ({ path, words }) => ENTRY.test(path) || /^Package \w/.test(words) || files.length === 1,
  );
  const ofFiles = told.filter((each) => !ofPackage.includes(each)).slice(0, MAX_FILES_TOLD);
  return [
    ...[...(about === undefined ? [] : [about]), ...ofPackage].map(
      ({ path, words }) => `${words} (${inlineCode(path)})`,
    ),
    ofFiles.map(({ path, words }) => `- ${inlineCode(path)}: ${words}`).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const ENTRY = /(?:^|\/)(?:index|main|mod|lib|__init__|doc|package-info)\.[^/]+$/;

/** Tags and examples are for tools and callers. */
function firstParagraph(doc: string): string {
  const words = (doc.split(/\n[^\S\n]{0,200}[\n@]/)[0] ?? '')
    .replace(/\s+/g, ' ')
    .replace(/<!--/g, '&lt;!--')
    .trim();
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}…` : words;
}
