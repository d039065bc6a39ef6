import { resolve } from 'node:path';
import { type DocumentLanguage, messagesIn, specError } from './locales.ts';
import type { ProgressReport, ReadingParts, SpecWriter } from './parts.ts';
import { readModules, scanModules } from './prepare/scope.ts';
import { requireSkeletons } from './prepare.ts';
import { openProject } from './reading/project.ts';
import { resolveTarget } from './reading/target.ts';
import { astOnlyWriter } from './writing/authors-text.ts';
import { composeSpec, type PartContext, warningsAbout } from './writing/compose.ts';
import {
  type Confidence,
  type LanguageChoice,
  languageFor,
  type TokenUsage,
} from './writing/document/document-text.ts';
import { estimateCalls, type Price, priceOf } from './writing/model-calls.ts';
import { requireWritable, saveSpec, specFileName } from './writing/save-spec.ts';
import { systemPrompt } from './writing/system-prompt.ts';

export interface GenerateRequest {
  targetPath: string;
  deep: boolean;
  outputDir: string;
  /** Whether to write from the AST alone, without a model or network access. */
  astOnly: boolean;
  /** Whether to add acceptance criteria to the section on boundary conditions. Default: false. */
  criteria?: boolean;
}

export interface WritingParts extends ReadingParts, LanguageChoice {
  /** Whether baselines are written into the documents instead of into files next to them. */
  embedBaseline: boolean;
  /** Price of tokens, for estimates and cost limits. */
  price?: Price;
  /** Writer that calls a model; undefined without an API key. */
  modelWriter: SpecWriter | undefined;
}

export interface GenerateResult {
  specPath: string;
  tokenUsage: TokenUsage;
  confidence: Confidence;
  warnings: string[];
}

/** Writes one spec: parses the sources, builds the context, asks the model and renders the document. */
export async function generate(request: GenerateRequest, parts: WritingParts): Promise<GenerateResult> {
  await resolveTarget(request.targetPath, parts.cwd);
  const writer = chooseWriter(request.astOnly, parts);
  const outputDir = resolve(parts.cwd, request.outputDir);
  await requireWritable(outputDir);
  const report = stages(parts.progress);
  const says = messagesIn(parts.messageLanguage);
  const composed = await composeTarget(request, outputDir, { ...parts, report });
  const { facts, contexts, language, base } = composed;
  report(says.stages.write(writer.model));
  const writing = await writer.write({ facts, contexts, language, base, signal: parts.signal });
  report(says.stages.render);
  const name = specFileName(facts.label);
  const { criteria = false } = request;
  const finished = { facts, writing, model: writer.model, language, outputDir, name, criteria };
  const saved = await saveSpec(finished, parts);
  const { tokenUsage, confidence, warnings } = writing;
  return {
    specPath: saved.specPath,
    tokenUsage,
    confidence,
    warnings: [...warningsAbout(facts, contexts, says.warnings), ...warnings, ...saved.warnings],
  };
}

interface ComposeParts extends WritingParts {
  report?: (stage: string) => void;
}

/** Prepares a spec: everything that `generate` does before it asks the model. */
async function composeTarget(request: GenerateRequest, outputDir: string, parts: ComposeParts) {
  const target = await resolveTarget(request.targetPath, parts.cwd);
  const { stages: names } = messagesIn(parts.messageLanguage);
  parts.report?.(names.scan);
  const scan = await scanModules(target, outputDir, parts);
  parts.report?.(names.parse);
  // Progress of a single document is reported per stage, not per file.
  const { progress: _, ...silent } = parts;
  const { files, notes } = await readModules(target, scan, silent);
  requireSkeletons({ files, notes }, { deep: request.deep, target });
  const project = await openProject(target.base, files, silent);
  parts.report?.(names.context);
  const language = await languageFor(outputDir, specFileName(target.label), parts);
  const { deep, astOnly } = request;
  const composition = { target, files, notes, project, deep, astOnly, language, outputDir };
  const { facts, contexts } = await composeSpec(composition, parts);
  return { facts, contexts, language, base: target.base };
}

/** Returns the writer of the prose. Throws if it needs a missing API key, so call it before reading files. */
export function chooseWriter(
  astOnly: boolean,
  { modelWriter }: Pick<WritingParts, 'modelWriter'>,
): SpecWriter {
  if (astOnly) return astOnlyWriter;
  if (modelWriter !== undefined) return modelWriter;
  throw specError('no_api_key', {});
}

const STAGES = 5;

function stages(progress: ProgressReport | undefined): (message: string) => void {
  let done = 0;
  return (message) => {
    done += 1;
    progress?.({ done, total: STAGES, message });
  };
}

/** Cost of a run, estimated without a model call. */
export interface DryRun {
  dryRun: true;
  totalModules: number;
  skipped: number;
  modelCalls: number;
  inputTokens: number;
  /** Part of `inputTokens` that is the same in all calls. From the second call on, it may come from the prompt cache. */
  cacheableTokens: number;
  /** Estimate from the size of each module. The actual number depends on the model. */
  outputTokens: number;
  /** Price in US dollars without cache discounts; null if the price of tokens is unknown. */
  price: number | null;
  modules: { target: string; calls: number; inputTokens: number; outputTokens: number }[];
}

export async function dryRunGenerate(request: GenerateRequest, parts: WritingParts): Promise<DryRun> {
  const outputDir = resolve(parts.cwd, request.outputDir);
  const { facts, contexts, language } = await composeTarget(request, outputDir, parts);
  const modules = [estimateModule(facts.label, contexts, language)];
  return sumOfEstimates(modules, { totalModules: 1, skipped: 0 }, { price: parts.price, language });
}

/** Returns the prompts for the target: one text per call, which begins with the instructions. */
export async function promptsOf(request: GenerateRequest, parts: WritingParts): Promise<string[]> {
  const outputDir = resolve(parts.cwd, request.outputDir);
  const asked = { ...request, astOnly: false };
  const { contexts, language } = await composeTarget(asked, outputDir, parts);
  return contexts.map(({ prompt }) => `${systemPrompt(language)}\n\n${prompt}`);
}

/** Estimates the cost of the calls for one module. */
export function estimateModule(target: string, contexts: readonly PartContext[], language: DocumentLanguage) {
  const { calls, inputTokens, outputTokens } = estimateCalls(contexts, language);
  return { target, calls, inputTokens, outputTokens };
}

export function sumOfEstimates(
  modules: DryRun['modules'],
  counts: Pick<DryRun, 'totalModules' | 'skipped'>,
  { price, language }: { price: Price | undefined; language: DocumentLanguage },
): DryRun {
  const sum = (key: 'calls' | 'inputTokens' | 'outputTokens') =>
    modules.reduce((total, each) => total + each[key], 0);
  const [modelCalls, inputTokens, outputTokens] = [sum('calls'), sum('inputTokens'), sum('outputTokens')];
  const cacheableTokens = estimateCalls([], language).systemTokens * modelCalls;
  const cost = price === undefined ? null : priceOf({ input: inputTokens, output: outputTokens }, price);
  const tokens = { inputTokens, cacheableTokens, outputTokens };
  return { dryRun: true, ...counts, modelCalls, ...tokens, price: cost, modules };
}
