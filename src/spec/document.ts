import { renderBaseline } from './document/baseline.ts';
import { renderDiagram } from './document/diagram.ts';
import { type FrontMatter, foreignLines, renderFrontMatter } from './document/front-matter.ts';
import { type FreshText, mergeHumanWords } from './document/human-words.ts';
import { renderInterface } from './document/interface-section.ts';
import { blocks, tameProse } from './document/markdown.ts';
import { renderDataStructures } from './document/section-facts/data-structures.ts';
import { renderDependencies } from './document/section-facts/dependencies.ts';
import { renderFileList } from './document/section-facts/file-list.ts';
import { renderTechnicalDebt } from './document/section-facts/technical-debt.ts';
import { renderTestCoverage } from './document/section-facts/test-coverage.ts';
import type { SpecFacts } from './facts.ts';
import type { Prose } from './prose.ts';
import type { Words } from './words/words-table.ts';

export interface SpecDocument {
  frontMatter: Omit<FrontMatter, 'sections'>;
  facts: SpecFacts;
  prose: Prose;
  words: Words;
}

export interface RenderedDocument {
  text: string;
  /** About words of people that were kept. */
  warnings: string[];
}

/**
 * The whole Markdown text. Facts come from the parser alone; prose is the writer's; what people wrote into the document
 * before it stays.
 */
export function renderDocument(document: SpecDocument, previous: string | undefined): RenderedDocument {
  const { body, sectionHashes, warnings } = mergeHumanWords(freshText(document), previous, document.words);
  const matter = renderFrontMatter(
    { ...document.frontMatter, sections: sectionHashes },
    foreignLines(previous ?? ''),
  );
  return { text: `${blocks(matter, body, renderBaseline(document.facts))}\n`, warnings };
}

function freshText({ facts, prose, words }: SpecDocument): FreshText {
  const section = (...parts: string[]) => blocks(...(parts.some(Boolean) ? parts : [words.nothing]));
  return {
    title: `# ${words.title(facts.label)}`,
    sections: {
      intent: section(said(prose.intent)),
      interface: section(renderInterface(facts, words)),
      businessLogic: section(said(prose.businessLogic)),
      dataStructures: section(said(prose.dataStructures), renderDataStructures(facts, words)),
      constraints: section(said(prose.constraints)),
      edgeCases: section(said(prose.edgeCases)),
      technicalDebt: section(said(prose.technicalDebt), renderTechnicalDebt(facts, words)),
      testCoverage: section(said(prose.testCoverage), renderTestCoverage(facts, words)),
      dependencies: section(
        said(prose.dependencies),
        renderDependencies(facts, words),
        renderDiagram(facts, words),
        renderFileList(facts, words),
      ),
    },
  };
}

function said(prose: string | undefined): string {
  return prose === undefined ? '' : tameProse(prose);
}
