import { availableParallelism } from 'node:os';
import { WorkerPool, workerBeside } from '@secateur/base/runtime/worker-pool.ts';
import type { CutJob, CutText, RankJob } from './cut.ts';
import type { LineScores } from './ranking/scorer.ts';

/** Runs the part of pruning that needs much CPU time. Failures are returned, not thrown, and the pruner decides what to do. */
export interface PruneEngine {
  /** Cuts a text. If `signal` aborts, the outcome is `timeout`. */
  cut(job: CutJob, signal?: AbortSignal): Promise<EngineOutcome<CutText>>;
  rank(job: RankJob, signal?: AbortSignal): Promise<EngineOutcome<LineScores>>;
  close(): Promise<void>;
}

export type EngineOutcome<Answer> =
  | { kind: 'done'; answer: Answer }
  | { kind: 'timeout' }
  | { kind: 'crashed'; message: string };

export type EngineJob = { kind: 'cut'; job: CutJob } | { kind: 'rank'; job: RankJob };

export interface WorkerEngineOptions {
  /** Number of workers. Default: the number of cores, at most four. */
  workers?: number;
  /** URL of the worker. Default: the compiled worker next to this file. */
  workerUrl?: URL;
}

export interface WorkerEngine extends PruneEngine {
  /** Returns the number of jobs that are waiting for a worker. */
  waiting(): number;
}

const MAX_WORKERS = 4;

/** Runs jobs in worker threads. A slow text then does not block other calls and cannot exceed its time limit. */
export function workerEngine(options: WorkerEngineOptions = {}): WorkerEngine {
  const pool = new WorkerPool({
    size: options.workers ?? Math.min(MAX_WORKERS, availableParallelism()),
    url: options.workerUrl ?? workerBeside(import.meta.url, './worker-engine/cut-worker'),
  });
  const run = async <Answer>(job: EngineJob, signal?: AbortSignal): Promise<EngineOutcome<Answer>> => {
    const outcome = await pool.run(job, job.job.remainingMs, signal);
    if (outcome.kind !== 'done') return outcome;
    // The worker stopped by itself because its time was over.
    return outcome.answer === undefined ? { kind: 'timeout' } : (outcome as EngineOutcome<Answer>);
  };
  return {
    cut: (job, signal) => run({ kind: 'cut', job }, signal),
    rank: (job, signal) => run({ kind: 'rank', job }, signal),
    waiting: () => pool.waiting(),
    close: () => pool.close(),
  };
}
