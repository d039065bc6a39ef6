import { join } from 'node:path';
import { SUMMARY_NAME, saveIndex, saveSummary } from './batch/index-document.ts';
import { openCheckpoint, openLastRun } from './batch/last-run.ts';
import { type BatchPlan, type BatchRequest, outputDirOf, planBatch, projectTarget } from './batch/plan.ts';
import { composeModule, type ModuleOutcome, runInOrder, writeModule } from './batch/write-module.ts';
import { chooseWriter, type DryRun, estimateModule, sumOfEstimates, type WritingParts } from './generate.ts';
import { messagesIn, specError } from './locales.ts';
import type { ProgressReport, ReadingParts } from './parts.ts';
import type { RenewalReason } from './writing/freshness.ts';
import { isFatal, type Price, priceOf, priceOfUsage, Spending } from './writing/model-calls.ts';

export type { Granularity } from './batch/modules.ts';

export interface BatchResult {
  totalModules: number;
  successful: number;
  failed: number;
  /** Unchanged since their spec was written, or finished by the run this one resumes. */
  skipped: number;
  /** Written, but with less from the model than was asked for. */
  degraded: number;
  /** Left out because they would have cost more than the run may. */
  unaffordable: number;
  /** Those modules, each with what it would have cost in US dollars. */
  leftOut: { target: string; price: number }[];
  /** US dollars that the run paid, without cache discounts; null if no price is known. */
  cost: number | null;
  /** Milliseconds. */
  duration: number;
  indexGenerated: boolean;
  summaryLogPath: string;
  failures: { target: string; reason: string }[];
  /** Why each module that was not skipped had to be written. */
  renewed: { target: string; reasons: readonly RenewalReason[] }[];
}

/** Writes one spec per module, dependencies before dependents; a finished module is never written twice. */
export async function runBatch(request: BatchRequest, parts: WritingParts): Promise<BatchResult> {
  const progress = batchProgress(parts);
  const run = { request, parts, progress, startedAt: parts.clock.monotonic() };
  progress.start();
  const root = await projectTarget(request, parts.cwd);
  const lastRun = await openLastRun(request, root, parts);
  if (lastRun.unchangedModules !== undefined) {
    const total = lastRun.unchangedModules;
    progress.writing({ done: total, total, label: root.label, cost: null });
    return nothingToDo(total, run);
  }
  const checkpoint = await openCheckpoint(request, parts);
  try {
    const result = await runPlanned(run, checkpoint.startedAt);
    await checkpoint.clear();
    if (result.failed + result.degraded + result.unaffordable === 0)
      await lastRun.remember(result.totalModules);
    return result;
  } catch (error) {
    // A run that was stopped, from outside or by a refused key, is one to resume.
    if (parts.signal?.aborted !== true && !isFatal(error)) await checkpoint.clear();
    throw error;
  }
}

interface Run {
  request: BatchRequest;
  parts: WritingParts;
  progress: BatchProgress;
  /** On the clock's monotonic scale. */
  startedAt: number;
}

/** The result for a project of which no file changed since its last complete run. */
function nothingToDo(totalModules: number, run: Run): BatchResult {
  const { request, parts } = run;
  return {
    ...countsOf(new Map(), { totalModules, skipped: totalModules }, run),
    leftOut: [],
    cost: costOf(new Map(), run),
    indexGenerated: totalModules > 0,
    summaryLogPath: join(outputDirOf(request, parts.cwd), SUMMARY_NAME),
    failures: [],
    renewed: [],
  };
}

async function runPlanned(run: Run, resumedAt: string | undefined): Promise<BatchResult> {
  const { request, parts, progress } = run;
  const spending = spendingOf(request, parts);
  const plan = await planBatch(request, resumedAt, { ...parts, progress: progress.reading });
  const outcomes: Outcomes = new Map();
  try {
    await writePending({ plan, outcomes, spending }, run);
  } catch (error) {
    // Modules finished before a key was refused belong in the index.
    if (isFatal(error) && outcomes.size > 0) await saveIndex(plan, parts);
    throw error;
  } finally {
    await plan.project.close();
  }
  const indexGenerated = await saveIndex(plan, parts);
  const { modules, pending } = plan;
  const totals = { totalModules: modules.length, skipped: modules.length - pending.length };
  const counts = countsOf(outcomes, totals, run);
  const summaryLogPath = await saveSummary({ ...counts, plan, outcomes }, parts.clock);
  const renewed = pending.map(({ label, reasons }) => ({ target: label, reasons }));
  return {
    ...counts,
    leftOut: leftOutIn(outcomes, parts.price),
    cost: costOf(outcomes, run),
    indexGenerated,
    summaryLogPath,
    failures: failuresIn(outcomes),
    renewed,
  };
}

