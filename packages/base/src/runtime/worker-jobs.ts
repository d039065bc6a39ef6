import type { MessagePort } from 'node:worker_threads';

/** Messages between a pool and its workers. One job at a time per worker. */
export interface JobMessage {
  number: number;
  job: unknown;
  /** When the pool was asked, by `sharedMs`. */
  askedAt: number;
}

export type AnswerMessage =
  /** Its modules are loaded. */
  | { kind: 'ready' }
  | { number: number; kind: 'done'; answer: unknown }
  | { number: number; kind: 'failed'; message: string };

/** Handles, in a worker, a job that was requested `waitedMs` ago. */
export type JobHandler = (job: unknown, waitedMs: number) => unknown;

/** The worker's side: answers every job with what `handle` makes of it. */
export function answerJobs(port: MessagePort, handle: JobHandler): void {
  port.postMessage({ kind: 'ready' } satisfies AnswerMessage);
  port.on('message', async ({ number, job, askedAt }: JobMessage) => {
    port.postMessage(await answerTo(number, () => handle(job, sharedMs() - askedAt)));
  });
}

/** Milliseconds that only grow, the same in all threads of a process; `performance.now()` starts from 0 in each. */
export function sharedMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

async function answerTo(number: number, work: () => unknown): Promise<AnswerMessage> {
  try {
    return { number, kind: 'done', answer: await work() };
  } catch (error) {
    return {
      number,
      kind: 'failed',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}
