import type { DriftReport } from '../drift.ts';
import { blocks, fenced, inlineCode, table } from '../writing/document/markdown.ts';
import type { DriftItem, Severity } from './report.ts';

const HEADINGS: readonly [Severity, string][] = [
  ['HIGH', '高'],
  ['MEDIUM', '中'],
  ['LOW', '低'],
];

/** The report for people. */
export function renderDriftReport(report: DriftReport): string {
  const { summary, items } = report;
  const sections = HEADINGS.map(([severity, word]) => {
    const found = items.filter((item) => item.severity === severity);
    return found.length === 0 ? '' : blocks(`## ${severity}（${word}）`, ...found.map(renderItem));
  });
  return `${blocks(
    '# Spec 漂移报告',
    table(
      ['项目', '值'],
      [
        ['spec', inlineCode(report.specPath)],
        ['spec 版本', report.specVersion],
        ['源代码', inlineCode(report.sourcePath)],
        ['检测时间', report.generatedAt],
        [
          '变更总数',
          `${summary.totalChanges}（HIGH ${summary.high} / MEDIUM ${summary.medium} / LOW ${summary.low}）`,
        ],
        ['新增 / 移除 / 修改', `${summary.additions} / ${summary.removals} / ${summary.modifications}`],
        ['已过滤的噪声', `${report.filteredNoise}`],
      ],
    ),
    `**建议**：${report.recommendation}`,
    ...sections,
  )}\n`;
}

function renderItem(item: DriftItem): string {
  return blocks(
    `### ${item.id} ${inlineCode(item.symbolName)}`,
    `${item.description}（${inlineCode(item.location)}，${item.category} / ${item.changeType}）`,
    item.oldValue === undefined ? '' : `原：\n\n${fenced('', item.oldValue)}`,
    item.newValue === undefined ? '' : `现：\n\n${fenced('', item.newValue)}`,
    `建议更新：${item.proposedUpdate}`,
  );
}
