import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';
import { createWorkerPool, type WorkerPool } from '../../runtime/worker-pool.ts';
import type { ReadingTools, SourceReading, SourceRequest } from './read-source.ts';
import { type RecordBatch, recordsOf } from './record.ts';

/** Reads many files; answers in any order, some at a time, each batch with the place of its first request. */
export interface SourceReader {
  read(requests: SourceRequests, done: (start: number, batch: RecordBatch) => void): Promise<void>;
  close(): Promise<void>;
}

/** A list of them, or something that makes them as they are asked for. */
export interface SourceRequests {
  readonly length: number;
  slice(start: number, end: number): SourceRequest[];
}

export interface ReaderOptions {
  /** The compiled worker; without it files are read in this thread. */
  workerUrl: URL | undefined;
  /** How many files are to be read: few are not worth starting threads for. */
  fileCount: number;
  maxFileBytes: number;
  signal: AbortSignal | undefined;
}

const WORTH_THREADS = 48;
/** A parser needs some hundred files to get warm: fewer a thread and every thread pays for nothing. */
const FILES_A_THREAD = 400;
const MOST_THREADS = 8;
const FILES_A_JOB = 16;
/** Generous: only a parser that never ends reaches it. */
const JOB_TIMEOUT_MS = 120_000;

export function createSourceReader(options: ReaderOptions): SourceReader {
  const { workerUrl, fileCount, signal } = options;
  if (workerUrl === undefined || fileCount < WORTH_THREADS) return readHere(signal);
  const cores = Math.min(MOST_THREADS, availableParallelism());
  return readInThreads(workerUrl, {
    ...options,
    size: Math.min(cores, Math.ceil(fileCount / FILES_A_THREAD)),
  });
}

/** The parsers are not loaded where threads of their own do the reading. */
function readHere(signal: AbortSignal | undefined): SourceReader {
  let tools: ReadingTools | undefined;
  return {
    read: async (requests, done) => {
      const { createReadingTools, readSource } = await import('./read-source.ts');
      tools ??= createReadingTools();
      for (let at = 0; at < requests.length; at += 1) {
        signal?.throwIfAborted();
        for (const request of requests.slice(at, at + 1))
          done(at, recordsOf([await readSource(request, tools)]));
      }
    },
    close: async () => tools?.outliner.close(),
  };
}

function readInThreads(
  url: URL,
  { size, signal, maxFileBytes }: ReaderOptions & { size: number },
): SourceReader {
  optimiseLater();
  const pool = createWorkerPool({ url, size, limits: heapLimits(maxFileBytes) });
  return {
    read: async (requests, done) => {
      let next = 0;
      const lane = async () => {
        while (next < requests.length) {
          signal?.throwIfAborted();
          const start = next;
          next += FILES_A_JOB;
          const job = requests.slice(start, start + FILES_A_JOB);
          await runJob(pool, { job, start, done });
        }
      };
      // One job waits while each worker reads another, so that none stands idle between two.
      await Promise.all(Array.from({ length: size * 2 }, lane));
    },
    close: () => pool.close(),
  };
}

interface Job {
  job: readonly SourceRequest[];
  start: number;
  done(start: number, batch: RecordBatch): void;
}

/** A file that ends its thread (memory, time) ends no other: the rest of its batch is read one by one. */
async function runJob(pool: WorkerPool, { job, start, done }: Job): Promise<void> {
  const outcome = await pool.run(job, JOB_TIMEOUT_MS);
  if (outcome.kind === 'done') done(start, outcome.answer as RecordBatch);
  else if (job.length === 1) done(start, recordsOf([FAILED]));
  else
    for (const [at, request] of job.entries())
      await runJob(pool, { job: [request], start: start + at, done });
}

/**
 * Every thread warms up the same parser for itself, and a third of its time goes to an optimiser that is eager enough
 * for programs that run for hours. A higher threshold saves about a tenth of the whole. Only the engine of Node 20 knows
 * the switch; later ones have a cheaper optimiser in between and need none.
 */
export function optimiseLater(): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=400000');
}

const MEGABYTE = 1_048_576;
const YOUNG_MB = 24;
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

const FAILED: SourceReading = { kind: 'note', note: '解析失败，已跳过' };
