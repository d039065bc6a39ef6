import type { SpecFacts } from '../reading/facts.ts';
import type { Words } from '../words.ts';
import { renderDiagram } from './document/diagram.ts';
import { type FrontMatter, foreignLines, renderFrontMatter } from './document/front-matter.ts';
import { type FreshText, mergeHumanWords } from './document/human-words.ts';
import { renderInterface } from './document/interface-section.ts';
import { blocks, inlineCode, tameProse } from './document/markdown.ts';
import { type PublicFacts, publicFacts } from './document/public-facts.ts';
import { renderCriteria } from './document/section-facts/acceptance-criteria.ts';
import { renderConstraints, renderEdgeCases } from './document/section-facts/body-sections.ts';
import { renderBusinessLogic } from './document/section-facts/business-logic.ts';
import { renderDataStructures } from './document/section-facts/data-structures.ts';
import { renderDependencies } from './document/section-facts/dependencies.ts';
import { renderFileList } from './document/section-facts/file-list.ts';
import { renderTechnicalDebt } from './document/section-facts/technical-debt.ts';
import { renderTestCoverage } from './document/section-facts/test-coverage.ts';
import { sectionIds } from './document/section-ids.ts';
import type { Prose } from './prose.ts';

export interface SpecDocument {
  frontMatter: Omit<FrontMatter, 'sections'>;
  facts: SpecFacts;
  prose: Prose;
  words: Words;
  /** For those who want it inside the document. */
  embeddedBaseline: string;
}

/**
 * The whole Markdown text. Facts come from the parser alone; prose is the writer's; what people wrote into the document
 * before it stays; warnings speak of it.
 */
export function renderDocument(
  document: SpecDocument,
  previous: string | undefined,
): { text: string; warnings: string[] } {
  const { frontMatter, words, embeddedBaseline } = document;
  const merged = mergeHumanWords(freshText(document), previous, words);
  const foreign = foreignLines(previous ?? '');
  const matter = renderFrontMatter({ ...frontMatter, sections: merged.sectionHashes }, foreign);
  return { text: `${blocks(matter, merged.body, embeddedBaseline)}\n`, warnings: merged.warnings };
}

function freshText({ facts, prose, words, frontMatter }: SpecDocument): FreshText {
  const open = publicFacts(facts);
  const parts: Record<(typeof sectionIds)[number], string[]> = {
    intent: [
      said(prose.intent),
      wordsOnWhole(facts, words) || (said(prose.intent) === '' ? noIntent(facts, words) : ''),
    ],
    interface: [renderInterface(open.facts, words), notReachable(open, words)],
    businessLogic: [said(prose.businessLogic), renderBusinessLogic(open, words)],
    dataStructures: [said(prose.dataStructures), renderDataStructures(facts, words)],
    constraints: [said(prose.constraints), renderConstraints(facts, words)],
    edgeCases: [
      said(prose.edgeCases),
      renderEdgeCases(facts, words),
      frontMatter.criteria ? renderCriteria(facts, words) : '',
    ],
    technicalDebt: [said(prose.technicalDebt), renderTechnicalDebt(facts, words)],
    testCoverage: [said(prose.testCoverage), renderTestCoverage(open.facts, words)],
    dependencies: [
      said(prose.dependencies),
      renderDependencies(facts, words),
      renderDiagram(facts, words),
      renderFileList(facts, words),
    ],
  };
  const sections = sectionIds.map((id) => ({
    id,
    title: words.sections[id],
    body: blocks(...parts[id]) || words.nothing,
  }));
  return { title: `# ${words.title(facts.title)}`, sections };
}

function notReachable({ hidden }: PublicFacts, words: Words): string {
  return hidden.length === 0 ? '' : words.notReachable(hidden.length);
}

function wordsOnWhole({ about }: SpecFacts, { ofWhole }: Words): string {
  return about?.isOfWhole === true ? `${ofWhole(tameProse(about.words))} (${inlineCode(about.path)})` : '';
}

/** Says that nothing was written only if that is so: declarations may have comments. */
function noIntent({ files }: SpecFacts, { noIntent: none, noWordsOnWhole }: Words): string {
  const hasComments = files.some(({ skeleton }) =>
    skeleton.exports.some(
      ({ jsDoc, members = [] }) => jsDoc !== null || members.some((each) => each.jsDoc !== null),
    ),
  );
  return hasComments ? noWordsOnWhole : none;
}

function said(prose: string | undefined): string {
  return prose === undefined ? '' : tameProse(prose);
}
