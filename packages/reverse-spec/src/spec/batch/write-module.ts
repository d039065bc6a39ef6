import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { WritingParts } from '../generate.ts';
import { localizeError, specError } from '../locales.ts';
import type { SpecWriter, Writing } from '../parts.ts';
import { astOnlyWriter, astProse } from '../writing/authors-text.ts';
import { composeSpec } from '../writing/compose.ts';
import { readStoredWriting } from '../writing/document/baseline.ts';
import { noTokens, readFrontMatter, type TokenUsage } from '../writing/document/document-text.ts';
import { AST_ONLY, readKnownSpec, readSpecHead, writingKey } from '../writing/freshness.ts';
import { type Estimate, estimateCalls, isFatal, type Spending } from '../writing/model-calls.ts';
import { saveSpec } from '../writing/save-spec.ts';
import type { SpecModule } from './modules.ts';
import type { BatchPlan } from './plan.ts';

export type ModuleOutcome =
  | { kind: 'written' | 'degraded'; usage: TokenUsage; warnings: string[] }
  | { kind: 'failed'; reason: string }
  /** Not written, because the run would have exceeded its cost limit. */
  | { kind: 'unaffordable'; estimate: Estimate };

interface BatchWriter {
  plan: BatchPlan;
  writer: SpecWriter;
  spending: Spending | undefined;
  deep: boolean;
}

/**
 * Writes the spec of one module. An error becomes an outcome, so that other modules are still written. Only
 * an error that would affect all modules is thrown.
 */
export async function writeModule(
  module: SpecModule,
  batch: BatchWriter,
  parts: WritingParts,
): Promise<ModuleOutcome> {
  try {
    return await write(module, batch, parts);
  } catch (error) {
    parts.signal?.throwIfAborted();
    if (isFatal(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const failure = error instanceof DomainError ? error : specError('internal', { message });
    return { kind: 'failed', reason: localizeError(parts.messageLanguage, failure).message };
  }
}

async function write(module: SpecModule, batch: BatchWriter, parts: WritingParts): Promise<ModuleOutcome> {
  const { plan, writer, deep } = batch;
  const composing = { ...parts, deep, astOnly: writer === astOnlyWriter };
  const { facts, contexts } = await composeModule(module, plan, composing);
  const before = await writingBefore(module, plan);
  const writing = before?.writing ?? (await askOrDegrade(module, { facts, contexts }, { batch, parts }));
  if (writing === undefined)
    return { kind: 'unaffordable', estimate: estimateCalls(contexts, plan.language) };
  const { language, outputDir, criteria } = plan;
  const model = before?.model ?? writer.model;
  const where = { outputDir, name: module.specName };
  const { warnings } = await saveSpec({ facts, writing, model, language, ...where, criteria }, parts);
  // Text that was reused from an earlier run costs nothing.
  const usage = before === undefined ? writing.tokenUsage : noTokens;
  // No content hash: the thread that read the file did not respond, so the next run reads it again.
  const isLate = facts.files.some(({ contentHash }) => contentHash === '');
  const kind = writing.degraded || isLate ? 'degraded' : 'written';
  return { kind, usage, warnings: [...writing.warnings, ...warnings] };
}

type Composed = Awaited<ReturnType<typeof composeModule>>;

/** Asks the writer for prose. Undefined if this would exceed the cost limit. If the model fails, the prose comes from the AST. */
async function askOrDegrade(
  module: SpecModule,
  { facts, contexts }: Composed,
  { batch: { plan, writer, spending }, parts }: { batch: BatchWriter; parts: WritingParts },
): Promise<Writing | undefined> {
  const isFree = module.origins.model === AST_ONLY;
  const settle = isFree ? undefined : spending?.reserve(estimateCalls(contexts, plan.language));
  if (!isFree && spending !== undefined && settle === undefined) return undefined;
  try {
    const { language, root } = plan;
    const writing = await writer.write({ facts, contexts, language, base: root.base, signal: parts.signal });
    settle?.(writing.tokenUsage);
    return writing;
  } catch (error) {
    settle?.(noTokens);
    const isLost = !(error instanceof DomainError) || error.code !== 'llm_failed' || isFatal(error);
    if (isLost || parts.signal?.aborted === true || (await hasPaidProse(module, plan))) throw error;
    const prose = astProse(facts);
    return { prose, tokenUsage: noTokens, confidence: 'low', warnings: [error.message], degraded: true };
  }
}

/** Whether a document already has complete prose of a model. Prose from the AST must not replace it. */
async function hasPaidProse({ specName }: SpecModule, { outputDir }: BatchPlan): Promise<boolean> {
  const { recorded } = (await readKnownSpec(outputDir, specName)) ?? {};
  return recorded !== undefined && recorded.model !== AST_ONLY && !recorded.degraded;
}

/** Returns a model's text from an earlier run if its inputs are unchanged. It is reused even without a model. */
async function writingBefore(
  { specName, origins, reasons }: SpecModule,
  { outputDir }: BatchPlan,
): Promise<{ writing: Writing; model: string } | undefined> {
  if (reasons.includes('forced')) return undefined;
  const specPath = join(outputDir, specName);
  const document = await readFile(specPath, 'utf8').catch(() => '');
  const { model = '' } = origins.model === AST_ONLY ? readFrontMatter(document) : origins;
  const writing = await readStoredWriting(specPath, document, writingKey({ ...origins, model }));
  return writing && { writing, model };
}

/** Builds facts and contexts. The contexts include the purposes of imported modules. */
export async function composeModule(
  module: SpecModule,
  plan: BatchPlan,
  parts: WritingParts & { deep: boolean; astOnly: boolean },
) {
  const lines: string[] = [];
  const needed = new Set(module.dependsOn.slice(0, MAX_BACKGROUND));
  for (const { label, specName } of parts.astOnly ? [] : plan.modules) {
    const spec = needed.has(label) ? await readSpecHead(plan.outputDir, specName) : undefined;
    if (spec !== undefined && spec.intent !== '') lines.push(`- ${label}: ${spec.intent}`);
  }
  const { target, files, notes } = module;
  const background = lines.length === 0 ? {} : { background: lines.join('\n') };
  const { project, outputDir, specOf, language } = plan;
  const { deep, astOnly } = parts;
  return composeSpec(
    { target, files, notes, project, deep, astOnly, language, outputDir, specOf, ...background },
    parts,
  );
}

const MAX_BACKGROUND = 20;

/** Runs up to `concurrency` items concurrently. An item starts when all its dependencies have succeeded or failed. */
export async function runInOrder<Item extends Pick<SpecModule, 'label' | 'dependsOn'>>(
  items: readonly Item[],
  { concurrency, signal }: { concurrency: number; signal?: AbortSignal | undefined },
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = new Set(items);
  const unfinished = new Set(items.map(({ label }) => label));
  const running = new Set<Promise<void>>();
  const start = (item: Item) => {
    waiting.delete(item);
    const work = run(item).finally(() => {
      unfinished.delete(item.label);
      running.delete(work);
    });
    running.add(work);
  };
  try {
    while (waiting.size > 0 || running.size > 0) {
      signal?.throwIfAborted();
      const isReady = ({ dependsOn }: Item) => !dependsOn.some((label) => unfinished.has(label));
      const ready = [...waiting].filter(isReady).slice(0, concurrency - running.size);
      for (const item of ready) start(item);
      await Promise.race(running);
    }
  } finally {
    await Promise.allSettled(running);
  }
}
