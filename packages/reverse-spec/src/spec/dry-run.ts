import { resolve } from 'node:path';
import { type BatchRequest, planBatch } from './batch/plan.ts';
import { composeModule } from './batch/write-module.ts';
import { composeTarget, type GenerateRequest, type WritingParts } from './generate.ts';
import type { DocumentLanguage } from './words.ts';
import type { PartContext } from './writing/compose.ts';
import { estimateCalls, type Price, priceOf } from './writing/cost.ts';
import { systemPrompt } from './writing/model-writer/system-prompt.ts';

/** Cost of a run, estimated before a token is spent. */
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
  /** US dollars without cache discounts; null if the price of a token is not known. */
  price: number | null;
  modules: { target: string; calls: number; inputTokens: number; outputTokens: number }[];
}

export async function dryRunBatch(request: BatchRequest, parts: WritingParts): Promise<DryRun> {
  const plan = await planBatch(request, undefined, parts);
  const counts = { totalModules: plan.modules.length, skipped: plan.modules.length - plan.pending.length };
  const modules: DryRun['modules'] = [];
  for (const module of plan.pending) {
    const { contexts } = await composeModule(module, plan, {
      ...parts,
      deep: request.deep ?? false,
      astOnly: request.astOnly,
    });
    modules.push(moduleOf(module.label, contexts, { astOnly: request.astOnly, language: plan.language }));
  }
  await plan.project.close();
  return sumOf(modules, counts, { price: parts.price, language: plan.language });
}

export async function dryRunGenerate(request: GenerateRequest, parts: WritingParts): Promise<DryRun> {
  const outputDir = resolve(parts.cwd, request.outputDir);
  const { facts, contexts, language } = await composeTarget(request, outputDir, parts);
  const modules = [moduleOf(facts.label, contexts, { astOnly: request.astOnly, language })];
  return sumOf(modules, { totalModules: 1, skipped: 0 }, { price: parts.price, language });
}

/** Returns the prompts about the target: one text per call, instructions first. */
export async function promptsOf(request: GenerateRequest, parts: WritingParts): Promise<string[]> {
  const outputDir = resolve(parts.cwd, request.outputDir);
  const asked = { ...request, astOnly: false };
  const { contexts, language } = await composeTarget(asked, outputDir, parts);
  return contexts.map(({ prompt }) => `${systemPrompt(language)}\n\n${prompt}`);
}

function moduleOf(
  target: string,
  contexts: readonly PartContext[],
  { astOnly, language }: { astOnly: boolean; language: DocumentLanguage },
): DryRun['modules'][number] {
  const { calls, inputTokens, outputTokens } = estimateCalls(astOnly ? [] : contexts, language);
  return { target, calls, inputTokens, outputTokens };
}

function sumOf(
  modules: DryRun['modules'],
  counts: Pick<DryRun, 'totalModules' | 'skipped'>,
  { price, language }: { price: Price | undefined; language: DocumentLanguage },
): DryRun {
  const sum = (key: 'calls' | 'inputTokens' | 'outputTokens') =>
    modules.reduce((total, each) => total + each[key], 0);
  const [modelCalls, inputTokens, outputTokens] = [sum('calls'), sum('inputTokens'), sum('outputTokens')];
  const cacheableTokens = estimateCalls([], language).systemTokens * modelCalls;
  const cost = price === undefined ? null : priceOf({ input: inputTokens, output: outputTokens }, price);
  return {
    dryRun: true,
    ...counts,
    modelCalls,
    inputTokens,
    cacheableTokens,
    outputTokens,
    price: cost,
    modules,
  };
}
