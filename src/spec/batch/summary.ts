import { join } from 'node:path';
import type { Clock } from '../../runtime/clock.ts';
import { blocks, inlineCode, table } from '../document/markdown.ts';
import { saveText } from '../save-spec.ts';
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

const NAME = 'batch-summary.md';

export async function saveSummary(run: RunSummary, clock: Clock): Promise<string> {
  await saveText(run.plan.outputDir, NAME, render(run, clock));
  return join(run.plan.outputDir, NAME);
}

const WORDS: Readonly<Record<ModuleOutcome['kind'], string>> = {
  written: '成功',
  degraded: '降级',
  failed: '失败',
};

function render(run: RunSummary, clock: Clock): string {
  const rows = run.plan.modules.map(({ label }) => {
    const outcome = run.outcomes.get(label);
    if (outcome === undefined) return [inlineCode(label), '跳过', '', '骨架未变'];
    const tokens = outcome.kind === 'failed' ? '' : `${outcome.tokens}`;
    return [inlineCode(label), WORDS[outcome.kind], tokens, detail(outcome)];
  });
  return `${blocks(
    '# 批量生成摘要',
    `${new Date(clock.now()).toISOString()}，耗时 ${(run.duration / 1000).toFixed(1)} 秒。`,
    `模块 ${run.totalModules}：成功 ${run.successful}，失败 ${run.failed}，跳过 ${run.skipped}，降级 ${run.degraded}。`,
    table(['模块', '结果', 'tokens', '说明'], rows),
  )}\n`;
}

function detail(outcome: ModuleOutcome): string {
  if (outcome.kind === 'failed') return outcome.reason;
  return outcome.warnings.join('；');
}
