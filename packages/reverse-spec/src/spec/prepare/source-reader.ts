import { availableParallelism } from 'node:os';
import v8 from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';
import { createWorkerPool, type WorkerPool } from '@secateur/base/runtime/worker-pool.ts';
import type { SourceReading, SourceRequest } from './read-source.ts';

export interface ReaderOptions {
  /** URL of the compiled worker. If undefined, files are read in this thread. */
  workerUrl: URL | undefined;
  maxFileBytes: number;
  signal: AbortSignal | undefined;
}

/** Called once per request, in any order. */
export type TakeReading = (at: number, reading: SourceReading) => void;

/** Minimum number of files per thread. With fewer, starting another thread takes longer than it saves. */
const FILES_A_THREAD = 400;
const MAX_THREADS = 8;
const FILES_A_JOB = 16;
/** Timeout of a job in ms. Parsers end after a number of steps, so only a thread that never answers reaches it. */
const JOB_TIMEOUT_MS = 600_000;

/** Reads files, in worker threads if a worker is available. */
export async function readSources(
  requests: readonly SourceRequest[],
  options: ReaderOptions,
  take: TakeReading,
): Promise<void> {
  if (options.workerUrl === undefined) return readHere(requests, options, take);
  const cores = Math.min(MAX_THREADS, availableParallelism());
  const size = Math.min(cores, Math.ceil(requests.length / FILES_A_THREAD));
  v8.setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const pool = createWorkerPool({ url: options.workerUrl, size, limits: heapLimits(options.maxFileBytes) });
  try {
    await readInThreads(requests, { pool, size, signal: options.signal }, take);
  } finally {
    await pool.close();
  }
}

/** Reads files in this thread. Parsers are imported here, so that they are not loaded beside workers. */
async function readHere(
  requests: readonly SourceRequest[],
  { signal }: ReaderOptions,
  take: TakeReading,
): Promise<void> {
  const { createReadingTools, readSource } = await import('./read-source.ts');
  const tools = createReadingTools();
  try {
    for (const [at, request] of requests.entries()) {
      signal?.throwIfAborted();
      take(at, await readSource(request, tools));
    }
  } finally {
    await tools.outliner.close();
  }
}

async function readInThreads(
  requests: readonly SourceRequest[],
  { pool, size, signal }: { pool: WorkerPool; size: number; signal: AbortSignal | undefined },
  take: TakeReading,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < requests.length) {
      signal?.throwIfAborted();
      const start = next;
      next += FILES_A_JOB;
      const readings = await runJob(pool, requests.slice(start, next));
      for (const [at, reading] of readings.entries()) take(start + at, reading);
    }
  };
  // Two jobs per worker: one waits while the worker reads the other, so that no worker is idle.
  await Promise.all(Array.from({ length: size * 2 }, lane));
}

/**
 * Runs a job. If a file ends its thread (memory, timeout, broken parser), the files of the job are read again
 * one by one, and that file by line patterns alone.
 */
async function runJob(pool: WorkerPool, job: readonly SourceRequest[]): Promise<SourceReading[]> {
  const outcome = await pool.run(job, JOB_TIMEOUT_MS);
  if (outcome.kind === 'done') return JSON.parse(outcome.answer as string);
  const [first] = job;
  const byPatterns = outcome.kind === 'timeout' ? 'late' : 'too-much';
  if (job.length === 1 && first !== undefined)
    return first.byPatterns === undefined ? runJob(pool, [{ ...first, byPatterns }]) : [FAILED];
  const readings: SourceReading[] = [];
  for (const request of job) readings.push(...(await runJob(pool, [request])));
  return readings;
}

const FAILED: SourceReading = { kind: 'note', note: { code: 'failed' } };

/** Growth of the V8 heap in percent between collections. The default allows three times the garbage. */
const HEAP_GROWTH_PERCENT = 40;

const MEGABYTE = 1_048_576;
/** Young generation in MB. With half of it, copying takes a sixth of all time; more saves no time. */
const YOUNG_MB = 40;
/** Old generation in MB per MB of the largest file. The tree of a file takes about 100 times its size. */
const OLD_MB_A_MEGABYTE = 256;

/** Limits the heap of a worker, which would gather some hundred MB of discarded trees without it. */
function heapLimits(maxFileBytes: number): ResourceLimits {
  const largest = Math.max(1, Math.ceil(maxFileBytes / MEGABYTE));
  return { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: largest * OLD_MB_A_MEGABYTE };
}
