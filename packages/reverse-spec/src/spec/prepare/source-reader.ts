import { availableParallelism } from 'node:os';
import v8 from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';
import { WorkerPool } from '@secateur/base/runtime/worker-pool.ts';
import type { SourceReading, SourceRequest } from './read-source.ts';

export interface ReaderOptions {
  /** URL of the compiled worker. If undefined, files are read in this thread. */
  workerUrl: URL | undefined;
  maxFileBytes: number;
  signal: AbortSignal | undefined;
}

/** Called once per request when its reading is complete. The order is not that of the requests. */
export type TakeReading = (at: number, reading: SourceReading) => void;

/** Minimum number of files per thread. With fewer, starting another thread takes longer than it saves. */
const FILES_A_THREAD = 400;
const MAX_THREADS = 8;
const FILES_A_JOB = 16;
/** Timeout of a job in ms. Parsers stop after a maximum number of steps, so only a blocked thread exceeds it. */
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
  const pool = new WorkerPool({ url: options.workerUrl, size, limits: heapLimits(options.maxFileBytes) });
  try {
    await readInThreads(requests, { pool, size, signal: options.signal }, take);
  } finally {
    await pool.close();
  }
}

/** Reads files in this thread. Imports the parsers here, so that the main thread does not load them if there are workers. */
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
  // Two jobs per worker: one waits while the other is read, so that the worker is never idle.
  await Promise.all(Array.from({ length: size * 2 }, lane));
}

/**
 * Runs a job. If the thread dies (memory, timeout, crashed parser), its files are read again one by one, and
 * the file that caused it by line patterns.
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

/** Growth of the V8 heap in percent after which garbage is collected. By default V8 would hold three times as much garbage. */
const HEAP_GROWTH_PERCENT = 40;

const MEGABYTE = 1_048_576;
/** Size of V8's young generation in MB. With half of it, copying objects takes a sixth of the run time; a larger one saves nothing. */
const YOUNG_MB = 40;
/** Size of V8's old generation in MB per MB of the largest file. The tree of a file takes about 100 times the size of the file. */
const OLD_MB_A_MEGABYTE = 256;

/** Returns heap limits for a worker. Without them it would keep hundreds of MB of discarded trees. */
function heapLimits(maxFileBytes: number): ResourceLimits {
  const largest = Math.max(1, Math.ceil(maxFileBytes / MEGABYTE));
  return { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: largest * OLD_MB_A_MEGABYTE };
}
