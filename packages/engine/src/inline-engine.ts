import { type Deadline, runSyncWithTimeout, systemClock } from '@secateur/base/runtime/time.ts';
import { type CutParts, type CutText, cutText, rankText } from './cut.ts';
import { createLocalScorer } from './ranking/local-scorer.ts';
import type { LineScores } from './ranking/scorer.ts';
import type { EngineJob, EngineOutcome, PruneEngine } from './worker-engine.ts';

/** Engine that runs in the calling thread, for tests and for processes that make a single cut. Stops a cut at `until`. */
export function inlineEngine(
  parts: CutParts = { scorer: createLocalScorer(), clock: systemClock },
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

/** Runs a job in a worker. Only workers load the cutting code. `undefined` if the time was too short. */
export function runEngineJob(
  { kind, job }: EngineJob,
  waitedMs: number,
  parts: CutParts,
): CutText | LineScores | undefined {
  const remainingMs = Math.max(0, job.remainingMs - waitedMs);
  return kind === 'cut' ? cutText({ ...job, remainingMs }, parts) : rankText({ ...job, remainingMs }, parts);
}
