import { parentPort } from 'node:worker_threads';
import { answerJobs } from '@secateur/base/runtime/worker-pool.ts';
import { createReadingTools, readSource, type SourceReading, type SourceRequest } from './read-source.ts';

if (parentPort !== null) {
  const tools = createReadingTools();
  answerJobs(parentPort, async (job) => {
    const readings: SourceReading[] = [];
    for (const request of job as SourceRequest[]) readings.push(await readSource(request, tools));
    // The crashed WebAssembly instance can only be replaced in another thread. The pool starts one and
    // repeats the job.
    if (tools.outliner.isBroken()) process.exit(1);
    // Transferring text takes a third of the time of transferring objects.
    return JSON.stringify(readings);
  });
}
