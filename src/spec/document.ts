import { renderBaseline } from './document/baseline.ts';
import { renderDiagram } from './document/diagram.ts';
import { type FrontMatter, renderFrontMatter } from './document/front-matter.ts';
import { renderInterface } from './document/interface-section.ts';
import { blocks, tameProse } from './document/markdown.ts';
import { renderDataStructures } from './document/section-facts/data-structures.ts';
import { renderDependencies } from './document/section-facts/dependencies.ts';
import { renderFileList } from './document/section-facts/file-list.ts';
import { renderTechnicalDebt } from './document/section-facts/technical-debt.ts';
import { renderTestCoverage } from './document/section-facts/test-coverage.ts';
import type { SpecFacts } from './facts.ts';
import type { Prose } from './prose.ts';

export interface SpecDocument {
  frontMatter: FrontMatter;
  facts: SpecFacts;
  prose: Prose;
}

/** The whole Markdown text. Facts come from the parser alone; prose is the writer's. */
export function renderDocument({ frontMatter, facts, prose }: SpecDocument): string {
  const sections: [title: string, parts: string[]][] = [
    ['意图', [said(prose.intent)]],
    ['接口定义', [renderInterface(facts)]],
    ['业务逻辑', [said(prose.businessLogic)]],
    ['数据结构', [said(prose.dataStructures), renderDataStructures(facts)]],
    ['约束条件', [said(prose.constraints)]],
    ['边界条件', [said(prose.edgeCases)]],
    ['技术债务', [said(prose.technicalDebt), renderTechnicalDebt(facts)]],
    ['测试覆盖', [said(prose.testCoverage), renderTestCoverage(facts)]],
    [
      '依赖关系',
      [said(prose.dependencies), renderDependencies(facts), renderDiagram(facts), renderFileList(facts)],
    ],
  ];
  const body = sections.map(([title, parts]) => blocks(`## ${title}`, ...orNothing(parts)));
  const heading = `# ${facts.label} 规格说明`;
  return `${blocks(renderFrontMatter(frontMatter), heading, ...body, renderBaseline(facts))}\n`;
}

function said(prose: string | undefined): string {
  return prose === undefined ? '' : tameProse(prose);
}

function orNothing(parts: string[]): string[] {
  return parts.some((part) => part !== '') ? parts : ['无。'];
}
