import { type Deadline, runSyncWithTimeout, systemClock } from '@secateur/base/runtime/time.ts';
import { type CutParts, type CutText, cutText, rankText } from './cut.ts';
import { localScorer } from './ranking/local-scorer.ts';
import type { LineScores } from './ranking/scorer.ts';
import type { EngineJob, EngineOutcome, PruneEngine } from './worker-engine.ts';

/**
 * Cuts in this thread, for processes that make one cut and for tests. A cut that is not done at `until` is stopped.
 */
export function inlineEngine(
  parts: CutParts = { scorer: localScorer, clock: systemClock },
  until?: Deadline,
): PruneEngine {
  return {
    cut: async (job) => attempt(() => cutText(job, parts), until),
    rank: async (job) => attempt(() => rankText(job, parts), until),
    close: async () => {},
  };
}

function attempt<Answer>(work: () => Answer | undefined, until?: Deadline): EngineOutcome<Answer> {
  try {
    const answer = until === undefined ? work() : runSyncWithTimeout(work, until.remainingMs());
    return answer === undefined ? { kind: 'timeout' } : { kind: 'done', answer };
  } catch (error) {
    return { kind: 'crashed', message: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Runs a job in a worker; undefined if its time ran out. Apart from `engine.ts`, so that the main thread
 * never loads the cutting itself.
 */
export function runEngineJob(
  { kind, job }: EngineJob,
  waitedMs: number,
  parts: CutParts,
): CutText | LineScores | undefined {
  const remainingMs = Math.max(0, job.remainingMs - waitedMs);
  return kind === 'cut' ? cutText({ ...job, remainingMs }, parts) : rankText({ ...job, remainingMs }, parts);
}
