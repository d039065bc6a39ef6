import { openCheckpoint } from './batch/checkpoint.ts';
import { saveIndex } from './batch/index-document.ts';
import { type BatchPlan, type BatchRequest, planBatch, projectTarget } from './batch/plan.ts';
import { runInOrder } from './batch/run-in-order.ts';
import { saveSummary } from './batch/summary.ts';
import { type ModuleOutcome, writeModule } from './batch/write-module.ts';
import { chooseWriter, type WritingParts } from './generate.ts';
import { specError } from './messages.ts';
import { Spending } from './writing/cost.ts';
import type { RenewalReason } from './writing/freshness.ts';
import { isFatal } from './writing/model-writer/api-failure.ts';

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
  await projectTarget(request, parts.cwd);
  const checkpoint = await openCheckpoint(request, parts);
  try {
    const result = await runPlanned(request, checkpoint.startedAt, parts);
    await checkpoint.clear();
    return result;
  } catch (error) {
    // A run that was stopped, from outside or by a refused key, is one to resume.
    if (parts.signal?.aborted !== true && !isFatal(error)) await checkpoint.clear();
    throw error;
  }
}

async function runPlanned(
  request: BatchRequest,
  resumedAt: string | undefined,
  parts: WritingParts,
): Promise<BatchResult> {
  const startedAt = parts.clock.monotonic();
  const spending = spendingOf(request, parts);
  const plan = await planBatch(request, resumedAt, parts);
  const outcomes: Outcomes = new Map();
  try {
    await writePending({ plan, outcomes, spending }, request, parts);
  } catch (error) {
    // What was finished before a key was refused belongs into the index.
    if (isFatal(error) && outcomes.size > 0) await saveIndex(plan, parts);
    throw error;
  } finally {
    await plan.project.close();
  }
  const indexGenerated = await saveIndex(plan, parts);
  const counts = { ...countsOf(plan, outcomes), duration: Math.round(parts.clock.monotonic() - startedAt) };
  const summaryLogPath = await saveSummary({ ...counts, plan, outcomes }, parts.clock);
  const renewed = plan.pending.map(({ label, reasons }) => ({ target: label, reasons }));
  return { ...counts, indexGenerated, summaryLogPath, failures: failuresIn(outcomes), renewed };
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

async function writePending(
  { plan, outcomes, spending }: { plan: BatchPlan; outcomes: Outcomes; spending: Spending | undefined },
  request: BatchRequest,
  parts: WritingParts,
): Promise<void> {
  const skipped = plan.modules.length - plan.pending.length;
  const report = (message: string) =>
    parts.progress?.({ done: skipped + outcomes.size, total: plan.modules.length, message });
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

function failuresIn(outcomes: ReadonlyMap<string, ModuleOutcome>): BatchResult['failures'] {
  return [...outcomes].flatMap(([target, outcome]) =>
    outcome.kind === 'failed' ? [{ target, reason: outcome.reason }] : [],
  );
}
