import { type BatchResult, runBatch } from '../../spec/batch.ts';
import { type DryRun, dryRunBatch } from '../../spec/dry-run.ts';
import { defineCommand } from '../command.ts';
import { FAILURE, SUCCESS } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { progressBar } from '../progress-bar.ts';
import { reverseSpecParts } from '../reverse-spec-parts.ts';

export const specBatch = defineCommand({
  usage: '[ROOT] [--force] [--ast-only] [--dry-run] [--json]',
  details:
    'One spec a folder. Unchanged modules are skipped; a run that was interrupted goes on where it stopped.',
  sections: ['reverseSpec'],
  options: {
    force: { type: 'boolean', doc: 'write unchanged modules again' },
    'ast-only': { type: 'boolean', doc: 'no model and no network: only what the sources say' },
    'dry-run': { type: 'boolean', doc: 'how many model calls and tokens it would take; nothing is spent' },
    json: { type: 'boolean', doc: 'the result as JSON' },
  },
  positionals: { min: 0, max: 1 },
  examples: [
    { line: 'reverse-spec batch --dry-run', does: 'what a run would cost' },
    { line: 'reverse-spec batch . --concurrency 6', does: 'writes specs/, six modules at a time' },
  ],
  exitCodes: { [FAILURE]: 'a module failed; standard error and the summary say which and why' },
  run: async ({ config, options, positionals: [projectRoot], terminal, origin, interrupted }) => {
    const bar = progressBar(terminal);
    const parts = {
      ...reverseSpecParts(config.reverseSpec, origin, terminal),
      signal: interrupted(),
      progress: bar.update,
    };
    const { outputDir, concurrency } = parts;
    const base = { force: options.force, astOnly: options['ast-only'], outputDir, concurrency };
    const request = projectRoot === undefined ? base : { ...base, projectRoot };
    if (options['dry-run']) {
      const plan = await dryRunBatch(request, parts).finally(bar.end);
      terminal.line(options.json ? JSON.stringify(plan) : describePlan(plan));
      return SUCCESS;
    }
    const result = await runBatch(request, parts).finally(bar.end);
    terminal.line(options.json ? JSON.stringify(result) : describe(result));
    for (const { target, reason } of result.failures) terminal.note(printable(`${target}: ${reason}`));
    return result.failed > 0 ? FAILURE : SUCCESS;
  },
});

function describePlan({
  totalModules,
  skipped,
  modelCalls,
  inputTokens,
  outputTokens,
  cacheableTokens,
}: DryRun): string {
  return [
    `模块 ${totalModules}，其中 ${skipped} 个未变化`,
    `模型调用 ${modelCalls} 次`,
    `输入约 ${inputTokens} tokens（其中 ${cacheableTokens} 可命中提示缓存），输出约 ${outputTokens} tokens`,
  ].join('\n');
}

function describe({
  totalModules,
  successful,
  failed,
  skipped,
  degraded,
  duration,
  summaryLogPath,
}: BatchResult): string {
  const seconds = (duration / 1000).toFixed(1);
  return `模块 ${totalModules}：成功 ${successful}，失败 ${failed}，跳过 ${skipped}，降级 ${degraded}，耗时 ${seconds} 秒\n${summaryLogPath}`;
}
