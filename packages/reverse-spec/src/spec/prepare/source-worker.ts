import { parentPort } from 'node:worker_threads';
import { answerJobs } from '@secateur/base/runtime/worker-pool.ts';
import { createReadingTools, readSource, type SourceReading, type SourceRequest } from './read-source.ts';

if (parentPort !== null) {
  const tools = createReadingTools();
  answerJobs(parentPort, async (job) => {
    const readings: SourceReading[] = [];
    for (const request of job as SourceRequest[]) readings.push(await readSource(request, tools));
    // Only another thread has another machine for the parsers; the pool starts one and asks again.
    if (tools.outliner.isBroken()) process.exit(1);
    // As text it crosses for a third of what a graph of objects takes.
    return JSON.stringify(readings);
  });
}
