import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { saveIndex } from './batch/index-document.ts';
import type { SpecModule } from './batch/modules.ts';
import { type BatchPlan, type BatchRequest, outputDirOf, planBatch, projectTarget } from './batch/plan.ts';
import {
  type BatchProgress,
  batchProgress,
  openLastRun,
  SUMMARY_NAME,
  saveSummary,
} from './batch/run-reports.ts';
import { type ModuleOutcome, writeModule } from './batch/write-module.ts';
import { chooseWriter, type WritingParts } from './generate.ts';
import { specError } from './messages.ts';
import type { ReadingParts } from './reading-parts.ts';
import { type Price, priceOf, priceOfUsage, Spending } from './writing/cost.ts';
import type { RenewalReason } from './writing/freshness.ts';
import { isFatal } from './writing/model-writer/api-failure.ts';
import { saveText } from './writing/save-spec.ts';

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

/** One spec a folder, dependencies before dependents; what is finished is never written twice. */
export async function runBatch(request: BatchRequest, parts: WritingParts): Promise<BatchResult> {
  const startedAt = parts.clock.monotonic();
  const progress = batchProgress(parts);
  progress.start();
  const root = await projectTarget(request, parts.cwd);
  const lastRun = await openLastRun(request, root, parts);
  if (lastRun.unchangedModules !== undefined) {
    const total = lastRun.unchangedModules;
    progress.writing({ done: total, total, label: root.label, cost: null });
    return nothingToDo(total, { request, parts, startedAt });
  }
  const checkpoint = await openCheckpoint(request, parts);
  try {
    const result = await runPlanned(request, { resumedAt: checkpoint.startedAt, startedAt, progress }, parts);
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

/** The answer for a project of which no file changed since its last complete run. */
function nothingToDo(
  totalModules: number,
  { request, parts, startedAt }: { request: BatchRequest; parts: WritingParts; startedAt: number },
): BatchResult {
  return {
    totalModules,
    successful: 0,
    failed: 0,
    skipped: totalModules,
    degraded: 0,
    unaffordable: 0,
    duration: Math.round(parts.clock.monotonic() - startedAt),
    leftOut: [],
    cost: request.astOnly || parts.price === undefined ? null : 0,
    indexGenerated: totalModules > 0,
    summaryLogPath: join(outputDirOf(request, parts.cwd), SUMMARY_NAME),
    failures: [],
    renewed: [],
  };
}

interface Run {
  resumedAt: string | undefined;
  startedAt: number;
  progress: BatchProgress;
}

async function runPlanned(
  request: BatchRequest,
  { resumedAt, startedAt, progress }: Run,
  parts: WritingParts,
): Promise<BatchResult> {
  const spending = spendingOf(request, parts);
  const plan = await planBatch(request, resumedAt, { ...parts, progress: progress.reading });
  const outcomes: Outcomes = new Map();
  try {
    await writePending({ plan, outcomes, spending, progress }, request, parts);
  } catch (error) {
    // Modules finished before a key was refused belong in the index.
    if (isFatal(error) && outcomes.size > 0) await saveIndex(plan, parts);
    throw error;
  } finally {
    await plan.project.close();
  }
  const indexGenerated = await saveIndex(plan, parts);
  const counts = { ...countsOf(plan, outcomes), duration: Math.round(parts.clock.monotonic() - startedAt) };
  const summaryLogPath = await saveSummary({ ...counts, plan, outcomes }, parts.clock);
  const renewed = plan.pending.map(({ label, reasons }) => ({ target: label, reasons }));
  return {
    ...counts,
    leftOut: leftOutIn(outcomes, parts.price),
    cost: request.astOnly ? null : costOf(outcomes, parts.price),
    indexGenerated,
    summaryLogPath,
    failures: failuresIn(outcomes),
    renewed,
  };
}

type Outcomes = Map<string, ModuleOutcome>;

function countsOf({ modules, pending }: BatchPlan, outcomes: Outcomes) {
  const count = (kind: ModuleOutcome['kind']) =>
    [...outcomes.values()].filter((each) => each.kind === kind).length;
  return {
    totalModules: modules.length,
    successful: count('written'),
    failed: count('failed'),
    skipped: modules.length - pending.length,
    degraded: count('degraded'),
    unaffordable: count('unaffordable'),
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
  progress: BatchProgress;
}

async function writePending(
  { plan, outcomes, spending, progress }: PendingWork,
  request: BatchRequest,
  parts: WritingParts,
): Promise<void> {
  const skipped = plan.modules.length - plan.pending.length;
  const report = (label: string) =>
    progress.writing({
      done: skipped + outcomes.size,
      total: plan.modules.length,
      label,
      cost: request.astOnly ? null : costOf(outcomes, parts.price),
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

/** Null if the price of a token is not known. */
function costOf(outcomes: Outcomes, price: Price | undefined): number | null {
  if (price === undefined) return null;
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

/** Runs at most so many at a time; none starts before everything it depends on has ended, well or not. */
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

const NAME = '.reverse-spec-batch.json';

/**
 * Remembers when a run began until it has ended. Every finished spec carries its own structure hash and time,
 * so this timestamp is all a resumed run needs: it separates the specs of the killed run from older ones.
 */
interface Checkpoint {
  /** Start of the resumed run; undefined if this is a new one. */
  startedAt: string | undefined;
  clear(): Promise<void>;
}

async function openCheckpoint(
  request: BatchRequest,
  { cwd, clock }: Pick<ReadingParts, 'cwd' | 'clock'>,
): Promise<Checkpoint> {
  const directory = outputDirOf(request, cwd);
  const startedAt = await interruptedRun(join(directory, NAME), request.force);
  if (startedAt === undefined) {
    const text = JSON.stringify({ startedAt: new Date(clock.now()).toISOString(), force: request.force });
    await saveText(directory, NAME, `${text}\n`);
  }
  return { startedAt, clear: () => rm(join(directory, NAME), { force: true }) };
}

async function interruptedRun(file: string, force: boolean): Promise<string | undefined> {
  try {
    const saved = JSON.parse(await readFile(file, 'utf8')) as { startedAt?: unknown; force?: unknown };
    return saved.force === force && typeof saved.startedAt === 'string' ? saved.startedAt : undefined;
  } catch {
    return undefined;
  }
}
