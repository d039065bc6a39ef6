import { basename, dirname, join, resolve } from 'node:path';
import { compareBaselines } from './drift/compare.ts';
import { withoutServedNames } from './drift/export-changes.ts';
import {
  type DriftItem,
  type DriftSummary,
  type DriftTexts,
  itemsOf,
  type Severity,
  summaryOf,
} from './drift/report.ts';
import { readSpecDocument, readStates, requireBaseline } from './drift/spec-states.ts';
import { messagesIn } from './messages.ts';
import { resolveTarget } from './reading/target.ts';
import type { ReadingParts } from './reading-parts.ts';
import type { Messages } from './words/messages/zh.ts';
import { readFrontMatter } from './writing/document/front-matter.ts';
import { blocks, fenced, inlineCode, table } from './writing/document/markdown.ts';
import { saveText } from './writing/save-spec.ts';
export interface DriftRequest {
  specPath: string;
  sourcePath: string;
  /** A Markdown report is written beside the spec. */
  report?: boolean;
}

export interface DriftReport {
  specPath: string;
  sourcePath: string;
  generatedAt: string;
  specVersion: string;
  summary: DriftSummary;
  items: DriftItem[];
  /** Differences that mean nothing: formatting, comments, import order. */
  filteredNoise: number;
  recommendation: string;
  /** The Markdown report; null when none was asked for, or it could not be written. */
  outputPath: string | null;
}

/** A spec's baseline against the source of today. No model, no network. */
export async function detectDrift(request: DriftRequest, parts: ReadingParts): Promise<DriftReport> {
  const specPath = resolve(parts.cwd, request.specPath);
  const document = await readSpecDocument(specPath, request.specPath);
  const baseline = await requireBaseline(specPath, document, request.specPath);
  const target = await resolveTarget(request.sourcePath, parts.cwd);
  const { before, after, unreadable } = await readStates(target, baseline, parts);
  const comparison = await withoutServedNames(compareBaselines(before, after), { base: target.base, after });
  const { drift: texts } = messagesIn(parts.messageLanguage);
  const items = itemsOf(comparison, texts);
  const summary = summaryOf(items);
  const report: DriftReport = {
    specPath: request.specPath,
    sourcePath: request.sourcePath,
    generatedAt: new Date(parts.clock.now()).toISOString(),
    specVersion: readFrontMatter(document).version ?? 'v1',
    summary,
    items,
    filteredNoise: comparison.noise,
    recommendation: recommend(summary, unreadable, texts),
    outputPath: null,
  };
  return request.report === true
    ? { ...report, outputPath: await saveReport(specPath, report, texts.report) }
    : report;
}

function recommend(
  { high, medium, low }: DriftSummary,
  unreadable: readonly string[],
  { advice, doubt }: DriftTexts,
): string {
  const doubts = unreadable.length === 0 ? '' : doubt(unreadable.length);
  if (high > 0) return advice.high(high) + doubts;
  if (medium > 0) return advice.medium(medium) + doubts;
  return (low > 0 ? advice.low(low) : advice.none) + doubts;
}

async function saveReport(
  specPath: string,
  report: DriftReport,
  texts: DriftTexts['report'],
): Promise<string | null> {
  const folder = join(dirname(specPath), 'drift-logs');
  const name = `${basename(specPath).replace(/(?:\.spec)?\.md$/, '')}.drift.md`;
  try {
    await saveText(folder, name, renderDriftReport(report, texts));
    return join(folder, name);
  } catch {
    // A read-only checkout (CI) still gets its answer.
    return null;
  }
}

type DriftReportTexts = Messages['drift']['report'];

const SEVERITIES: readonly Severity[] = ['HIGH', 'MEDIUM', 'LOW'];

/** The report for people. */
function renderDriftReport(report: DriftReport, texts: DriftReportTexts): string {
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
