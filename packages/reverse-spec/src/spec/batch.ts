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
export type { BatchRequest } from './batch/plan.ts';

export interface BatchResult {
  totalModules: number;
  successful: number;
  failed: number;
  /** Number of modules that are up to date: unchanged, or finished by the interrupted run that this run resumes. */
  skipped: number;
  /** Number of modules that were written in part: prose of the model is missing, or a thread that read a file did not respond. */
  degraded: number;
  /** Number of modules that were left out because the run would have exceeded its cost limit. */
  unaffordable: number;
  /** The modules counted in `unaffordable`, each with its estimated price in US dollars. */
  leftOut: { target: string; price: number }[];
  /** Cost of the run in US dollars, without cache discounts; null without a model or if no price is known. */
  cost: number | null;
  /** Duration in ms. */
  duration: number;
  indexGenerated: boolean;
  summaryLogPath: string;
  failures: { target: string; reason: string }[];
  /** Modules that had to be written, each with the reasons. */
  renewed: { target: string; reasons: readonly RenewalReason[] }[];
}

/** Writes one spec per module, dependencies first. A resumed run skips finished modules. */
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
    // A run that was cancelled, or stopped by a rejected key, can be resumed.
    if (parts.signal?.aborted !== true && !isFatal(error)) await checkpoint.clear();
    throw error;
  }
}

interface Run {
  request: BatchRequest;
  parts: WritingParts;
  progress: ReturnType<typeof batchProgress>;
  /** Start of the run in ms on the monotonic clock. */
  startedAt: number;
}

/** Returns the result for a project in which no file changed since the last complete run. */
function nothingToDo(totalModules: number, run: Run): BatchResult {
  const counts = { totalModules, skipped: totalModules, indexGenerated: totalModules > 0 };
  return resultOf(new Map(), { ...counts, renewed: [] }, run);
}

async function runPlanned(run: Run, resumedAt: string | undefined): Promise<BatchResult> {
  const { request, parts, progress } = run;
  const spending = spendingOf(request, parts);
  const plan = await planBatch(request, resumedAt, { ...parts, progress: progress.reading });
  const outcomes: Outcomes = new Map();
  try {
    await writePending({ plan, outcomes, spending }, run);
  } catch (error) {
    // If the API key is rejected, the modules that were already written are still added to the index.
    if (isFatal(error) && outcomes.size > 0) await saveIndex(plan, parts);
    throw error;
  }
  const indexGenerated = await saveIndex(plan, parts);
  const renewed = plan.pending.map(({ label, reasons }) => ({ target: label, reasons }));
  const result = resultOf(outcomes, { ...moduleCounts(plan), indexGenerated, renewed }, run);
  await saveSummary({ result, plan, outcomes }, parts.clock);
  return result;
}

type Outcomes = Map<string, ModuleOutcome>;

function moduleCounts({ modules, pending }: BatchPlan) {
  return { totalModules: modules.length, skipped: modules.length - pending.length };
}

function resultOf(
  outcomes: Outcomes,
  planned: Pick<BatchResult, 'totalModules' | 'skipped' | 'indexGenerated' | 'renewed'>,
  run: Run,
): BatchResult {
  const { request, parts, startedAt } = run;
  const { totalModules, skipped, indexGenerated, renewed } = planned;
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
    leftOut: leftOutIn(outcomes, parts.price),
    cost: costOf(outcomes, run),
    indexGenerated,
    summaryLogPath: join(outputDirOf(request, parts.cwd), SUMMARY_NAME),
    failures: [...outcomes].flatMap(([target, outcome]) =>
      outcome.kind === 'failed' ? [{ target, reason: outcome.reason }] : [],
    ),
    renewed,
  };
}

function spendingOf({ maxCost, astOnly }: BatchRequest, { price }: WritingParts): Spending | undefined {
  if (maxCost === undefined || astOnly) return undefined;
  if (price !== undefined) return new Spending(maxCost, price);
  throw specError('no_price', {});
}

async function writePending(
  { plan, outcomes, spending }: { plan: BatchPlan; outcomes: Outcomes; spending: Spending | undefined },
  run: Run,
): Promise<void> {
  const { request, parts, progress } = run;
  const { totalModules: total, skipped } = moduleCounts(plan);
  const report = (label: string) =>
    progress.writing({ done: skipped + outcomes.size, total, label, cost: costOf(outcomes, run) });
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

/** Returns the cost so far in US dollars; null without a model or if no price is known. */
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

export async function dryRunBatch(request: BatchRequest, parts: WritingParts): Promise<DryRun> {
  const plan = await planBatch(request, undefined, parts);
  const modules: DryRun['modules'] = [];
  for (const module of plan.pending) {
    const { contexts } = await composeModule(module, plan, {
      ...parts,
      deep: request.deep ?? false,
      astOnly: request.astOnly,
    });
    modules.push(estimateModule(module.label, contexts, plan.language));
  }
  return sumOfEstimates(modules, moduleCounts(plan), { price: parts.price, language: plan.language });
}

interface WritingState {
  done: number;
  total: number;
  label: string;
  cost: number | null;
}

/** Returns functions that report progress. The count increases over all phases of a batch. */
function batchProgress({ progress, messageLanguage }: ReadingParts) {
  const { batchStages: texts, stages } = messagesIn(messageLanguage);
  let before = 0;
  let last = 0;
  let sent = -1;
  // MCP requires that the progress value increases with each notification.
  const send: ProgressReport = (update) => {
    if (update.done <= sent) return;
    sent = update.done;
    progress?.(update);
  };
  return {
    /** Reports the start of the run, before files are listed. */
    start: () => send({ done: 0, total: 1, message: stages.scan }),
    /** Reports progress of a phase that reads files. */
    reading: ({ done, total, message }: Parameters<ProgressReport>[0]) => {
      // A count that starts again belongs to a new phase.
      if (done <= last) before += last;
      last = done;
      send({ done: before + done, total: before + total, message: texts.parsed(done, total, message) });
    },
    writing: ({ done, total, label, cost }: WritingState) => {
      const read = before + last;
      const message = texts.written(done, total, label) + texts.money(cost);
      send({ done: read + done, total: read + total, message });
    },
  };
}
