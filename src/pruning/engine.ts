import { availableParallelism } from 'node:os';
import { systemClock } from '../runtime/clock.ts';
import { createWorkerPool } from '../runtime/worker-pool.ts';
import { type CutJob, type CutParts, type CutText, cutText, type RankJob, rankText } from './cut.ts';
import type { LineScores } from './scorer.ts';
import { localScorer } from './scorers/registry.ts';

/** Where the heavy part of pruning runs. Trouble is a value: the pruner decides what to make of it. */
export interface PruneEngine {
  cut(job: CutJob): Promise<EngineOutcome<CutText>>;
  rank(job: RankJob): Promise<EngineOutcome<LineScores>>;
  close(): Promise<void>;
}

export type EngineOutcome<Answer> =
  | { kind: 'done'; answer: Answer }
  | { kind: 'timeout' }
  | { kind: 'crashed'; message: string };

/** What travels to a worker. */
export type EngineJob = { kind: 'cut'; job: CutJob } | { kind: 'rank'; job: RankJob };

export function runEngineJob({ kind, job }: EngineJob, parts: CutParts): CutText | LineScores {
  return kind === 'cut' ? cutText(job, parts) : rankText(job, parts);
}

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
  const run = async <Answer>(job: EngineJob) =>
    (await pool.run(job, job.job.remainingMs)) as EngineOutcome<Answer>;
  return {
    cut: (job) => run({ kind: 'cut', job }),
    rank: (job) => run({ kind: 'rank', job }),
    close: () => pool.close(),
  };
}

/** In this thread: for tests, where a text without end may block its caller. */
export function inlineEngine(parts: CutParts = { scorer: localScorer, clock: systemClock }): PruneEngine {
  return {
    cut: async (job) => attempt(() => cutText(job, parts)),
    rank: async (job) => attempt(() => rankText(job, parts)),
    close: async () => {},
  };
}

function attempt<Answer>(work: () => Answer): EngineOutcome<Answer> {
  try {
    return { kind: 'done', answer: work() };
  } catch (error) {
    return { kind: 'crashed', message: error instanceof Error ? error.message : String(error) };
  }
}
