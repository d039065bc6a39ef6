import { parentPort } from 'node:worker_threads';
import { systemClock } from '@secateur/base/runtime/time.ts';
import { answerJobs } from '@secateur/base/runtime/worker-pool.ts';
import { createLocalScorer } from '@secateur/engine/ranking/local-scorer.ts';
import { productCutter } from '../../replay/product-cutter.ts';
import type { ReplayJob } from './replay-all.ts';
import { replaySession } from './replay-session.ts';

if (parentPort === null) throw new Error('replay-worker runs inside a worker pool only');

answerJobs(parentPort, (job) => {
  const { path, sinceMs, settings, assumed, bytesRead } = job as ReplayJob;
  const cut = productCutter({ scorer: createLocalScorer(), clock: systemClock }, settings);
  const progress = (bytes: number) => Atomics.add(bytesRead, 0, BigInt(bytes));
  return replaySession(path, { cut, sinceMs, assumed, progress });
});
