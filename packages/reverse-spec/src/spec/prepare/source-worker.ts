import { parentPort } from 'node:worker_threads';
import { answerJobs } from '@secateur/base/runtime/worker-pool.ts';
import { createReadingTools, readSource, type SourceReading, type SourceRequest } from './read-source.ts';

if (parentPort !== null) {
  const tools = createReadingTools();
  answerJobs(parentPort, async (job) => {
    const readings: SourceReading[] = [];
    for (const request of job as SourceRequest[]) readings.push(await readSource(request, tools));
    // A crashed WebAssembly instance cannot be replaced in the same thread. The pool starts another thread
    // and repeats the job.
    if (tools.outliner.isBroken()) process.exit(1);
    // A string is transferred three times as fast as the objects in it.
    return JSON.stringify(readings);
  });
}
