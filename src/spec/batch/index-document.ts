import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileFacts } from '../reading/facts.ts';
import type { ReadingParts } from '../reading-parts.ts';
import { type Words, wordsOf } from '../words.ts';
import { diagramOf } from '../writing/document/diagram.ts';
import {
  type Confidence,
  type FrontMatter,
  foreignLines,
  nextVersion,
  noTokens,
  readFrontMatter,
  renderFrontMatter,
} from '../writing/document/front-matter.ts';
import { type FreshText, type MergedText, mergeHumanWords } from '../writing/document/human-words.ts';
import { blocks, inlineCode, table } from '../writing/document/markdown.ts';
import { saveText } from '../writing/save-spec.ts';
import { type KnownSpec, readKnownSpecs } from './known-spec.ts';
import { type BatchPlan, INDEX_NAME } from './plan.ts';

/** The map over all modules, rendered from what lies on disk after the run; written only when it says something new. */
export async function saveIndex(
  plan: BatchPlan,
  { clock, version: toolVersion }: Pick<ReadingParts, 'clock' | 'version'>,
): Promise<boolean> {
  if (plan.modules.length === 0) return false;
  const specs = await readKnownSpecs(plan.outputDir, plan.modules);
  const previous = await readFile(join(plan.outputDir, INDEX_NAME), 'utf8').catch(() => undefined);
  const merged = mergeHumanWords(freshIndex(plan, specs), previous, wordsOf[plan.language]);
  const render = (version: string, lastUpdated: string) => {
    const matter = { ...matterOf(plan, specs, merged), toolVersion, version, lastUpdated };
    return `${blocks(renderFrontMatter(matter, foreignLines(previous ?? '')), merged.body)}\n`;
  };
  const { version = '', lastUpdated = '' } = readFrontMatter(previous ?? '');
  if (render(version, lastUpdated) === previous) return true;
  const text = render(nextVersion(previous), new Date(clock.now()).toISOString());
  await saveText(plan.outputDir, INDEX_NAME, text);
  return true;
}

type IndexMatter = Omit<FrontMatter, 'toolVersion' | 'version' | 'lastUpdated'>;

function matterOf(
  { modules, root, language }: BatchPlan,
  specs: ReadonlyMap<string, KnownSpec>,
  { sectionHashes }: MergedText,
): IndexMatter {
  const hashes = modules.map(({ origins }) => origins.skeletonHash).sort();
  return {
    type: 'index-spec',
    sourceTarget: root.label,
    relatedFiles: modules.map(({ specName }) => specName),
    confidence: lowest([...specs.values()]),
    skeletonHash: createHash('sha256').update(hashes.join('\n')).digest('hex'),
    model: 'none',
    language,
    tokenUsage: noTokens,
    sections: sectionHashes,
  };
}

function freshIndex({ modules, language }: BatchPlan, specs: ReadonlyMap<string, KnownSpec>): FreshText {
  const words = wordsOf[language];
  const edges = modules.flatMap(({ label, dependsOn, circle = [] }) =>
    [...dependsOn, ...circle].map((to) => ({ from: label, to })),
  );
  const graph = diagramOf({ nodes: modules.map(({ label }) => label), edges }, words);
  return {
    title: `# ${words.indexTitle}`,
    sections: [
      {
        id: 'modules',
        title: words.sections.modules,
        body: blocks(words.indexIntro(modules.length), moduleTable(modules, specs, words)),
      },
      { id: 'moduleGraph', title: words.sections.moduleGraph, body: graph },
    ],
  };
}

/** Nothing in it changes without a change of what a module is: counts of lines would rewrite the index every day. */
function moduleTable(
  modules: BatchPlan['modules'],
  specs: ReadonlyMap<string, KnownSpec>,
  words: Words,
): string {
  const { columns, sections, notWritten, noIntent, noWordsOnWhole } = words;
  const rows = modules.map(({ label, files, specName }) => {
    const spec = specs.get(label);
    const exports = files.reduce((sum, { skeleton }) => sum + skeleton.exports.length, 0);
    const link = spec === undefined ? inlineCode(label) : `[${inlineCode(label)}](<${encodeURI(specName)}>)`;
    const state = spec?.confidence ?? notWritten;
    const isSilent =
      spec === undefined || spec.intent === '' || spec.intent === noIntent || spec.intent === noWordsOnWhole;
    return [link, `${files.length}`, `${exports}`, state, isSilent ? declaredIn(files, words) : spec.intent];
  });
  const { module, fileCount, exports, confidence } = columns;
  return table([module, fileCount, exports, confidence, sections.intent], rows);
}

const NAMES_SHOWN = 5;

/** Where nobody wrote what a module is for, its own names say most; those of the upper folders first. */
function declaredIn(files: readonly FileFacts[], { declares, listComma }: Words): string {
  const depth = ({ skeleton }: FileFacts) => skeleton.filePath.split('/').length;
  const names = files
    .toSorted((one, other) => depth(one) - depth(other))
    .flatMap(({ skeleton }) => skeleton.exports.filter(({ name }) => name !== '*'))
    .map(({ name }) => name);
  const distinct = [...new Set(names)];
  if (distinct.length === 0) return '';
  const more = distinct.length > NAMES_SHOWN ? ' …' : '';
  return declares(distinct.slice(0, NAMES_SHOWN).map(inlineCode).join(listComma)) + more;
}

const CONFIDENCES: readonly Confidence[] = ['low', 'medium', 'high'];

function lowest(specs: readonly KnownSpec[]): Confidence {
  return CONFIDENCES.find((level) => specs.some(({ confidence }) => confidence === level)) ?? 'low';
}
