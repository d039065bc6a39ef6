import { parentPort } from 'node:worker_threads';
import { answerJobs } from '../../runtime/worker-jobs.ts';
import { createReadingTools, readSource, type SourceReading, type SourceRequest } from './read-source.ts';
import { recordsOf } from './record.ts';

// Facts travel as bytes: cheaper to hand over than an object graph, and what the cache stores anyway.
if (parentPort !== null) {
  const tools = createReadingTools();
  answerJobs(parentPort, async (job) => {
    const readings: SourceReading[] = [];
    for (const request of job as SourceRequest[]) readings.push(await readSource(request, tools));
    return recordsOf(readings);
  });
}
