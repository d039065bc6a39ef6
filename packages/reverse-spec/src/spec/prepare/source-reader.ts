import { availableParallelism } from 'node:os';
import v8 from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';
import { createWorkerPool, type WorkerPool } from '@secateur/base/runtime/worker-pool.ts';
import type { SourceReading, SourceRequest } from './read-source.ts';

export interface ReaderOptions {
  /** The compiled worker; without it files are read in this thread. */
  workerUrl: URL | undefined;
  maxFileBytes: number;
  signal: AbortSignal | undefined;
}

/** Called in any order, once a request. */
export type TakeReading = (at: number, reading: SourceReading) => void;

/** A parser needs some hundred files to get warm: fewer a thread and every thread pays for nothing. */
const FILES_A_THREAD = 400;
const MAX_THREADS = 8;
const FILES_A_JOB = 16;
/** Generous: only a parser that never ends reaches it. */
const JOB_TIMEOUT_MS = 120_000;

/** Reads many files, each once. */
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

/** The parsers are not loaded where threads of their own do the reading. */
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
  // One job waits while each worker reads another, so that none is idle between two.
  await Promise.all(Array.from({ length: size * 2 }, lane));
}

/**
 * A file that ends its thread (memory, time, a broken parser) takes no other with it: its batch is read again one by one, and it by
 * line patterns alone.
 */
async function runJob(pool: WorkerPool, job: readonly SourceRequest[]): Promise<SourceReading[]> {
  const outcome = await pool.run(job, JOB_TIMEOUT_MS);
  if (outcome.kind === 'done') return JSON.parse(outcome.answer as string);
  const [first] = job;
  if (job.length === 1 && first !== undefined)
    return first.byPatterns === true ? [FAILED] : runJob(pool, [{ ...first, byPatterns: true }]);
  const readings: SourceReading[] = [];
  for (const request of job) readings.push(...(await runJob(pool, [request])));
  return readings;
}

const FAILED: SourceReading = { kind: 'note', note: { code: 'failed' } };

/** The facts of a large project stay while its documents are written; V8 would let three times as much garbage gather beside them. */
const HEAP_GROWTH_PERCENT = 40;

const MEGABYTE = 1_048_576;
/**
 * A tree lives as long as its file is read; what outlives it is copied. With half of this, copies take a sixth of all time; with more, memory grows and time does not fall.
 */
const YOUNG_MB = 40;
/** The tree of a file that is parsed whole takes about a hundred times its size. */
const OLD_MB_A_MEGABYTE = 256;

/**
 * A file's tree is garbage when the next one is read. Left alone, each thread would let some hundred megabytes of it
 * gather before it looks.
 */
function heapLimits(maxFileBytes: number): ResourceLimits {
  const largest = Math.max(1, Math.ceil(maxFileBytes / MEGABYTE));
  return { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: largest * OLD_MB_A_MEGABYTE };
}
