import { type MessagePort, type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads';
import { MAX_TIMER_MS } from './time.ts';

export type JobOutcome =
  | { kind: 'done'; answer: unknown }
  | { kind: 'timeout' }
  | { kind: 'crashed'; message: string };

interface WorkerPoolOptions {
  /** Compiled module of the worker, which calls `answerJobs`. */
  url: URL;
  size: number;
  /** Limits of each worker's heap. Default: limits of Node. */
  limits?: ResourceLimits;
}

/** Returns the URL of a worker beside its caller: the compiled file if the caller is compiled, else the source (in tests). */
export function workerBeside(callerUrl: string, path: string): URL {
  return new URL(`${path}${isSource(callerUrl) ? '.ts' : '.js'}`, callerUrl);
}

const isSource = (url: string): boolean => url.endsWith('.ts');

function startThread(url: URL, options: WorkerOptions): Worker {
  if (!isSource(url.href)) return new Worker(url, options);
  const script = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(url.href)})))`;
  return new Worker(script, { ...options, eval: true, execArgv: ['--conditions=secateur-source'] });
}

interface Task extends JobMessage {
  settle(outcome: JobOutcome): void;
}

/** Time in ms between the timeout of a job and the end of its worker. Most workers finish before, which saves starting another one. */
const GRACE_MS = 1000;
/** Time in ms between the abort of a job and the end of its worker. Short, because other jobs may wait for the worker. */
const ABANDONED_GRACE_MS = 50;

interface PoolWorker {
  thread: Worker;
  task: Task | undefined;
  /** Whether the worker has loaded its modules. Only then does it get jobs, because ending it earlier would leave files open. */
  ready: boolean;
  /** Whether the worker has finished a job. A worker that dies before that is not replaced, because restarts might never end. */
  proven: boolean;
}

/**
 * Runs jobs in worker threads. No job blocks the main thread or runs longer than its time limit. The workers start
 * immediately, so that the first job does not wait for them.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #workers = new Set<PoolWorker>();
  readonly #waiting: Task[] = [];
  #nextNumber = 1;
  #closed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    for (let count = 0; count < options.size; count += 1) this.#spawn();
  }

  /** Runs a job. Never rejects. The time limit includes waiting for a worker. An aborted job is removed immediately. */
  run(job: unknown, timeoutMs: number, signal?: AbortSignal): Promise<JobOutcome> {
    if (this.#closed) return Promise.resolve({ kind: 'crashed', message: 'the pool is closed' });
    if (signal?.aborted) return Promise.resolve({ kind: 'timeout' });
    return new Promise((resolve) => {
      const number = this.#nextNumber++;
      const timer = setTimeout(() => this.#giveUp(number, GRACE_MS), Math.min(timeoutMs, MAX_TIMER_MS));
      const abandon = () => this.#giveUp(number, ABANDONED_GRACE_MS);
      signal?.addEventListener('abort', abandon, { once: true });
      const settle = (outcome: JobOutcome) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abandon);
        resolve(outcome);
      };
      this.#waiting.push({ number, job, askedAt: sharedMs(), settle });
      this.#dispatch();
    });
  }

  /** Returns the number of jobs that have not been started. */
  waiting(): number {
    return this.#waiting.length;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const task of this.#waiting.splice(0))
      task.settle({ kind: 'crashed', message: 'the pool is closing' });
    const workers = [...this.#workers];
    this.#workers.clear();
    await Promise.all(
      workers.map((worker) => this.#terminate(worker, { kind: 'crashed', message: 'the pool is closing' })),
    );
  }

  #spawn(): void {
    const { url, limits } = this.#options;
    const worker: PoolWorker = {
      thread: startThread(url, { ...(limits && { resourceLimits: limits }) }),
      task: undefined,
      ready: false,
      proven: false,
    };
    // An idle worker must not keep the process of a finished command alive.
    worker.thread.unref();
    worker.thread.on('message', (message: AnswerMessage) => this.#hear(worker, message));
    worker.thread.on('error', (error) => this.#replace(worker, { kind: 'crashed', message: error.message }));
    worker.thread.on('exit', () => this.#replace(worker, { kind: 'crashed', message: 'the worker ended' }));
    this.#workers.add(worker);
  }

  #dispatch(): void {
    while (this.#workers.size < Math.min(this.#options.size, this.#waiting.length)) this.#spawn();
    for (const worker of this.#workers) {
      if (worker.task !== undefined || !worker.ready) continue;
      const task = this.#waiting.shift();
      if (task === undefined) return;
      worker.task = task;
      worker.thread.ref();
      const { number, job, askedAt } = task;
      worker.thread.postMessage({ number, job, askedAt } satisfies JobMessage);
    }
  }

  #hear(worker: PoolWorker, message: AnswerMessage): void {
    const task = worker.task;
    if (message.kind === 'ready') {
      worker.ready = true;
      this.#dispatch();
      return;
    }
    if (task === undefined || task.number !== message.number) return;
    worker.task = undefined;
    worker.proven = true;
    worker.thread.unref();
    task.settle(message.kind === 'done' ? message : { kind: 'crashed', message: message.message });
    this.#dispatch();
  }

  /** Removes a waiting job. Ends the worker of a running job after `graceMs`, which also stops an endless loop. */
  #giveUp(number: number, graceMs: number): void {
    const waiting = this.#waiting.findIndex((task) => task.number === number);
    for (const task of waiting < 0 ? [] : this.#waiting.splice(waiting, 1)) task.settle({ kind: 'timeout' });
    for (const worker of this.#workers) {
      if (worker.task?.number !== number) continue;
      worker.task.settle({ kind: 'timeout' });
      setTimeout(() => this.#end(worker, number), graceMs).unref();
    }
  }

  #end(worker: PoolWorker, number: number): void {
    if (worker.task?.number === number) this.#replace(worker, { kind: 'timeout' });
  }

  #replace(worker: PoolWorker, outcome: JobOutcome): void {
    if (!this.#workers.delete(worker)) return;
    void this.#terminate(worker, outcome);
    if (this.#closed) return;
    if (worker.proven || outcome.kind === 'timeout') this.#spawn();
    this.#dispatch();
  }

  async #terminate(worker: PoolWorker, outcome: JobOutcome): Promise<void> {
    // A worker that ends before it is ready fails the next waiting job, so that restarts end.
    const task = worker.ready ? worker.task : this.#waiting.shift();
    task?.settle(outcome);
    worker.task = undefined;
    await worker.thread.terminate();
  }
}

/** Messages between a pool and its workers. Each worker runs one job at a time. */
interface JobMessage {
  number: number;
  job: unknown;
  /** Time at which `run` was called, from `sharedMs`. */
  askedAt: number;
}

type AnswerMessage =
  /** The worker has loaded its modules. */
  | { kind: 'ready' }
  | { number: number; kind: 'done'; answer: unknown }
  | { number: number; kind: 'failed'; message: string };

/** Runs in a worker. Returns the result of `handle` for every job; `handle` gets the job and its waiting time in ms. */
export function answerJobs(port: MessagePort, handle: (job: unknown, waitedMs: number) => unknown): void {
  port.postMessage({ kind: 'ready' } satisfies AnswerMessage);
  port.on('message', async ({ number, job, askedAt }: JobMessage) => {
    port.postMessage(await answerTo(number, () => handle(job, sharedMs() - askedAt)));
  });
}

/** Returns monotonic time in ms that is equal in all threads of a process. `performance.now()` starts at 0 in each thread. */
export function sharedMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

async function answerTo(number: number, work: () => unknown): Promise<AnswerMessage> {
  try {
    return { number, kind: 'done', answer: await work() };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { number, kind: 'failed', message };
  }
}
