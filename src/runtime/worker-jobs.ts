import type { MessagePort } from 'node:worker_threads';

/** How a pool and its workers talk. One job at a time a worker. */
export interface JobMessage {
  number: number;
  job: unknown;
}

export type AnswerMessage =
  | { number: number; kind: 'done'; answer: unknown }
  | { number: number; kind: 'failed'; message: string };

/** The worker's side: answers every job with what `handle` makes of it. */
export function answerJobs(port: MessagePort, handle: (job: unknown) => unknown): void {
  port.on('message', async ({ number, job }: JobMessage) => {
    port.postMessage(await answerTo(number, () => handle(job)));
  });
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
