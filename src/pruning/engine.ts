import { systemClock } from '../runtime/clock.ts';
import type { WorkerPool } from '../runtime/worker-pool.ts';
import { type CutJob, type CutParts, type CutText, cutText } from './cut.ts';
import { localScorer } from './scorers/registry.ts';

/** Where the heavy part of pruning runs. Trouble is a value: the pruner decides what to make of it. */
export interface PruneEngine {
  cut(job: CutJob): Promise<EngineOutcome>;
}

export type EngineOutcome =
  | { kind: 'cut'; cut: CutText }
  | { kind: 'timeout' }
  | { kind: 'crashed'; message: string };

/** In worker threads: a slow text blocks nobody, and its time limit holds. For servers. */
export function pooledEngine(pool: WorkerPool): PruneEngine {
  return {
    cut: async (job) => {
      const outcome = await pool.run(job, job.remainingMs);
      return outcome.kind === 'done' ? { kind: 'cut', cut: outcome.answer as CutText } : outcome;
    },
  };
}

/** In this thread. For tests and one-off commands: a text without end would block its caller. */
export function inlineEngine(parts: CutParts = { scorer: localScorer, clock: systemClock }): PruneEngine {
  return {
    cut: async (job) => {
      try {
        return { kind: 'cut', cut: cutText(job, parts) };
      } catch (error) {
        return { kind: 'crashed', message: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
