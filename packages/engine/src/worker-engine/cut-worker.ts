import { parentPort } from 'node:worker_threads';
import { systemClock } from '@secateur/base/runtime/time.ts';
import { answerJobs } from '@secateur/base/runtime/worker-pool.ts';
import { runEngineJob } from '../inline-engine.ts';
import { createLocalScorer } from '../ranking/local-scorer.ts';
import type { EngineJob } from '../worker-engine.ts';

if (parentPort === null) throw new Error('cut-worker runs inside a worker pool only');

const parts = { scorer: createLocalScorer(), clock: systemClock };
answerJobs(parentPort, (job, waitedMs) => runEngineJob(job as EngineJob, waitedMs, parts));
