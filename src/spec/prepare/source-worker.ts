import { parentPort } from 'node:worker_threads';
import { answerJobs } from '../../runtime/worker-jobs.ts';
import { createOutliner } from '../../syntax/read-outline.ts';
import { readSource, type SourceRequest } from './read-source.ts';

// Facts travel as JSON text: cheaper to hand over than an object graph, and what the cache stores anyway.
if (parentPort !== null) {
  const outliner = createOutliner();
  answerJobs(parentPort, async (job) => {
    const readings: string[] = [];
    for (const request of job as SourceRequest[])
      readings.push(JSON.stringify(await readSource(request, outliner)));
    return readings;
  });
}
