import type { DriftReport } from '../drift.ts';
import type { Messages } from '../words/messages/zh.ts';
import { blocks, fenced, inlineCode, table } from '../writing/document/markdown.ts';
import type { DriftItem, Severity } from './report.ts';

type DriftReportTexts = Messages['drift']['report'];

const SEVERITIES: readonly Severity[] = ['HIGH', 'MEDIUM', 'LOW'];

/** The report for people. */
export function renderDriftReport(report: DriftReport, texts: DriftReportTexts): string {
  const { summary, items } = report;
  const { rows } = texts;
  const sections = SEVERITIES.map((severity) => {
    const found = items.filter((item) => item.severity === severity);
    const rendered = found.map((item) => renderItem(item, texts));
    return found.length === 0 ? '' : blocks(`## ${texts.severities[severity]}`, ...rendered);
  });
  const counts = `HIGH ${summary.high} / MEDIUM ${summary.medium} / LOW ${summary.low}`;
  return `${blocks(
    `# ${texts.title}`,
    table(
      [...texts.columns],
      [
        ['spec', inlineCode(report.specPath)],
        [rows.version, report.specVersion],
        [rows.source, inlineCode(report.sourcePath)],
        [rows.time, report.generatedAt],
        [rows.total, `${summary.totalChanges} (${counts})`],
        [rows.kinds, `${summary.additions} / ${summary.removals} / ${summary.modifications}`],
        [rows.noise, `${report.filteredNoise}`],
      ],
    ),
    texts.advice(report.recommendation),
    ...sections,
  )}\n`;
}

function renderItem(item: DriftItem, texts: DriftReportTexts): string {
  return blocks(
    `### ${item.id} ${inlineCode(item.symbolName)}`,
    `${item.description} (${inlineCode(item.location)}, ${item.category} / ${item.changeType})`,
    item.oldValue === undefined ? '' : `${texts.before}\n\n${fenced('', item.oldValue)}`,
    item.newValue === undefined ? '' : `${texts.now}\n\n${fenced('', item.newValue)}`,
    texts.update(item.proposedUpdate),
  );
}