type Outcomes = Map<string, ModuleOutcome>;

function countsOf(
  outcomes: Outcomes,
  { totalModules, skipped }: Pick<BatchResult, 'totalModules' | 'skipped'>,
  { parts, startedAt }: Run,
) {
  const count = (kind: ModuleOutcome['kind']) =>
    [...outcomes.values()].filter((each) => each.kind === kind).length;
  return {
    totalModules,
    successful: count('written'),
    failed: count('failed'),
    skipped,
    degraded: count('degraded'),
    unaffordable: count('unaffordable'),
    duration: Math.round(parts.clock.monotonic() - startedAt),
  };
}

function spendingOf({ maxCost, astOnly }: BatchRequest, { price }: WritingParts): Spending | undefined {
  if (maxCost === undefined || astOnly) return undefined;
  if (price !== undefined) return new Spending(maxCost, price);
  throw specError('no_price', {});
}

interface PendingWork {
  plan: BatchPlan;
  outcomes: Outcomes;
  spending: Spending | undefined;
}

async function writePending({ plan, outcomes, spending }: PendingWork, run: Run): Promise<void> {
  const { request, parts, progress } = run;
  const skipped = plan.modules.length - plan.pending.length;
  const report = (label: string) =>
    progress.writing({
      done: skipped + outcomes.size,
      total: plan.modules.length,
      label,
      cost: costOf(outcomes, run),
    });
  report(plan.root.label);
  if (plan.pending.length === 0) return;
  const writer = chooseWriter(request.astOnly, parts);
  const batch = { plan, writer, spending, deep: request.deep ?? false };
  const limits = { concurrency: request.concurrency, signal: parts.signal };
  await runInOrder(plan.pending, limits, async (module) => {
    outcomes.set(module.label, await writeModule(module, batch, parts));
    report(module.label);
  });
}

/** Null without a model, or if the price of a token is not known. */
function costOf(outcomes: Outcomes, { request, parts: { price } }: Run): number | null {
  if (request.astOnly || price === undefined) return null;
  return [...outcomes.values()]
    .map((outcome) => ('usage' in outcome ? priceOfUsage(outcome.usage, price) : 0))
    .reduce((sum, each) => sum + each, 0);
}

function leftOutIn(outcomes: Outcomes, price: Price | undefined): BatchResult['leftOut'] {
  return [...outcomes].flatMap(([target, outcome]) => {
    if (outcome.kind !== 'unaffordable' || price === undefined) return [];
    const { inputTokens: input, outputTokens: output } = outcome.estimate;
    return [{ target, price: priceOf({ input, output }, price) }];
  });
}

function failuresIn(outcomes: ReadonlyMap<string, ModuleOutcome>): BatchResult['failures'] {
  return [...outcomes].flatMap(([target, outcome]) =>
    outcome.kind === 'failed' ? [{ target, reason: outcome.reason }] : [],
  );
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
    modules.push(estimateModule(module.label, contexts, plan.language));
  }
  await plan.project.close();
  return sumOfEstimates(modules, counts, { price: parts.price, language: plan.language });
}

/** Progress of a batch: one count over all its phases, which only grows. */
interface BatchProgress {
  /** Reports that the run has begun, before a file was listed. */
  start(): void;
  /** For the phases that read files. */
  reading: ProgressReport;
  writing(state: { done: number; total: number; label: string; cost: number | null }): void;
}

function batchProgress({
  progress,
  messageLanguage,
}: Pick<ReadingParts, 'progress' | 'messageLanguage'>): BatchProgress {
  const { batchStages: texts, stages } = messagesIn(messageLanguage);
  let before = 0;
  let last = 0;
  let sent = -1;
  // MCP wants every notification to be larger than the one before it.
  const send: ProgressReport = (update) => {
    if (update.done <= sent) return;
    sent = update.done;
    progress?.(update);
  };
  return {
    start: () => send({ done: 0, total: 1, message: stages.scan }),
    reading: ({ done, total, message }) => {
      // A phase that begins counts on from the one before it.
      if (done <= last) before += last;
      last = done;
      send({ done: before + done, total: before + total, message: texts.parsed(done, total, message) });
    },
    writing: ({ done, total, label, cost }) => {
      const read = before + last;
      const message = texts.written(done, total, label) + texts.money(cost);
      send({ done: read + done, total: read + total, message });
    },
  };
}
