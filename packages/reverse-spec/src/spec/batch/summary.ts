import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@secateur/base/runtime/clock.ts';
import { wordsOf } from '../words.ts';
import { blocks, inlineCode, table } from '../writing/document/markdown.ts';
import { saveText } from '../writing/save-spec.ts';
import type { BatchPlan } from './plan.ts';
import type { ModuleOutcome } from './write-module.ts';

export interface RunSummary {
  totalModules: number;
  successful: number;
  failed: number;
  skipped: number;
  degraded: number;
  duration: number;
  plan: BatchPlan;
  outcomes: ReadonlyMap<string, ModuleOutcome>;
}

export const SUMMARY_NAME = 'batch-summary.md';

export async function saveSummary(run: RunSummary, clock: Clock): Promise<string> {
  const path = join(run.plan.outputDir, SUMMARY_NAME);
  // A run that had nothing to do leaves no trace in a repository.
  if (run.plan.pending.length > 0 || !existsSync(path))
    await saveText(run.plan.outputDir, SUMMARY_NAME, render(run, clock));
  return path;
}

function render(run: RunSummary, clock: Clock): string {
  const words = wordsOf[run.plan.language];
  const rows = run.plan.modules.map(({ label, reasons }) => {
    const outcome = run.outcomes.get(label);
    if (outcome === undefined) return [inlineCode(label), words.outcomes.skipped, '', '', ''];
    const why = reasons.map((reason) => words.reasons[reason]).join(words.listComma);
    const tokens = 'usage' in outcome ? `${outcome.usage.input + outcome.usage.output}` : '';
    return [inlineCode(label), words.outcomes[outcome.kind], why, tokens, detail(outcome)];
  });
  const { columns } = words;
  return `${blocks(
    `# ${words.summary.title}`,
    words.summary.time(new Date(clock.now()).toISOString(), run.duration / 1000),
    words.summary.counts(run),
    table([columns.module, columns.outcome, columns.why, 'tokens', columns.remark], rows),
  )}\n`;
}

function detail(outcome: ModuleOutcome): string {
  if (outcome.kind === 'failed') return outcome.reason;
  return 'warnings' in outcome ? outcome.warnings.join('；') : '';
}
