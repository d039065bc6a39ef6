import { estimateTokens } from '../text/token-estimate.ts';
import { systemPrompt } from './anthropic-writer/system-prompt.ts';
import { type BatchRequest, planBatch } from './batch/plan.ts';
import { composeModule } from './batch/write-module.ts';
import type { WritingParts } from './generate.ts';

/** What a run would cost, told before a token is spent. */
export interface DryRun {
  dryRun: true;
  totalModules: number;
  skipped: number;
  modelCalls: number;
  inputTokens: number;
  /** The part of `inputTokens` that is the same for every call and read from the prompt cache after the first. */
  cacheableTokens: number;
  /** From the size of each module; the model decides. */
  outputTokens: number;
  modules: { target: string; inputTokens: number; outputTokens: number }[];
}

export async function dryRunBatch(request: BatchRequest, parts: WritingParts): Promise<DryRun> {
  const plan = await planBatch(request, undefined, parts);
  const systemTokens = estimateTokens(systemPrompt);
  const modules: DryRun['modules'] = [];
  for (const module of plan.pending) {
    const { context } = await composeModule(module, plan, parts);
    const inputTokens = request.astOnly ? 0 : context.tokenCount + systemTokens;
    modules.push({
      target: module.label,
      inputTokens,
      outputTokens: request.astOnly ? 0 : outputFor(context.tokenCount),
    });
  }
  const sum = (key: 'inputTokens' | 'outputTokens') => modules.reduce((total, each) => total + each[key], 0);
  return {
    dryRun: true,
    totalModules: plan.modules.length,
    skipped: plan.modules.length - plan.pending.length,
    modelCalls: request.astOnly ? 0 : modules.length,
    inputTokens: sum('inputTokens'),
    cacheableTokens: request.astOnly ? 0 : systemTokens * modules.length,
    outputTokens: sum('outputTokens'),
    modules,
  };
}

/** Eight sections of prose: a floor, more for more code, and the writer's own ceiling. */
function outputFor(contextTokens: number): number {
  return Math.min(6_000, 1_200 + Math.round(contextTokens * 0.25));
}
