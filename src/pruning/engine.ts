import { availableParallelism } from 'node:os';
import { systemClock } from '../runtime/clock.ts';
import { createWorkerPool } from '../runtime/worker-pool.ts';
import { type CutJob, type CutParts, type CutText, cutText } from './cut.ts';
import { localScorer } from './scorers/registry.ts';

/** Where the heavy part of pruning runs. Trouble is a value: the pruner decides what to make of it. */
export interface PruneEngine {
  cut(job: CutJob): Promise<EngineOutcome>;
  close(): Promise<void>;
}

export type EngineOutcome =
  | { kind: 'cut'; cut: CutText }
  | { kind: 'timeout' }
  | { kind: 'crashed'; message: string };

export interface WorkerEngineOptions {
  /** Default: as many as the machine has cores, four at most. */
  workers?: number;
  /** Default: the compiled worker beside this file. */
  workerUrl?: URL;
}

const MOST_WORKERS = 4;

/** In worker threads: a slow text blocks nobody, and its time limit holds. */
export function workerEngine(options: WorkerEngineOptions = {}): PruneEngine {
  const pool = createWorkerPool({
    size: options.workers ?? Math.min(MOST_WORKERS, availableParallelism()),
    url: options.workerUrl ?? new URL('./cut-worker.js', import.meta.url),
  });
  return {
    cut: async (job) => {
      const outcome = await pool.run(job, job.remainingMs);
      return outcome.kind === 'done' ? { kind: 'cut', cut: outcome.answer as CutText } : outcome;
    },
    close: () => pool.close(),
  };
}

/** In this thread: for tests, where a text without end may block its caller. */
export function inlineEngine(parts: CutParts = { scorer: localScorer, clock: systemClock }): PruneEngine {
  return {
    cut: async (job) => {
      try {
        return { kind: 'cut', cut: cutText(job, parts) };
      } catch (error) {
        return { kind: 'crashed', message: error instanceof Error ? error.message : String(error) };
      }
    },
    close: async () => {},
  };
}
