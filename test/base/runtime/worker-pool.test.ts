import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { WorkerPool } from '../../../packages/base/src/runtime/worker-pool.ts';

const workerJobs = new URL('../../../packages/base/src/runtime/worker-pool.ts', import.meta.url);
let folder: string;
let url: URL;
let pool: WorkerPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pool-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const path = join(folder, 'worker.ts');
  writeFileSync(
    path,
    `import { parentPort, threadId } from 'node:worker_threads';
     import { answerJobs } from ${JSON.stringify(workerJobs.href)};
     answerJobs(parentPort, ({ do: what, ms, value }, waitedMs) => {
       if (what === 'waited') return waitedMs;
       if (what === 'spin') for (;;);
       if (what === 'throw') throw new Error('no good');
       if (what === 'die') process.exit(3);
       if (what === 'thread') return threadId;
       if (what === 'wait') return new Promise((resolve) => setTimeout(resolve, ms, value));
       return value;
     });`,
  );
  url = pathToFileURL(path);
});
afterEach(() => pool.close());
afterAll(() => rm(folder, { recursive: true }));

it('WorkerPool runs more jobs than it has workers', async () => {
  pool = new WorkerPool({ url, size: 2 });
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, value) => pool.run({ do: 'echo', value }, 60_000)),
  );
  expect(outcomes).toEqual(
    Array.from({ length: 20 }, (_, answer) => expect.objectContaining({ kind: 'done', answer })),
  );
});

it('[P23] the worker pool ends a job that never returns, and runs the next job in a new worker', async () => {
  pool = new WorkerPool({ url, size: 1 });
  const before = await pool.run({ do: 'thread' }, 60_000);
  expect(await pool.run({ do: 'spin' }, 50)).toEqual({ kind: 'timeout' });
  const after = await pool.run({ do: 'thread' }, 60_000);
  expect(after).toMatchObject({ kind: 'done' });
  expect(after).not.toEqual(before);
});

it('[P23] the worker pool includes waiting in the time limit of a job, and keeps a busy worker', async () => {
  pool = new WorkerPool({ url, size: 1 });
  const slow = pool.run({ do: 'wait', ms: 300, value: 'slow' }, 60_000);
  expect(await pool.run({ do: 'echo', value: 1 }, 20)).toEqual({ kind: 'timeout' });
  expect(await slow).toMatchObject({ kind: 'done', answer: 'slow' });
});

it('[P23] the worker pool keeps a worker that finishes soon after the time limit of its job', async () => {
  pool = new WorkerPool({ url, size: 1 });
  const before = await pool.run({ do: 'thread' }, 60_000);
  expect(await pool.run({ do: 'wait', ms: 200, value: 'late' }, 50)).toEqual({ kind: 'timeout' });
  expect(await pool.run({ do: 'thread' }, 60_000)).toEqual({ ...before, number: expect.any(Number) });
});

it('[P23] the worker pool tells each job how long the job has waited', async () => {
  pool = new WorkerPool({ url, size: 1 });
  const slow = pool.run({ do: 'wait', ms: 150, value: 'slow' }, 60_000);
  const waited = await pool.run({ do: 'waited' }, 60_000);
  await slow;
  expect(waited).toMatchObject({ kind: 'done' });
  expect(waited.kind === 'done' && waited.answer).toBeGreaterThanOrEqual(149);
});

it('[P23] the worker pool accepts time limits longer than the maximum of a timer', async () => {
  pool = new WorkerPool({ url, size: 1 });
  const outcome = await pool.run({ do: 'wait', ms: 20, value: 7 }, Number.MAX_SAFE_INTEGER);
  expect(outcome).toMatchObject({ kind: 'done', answer: 7 });
});

it('the worker pool continues after a job that throws and after a worker that exits', async () => {
  pool = new WorkerPool({ url, size: 1 });
  expect(await pool.run({ do: 'throw' }, 60_000)).toMatchObject({
    kind: 'crashed',
    message: expect.stringContaining('no good'),
  });
  expect(await pool.run({ do: 'die' }, 60_000)).toMatchObject({ kind: 'crashed' });
  expect(await pool.run({ do: 'echo', value: 1 }, 60_000)).toMatchObject({ kind: 'done', answer: 1 });
});

it('the worker pool settles waiting and running jobs when it closes', async () => {
  pool = new WorkerPool({ url, size: 1 });
  const running = [pool.run({ do: 'spin' }, 60_000), pool.run({ do: 'echo' }, 60_000)];
  await pool.close();
  expect(await Promise.all(running)).toEqual([
    expect.objectContaining({ kind: 'crashed' }),
    expect.objectContaining({ kind: 'crashed' }),
  ]);
  expect(await pool.run({ do: 'echo' }, 60_000)).toMatchObject({ kind: 'crashed' });
});

it('the worker pool stops restarting a worker that cannot start, and settles every job', async () => {
  const starts = join(folder, 'starts');
  const path = join(folder, 'broken.mjs');
  writeFileSync(
    path,
    `import { appendFileSync } from 'node:fs';
     appendFileSync(${JSON.stringify(starts)}, '.');
     throw new Error('cannot start');`,
  );
  pool = new WorkerPool({ url: pathToFileURL(path), size: 2 });
  for (let job = 0; job < 3; job += 1) {
    expect(await pool.run({ do: 'echo' }, 60_000)).toMatchObject({ kind: 'crashed' });
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(readFileSync(starts, 'utf8').length).toBeLessThanOrEqual(2 + 3);
});

it('[X2] the worker pool aborts a waiting or running job whose caller has disconnected, and frees its worker', async () => {
  pool = new WorkerPool({ url, size: 1 });
  await pool.run({ do: 'thread' }, 60_000);
  const left = new AbortController();
  const running = pool.run({ do: 'spin' }, 60_000, left.signal);
  const waiting = pool.run({ do: 'spin' }, 60_000, left.signal);
  const next = pool.run({ do: 'echo', value: 'next' }, 60_000);
  left.abort();
  expect(await Promise.all([running, waiting])).toEqual([{ kind: 'timeout' }, { kind: 'timeout' }]);
  expect(await next).toMatchObject({ kind: 'done', answer: 'next' });
  expect(await pool.run({ do: 'spin' }, 60_000, left.signal)).toEqual({ kind: 'timeout' });
});

it('[X4] the worker pool never ends a worker while it loads modules, because the module files would stay open', async () => {
  const starts = join(folder, 'loads');
  const path = join(folder, 'slow.ts');
  writeFileSync(
    path,
    `import { appendFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     import { answerJobs } from ${JSON.stringify(workerJobs.href)};
     appendFileSync(${JSON.stringify(starts)}, '.');
     await new Promise((resolve) => setTimeout(resolve, 500));
     answerJobs(parentPort, ({ value }) => value);`,
  );
  pool = new WorkerPool({ url: pathToFileURL(path), size: 1 });
  await expect.poll(() => existsSync(starts)).toBe(true);
  for (let client = 0; client < 3; client += 1) {
    const left = new AbortController();
    const job = pool.run({ value: client }, 60_000, left.signal);
    left.abort();
    expect(await job).toEqual({ kind: 'timeout' });
    expect(await pool.run({ value: client }, 60)).toEqual({ kind: 'timeout' });
  }
  expect(await pool.run({ value: 'next' }, 60_000)).toMatchObject({ kind: 'done', answer: 'next' });
  expect(readFileSync(starts, 'utf8')).toBe('.');
});
