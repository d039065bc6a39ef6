import { basename, dirname, join, resolve } from 'node:path';
import { compareBaselines } from './drift/compare.ts';
import { renderDriftReport } from './drift/render-report.ts';
import { type DriftItem, type DriftSummary, type DriftTexts, itemsOf, summaryOf } from './drift/report.ts';
import { withoutServedNames } from './drift/served-names.ts';
import { readSpecDocument, readStates, requireBaseline } from './drift/spec-states.ts';
import { messagesIn } from './messages.ts';
import { resolveTarget } from './reading/target.ts';
import type { ReadingParts } from './reading-parts.ts';
import { readFrontMatter } from './writing/document/front-matter.ts';
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
