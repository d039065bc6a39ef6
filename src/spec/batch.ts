import { openCheckpoint } from './batch/checkpoint.ts';
import { saveIndex } from './batch/index-document.ts';
import { type BatchPlan, type BatchRequest, planBatch, projectTarget } from './batch/plan.ts';
import { runInOrder } from './batch/run-in-order.ts';
import { saveSummary } from './batch/summary.ts';
import { type ModuleOutcome, writeModule } from './batch/write-module.ts';
import type { RenewalReason } from './freshness.ts';
import { chooseWriter, type WritingParts } from './generate.ts';

export interface BatchResult {
  totalModules: number;
  successful: number;
  failed: number;
  /** Unchanged since their spec was written, or finished by the run this one resumes. */
  skipped: number;
  /** Written, but with less from the model than was asked for. */
  degraded: number;
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
    // Only a run that was stopped from outside is one to resume.
    if (parts.signal?.aborted !== true) await checkpoint.clear();
    throw error;
  }
}

async function runPlanned(
  request: BatchRequest,
  resumedAt: string | undefined,
  parts: WritingParts,
): Promise<BatchResult> {
  const startedAt = parts.clock.monotonic();
  const plan = await planBatch(request, resumedAt, parts);
  const outcomes = await writePending(plan, request, parts);
  const indexGenerated = await saveIndex(plan, parts);
  const count = (kind: ModuleOutcome['kind']) =>
    [...outcomes.values()].filter((each) => each.kind === kind).length;
  const counts = {
    totalModules: plan.modules.length,
    successful: count('written'),
    failed: count('failed'),
    skipped: plan.modules.length - plan.pending.length,
    degraded: count('degraded'),
    duration: Math.round(parts.clock.monotonic() - startedAt),
  };
  const summaryLogPath = await saveSummary({ ...counts, plan, outcomes }, parts.clock);
  const renewed = plan.pending.map(({ label, reasons }) => ({ target: label, reasons }));
  return { ...counts, indexGenerated, summaryLogPath, failures: failuresIn(outcomes), renewed };
}

async function writePending(
  plan: BatchPlan,
  request: BatchRequest,
  parts: WritingParts,
): Promise<Map<string, ModuleOutcome>> {
  const outcomes = new Map<string, ModuleOutcome>();
  const skipped = plan.modules.length - plan.pending.length;
  const report = (message: string) =>
    parts.progress?.({ done: skipped + outcomes.size, total: plan.modules.length, message });
  report(plan.root.label);
  if (plan.pending.length === 0) return outcomes;
  const writer = chooseWriter(request.astOnly, parts);
  const limits = { concurrency: request.concurrency, ...(parts.signal && { signal: parts.signal }) };
  await runInOrder(plan.pending, limits, async (module) => {
    outcomes.set(module.label, await writeModule(module, { plan, writer }, parts));
    report(module.label);
  });
  return outcomes;
}

function failuresIn(outcomes: ReadonlyMap<string, ModuleOutcome>): BatchResult['failures'] {
  return [...outcomes].flatMap(([target, outcome]) =>
    outcome.kind === 'failed' ? [{ target, reason: outcome.reason }] : [],
  );
}
