import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { deadlineIn, noDeadline, systemClock } from '../../packages/base/src/runtime/time.ts';
import type { CutJob } from '../../packages/engine/src/cut.ts';
import { inlineEngine, runEngineJob } from '../../packages/engine/src/inline-engine.ts';
import type { LineScorer } from '../../packages/engine/src/ranking/scorer.ts';
import { DEFAULT_OPTIONS } from '../../packages/engine/src/request.ts';
import { type WorkerEngine, workerEngine } from '../../packages/engine/src/worker-engine.ts';
import { handClock } from '../support/hand-clock.ts';
import { temporaryTree } from '../support/temporary-tree.ts';

const lines = Array.from({ length: 60 }, (_, at) => `Sentence ${at} of the manual explains a boring detail.`);
const job: CutJob = {
  request: {
    text: lines.join('\n'),
    focus: { question: 'how is the retry policy set' },
    sourceType: 'docs',
    options: { ...DEFAULT_OPTIONS, maxPruneRatio: 0.8, timeoutMs: 60_000 },
  },
  id: 'prn_TEST',
  remainingMs: 60_000,
};
const flat: LineScorer = (asked) => ({
  scores: new Float64Array(asked.lines.length),
  areLogOdds: false,
  tier: 'flat',
});

describe('inlineEngine', () => {
  const engineWith = (scorer: LineScorer, until?: Parameters<typeof inlineEngine>[1]) =>
    inlineEngine({ scorer, clock: systemClock }, until);

  it('inlineEngine prunes a text and ranks its lines', async () => {
    const engine = engineWith(flat);
    expect(await engine.cut(job)).toMatchObject({
      kind: 'done',
      answer: { scorer: 'flat', originalLines: 60 },
    });
    expect(await engine.rank(job)).toMatchObject({ kind: 'done', answer: { tier: 'flat' } });
    await engine.close();
  });

  it('inlineEngine returns `timeout` if pruning takes too long, and `crashed` with the error message if pruning throws', async () => {
    expect(await engineWith(flat).cut({ ...job, remainingMs: 0 })).toEqual({ kind: 'timeout' });
    const broken = engineWith(() => {
      throw new Error('no good');
    });
    expect(await broken.cut(job)).toEqual({ kind: 'crashed', message: 'no good' });
    expect(await broken.rank(job)).toEqual({ kind: 'crashed', message: 'no good' });
    const odd = engineWith(() => {
      throw 'a word';
    });
    expect(await odd.cut(job)).toEqual({ kind: 'crashed', message: 'a word' });
  });

  it('inlineEngine stops a scorer that never ends when the time limit is over', async () => {
    const endless: LineScorer = () => {
      for (;;);
    };
    expect(await engineWith(endless, deadlineIn(50, systemClock)).cut(job)).toEqual({ kind: 'timeout' });
    expect(await engineWith(flat, noDeadline).cut(job)).toMatchObject({ kind: 'done' });
  });
});

describe('runEngineJob', () => {
  const parts = (scorer: LineScorer) => ({ scorer, clock: handClock() });
  const givenMs = (waitedMs: number) => {
    const given: number[] = [];
    const scorer: LineScorer = (asked) => {
      given.push(asked.deadline.remainingMs());
      return flat(asked);
    };
    runEngineJob({ kind: 'rank', job: { ...job, remainingMs: 1000 } }, waitedMs, parts(scorer));
    return given;
  };

  it('runEngineJob runs a cut job or a rank job, as requested', () => {
    expect(runEngineJob({ kind: 'cut', job }, 0, parts(flat))).toHaveProperty('prunedText');
    expect(runEngineJob({ kind: 'rank', job }, 0, parts(flat))).toHaveProperty('scores');
  });

  it('runEngineJob gets the time that is left after waiting for a worker, and does nothing if no time is left', () => {
    expect(givenMs(400)).toEqual([expect.closeTo(420)]);
    expect(givenMs(1001)).toEqual([0]);
    expect(runEngineJob({ kind: 'cut', job }, job.remainingMs, parts(flat))).toBeUndefined();
  });
});

describe('workerEngine', () => {
  const workerJobs = new URL('../../packages/base/src/runtime/worker-pool.ts', import.meta.url);
  let engine: WorkerEngine;
  afterEach(() => engine.close());

  it('workerEngine prunes and ranks in a worker thread', async () => {
    engine = workerEngine({ workers: 1 });
    const prunedText = expect.stringContaining('⟦PRUNÉ: prune_id=prn_TEST');
    expect(await engine.cut(job)).toMatchObject({ kind: 'done', answer: { originalLines: 60, prunedText } });
    const ranked = await engine.rank(job);
    expect(ranked.kind === 'done' && ranked.answer.scores).toHaveLength(60);
  });

  it('workerEngine returns `timeout` for an aborted job, and runs no job after close', async () => {
    engine = workerEngine({ workers: 1 });
    expect(await engine.cut(job, AbortSignal.abort())).toEqual({ kind: 'timeout' });
    expect(await engine.rank(job, AbortSignal.abort())).toEqual({ kind: 'timeout' });
    await engine.close();
    expect(await engine.cut(job)).not.toMatchObject({ kind: 'done' });
  });

  it('workerEngine counts waiting jobs', async () => {
    engine = workerEngine({ workers: 1 });
    const jobs = [engine.rank(job), engine.rank(job)];
    expect(engine.waiting()).toBeGreaterThan(0);
    await Promise.all(jobs);
    expect(engine.waiting()).toBe(0);
  });

  it('workerEngine distinguishes a worker that exceeds its time limit from a worker that throws', async () => {
    const folder = await temporaryTree({
      'package.json': '{"type":"module"}',
      'worker.ts': `import { parentPort } from 'node:worker_threads';
        import { answerJobs } from ${JSON.stringify(workerJobs.href)};
        answerJobs(parentPort, ({ kind }) => {
          if (kind === 'rank') throw new Error('no good');
        });`,
    });
    engine = workerEngine({ workers: 1, workerUrl: pathToFileURL(join(folder.real, 'worker.ts')) });
    expect(await engine.cut(job)).toEqual({ kind: 'timeout' });
    expect(await engine.rank(job)).toMatchObject({
      kind: 'crashed',
      message: expect.stringContaining('no good'),
    });
  });
});
