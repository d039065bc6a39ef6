import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { specMessages } from '../../../packages/reverse-spec/src/cli/spec-call.ts';
import { runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import { anthropicWriter } from '../../../packages/reverse-spec/src/spec/model-writers.ts';
import { RateLimitPause } from '../../../packages/reverse-spec/src/spec/writing/model-calls.ts';
import {
  type Answering,
  fullAnswer,
  type MessagesStandIn,
  says,
  startMessagesStandIn,
  writesWell,
} from '../../support/messages-stand-in.ts';
import { parts, project } from '../../support/spec-project.ts';

let api: MessagesStandIn;
beforeEach(async () => {
  api = await startMessagesStandIn();
});
afterEach(() => api.close());

const files = Object.fromEntries(
  Array.from({ length: 9 }, (_, at) => [`m${at}/a.ts`, `export const a${at} = ${at};\n`]),
);
const request = { force: false, astOnly: false, outputDir: 'specs', concurrency: 3 };
const writer = () => anthropicWriter({ apiKey: 'k', baseUrl: api.url, model: 'm', log: () => {} });

function limited(retryAfter: string): Answering {
  return (_call, response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': retryAfter });
    response.end(
      JSON.stringify({ type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } }),
    );
  };
}

it('[R79] batch sends no request until Retry-After has passed if the API responds with status 429', async () => {
  let now = 0;
  let isAsked = false;
  const others: Promise<number>[] = [];
  const pause = new RateLimitPause({
    clock: { now: () => now, monotonic: () => now },
    // Another module sends a request while the first module waits.
    sleep: async (ms) => {
      const until = now + ms;
      if (!isAsked) {
        isAsked = true;
        others.push(pause.request(async () => now, undefined));
      }
      await nextTurn();
      now = Math.max(now, until);
    },
    maxRetries: 2,
  });
  const headers = new Headers({ 'retry-after': '7' });
  let tries = 0;
  const first = await pause.request(async () => {
    tries += 1;
    if (tries === 1) throw Object.assign(new Error('slow down'), { status: 429, headers });
    return now;
  }, undefined);
  expect([first, ...(await Promise.all(others))]).toEqual([7000, 7000]);
});

it('[R79] batch writes modules that met a rate limit after the pause', async () => {
  let calls = 0;
  api.answer((call, response) => {
    calls += 1;
    (calls <= 3 ? limited('0') : writesWell)(call, response);
  });
  const result = await runBatch(request, parts(project(files), { modelWriter: writer() }));
  expect(result).toMatchObject({ successful: 9, degraded: 0 });
  expect(api.calls).toHaveLength(12);
});

it('[R79] batch does not retry other modules if the rate limit lasted longer than all retries of one module', async () => {
  api.answer(limited('0'));
  const result = await runBatch(request, parts(project(files), { modelWriter: writer() }));
  expect(result).toMatchObject({ successful: 0, degraded: 9 });
  expect(api.calls.length).toBeLessThanOrEqual(9);
});

it('[R79] batch reports progress before it reads files; progress only grows, and names files, modules and cost', async () => {
  const steps: { done: number; total: number; message: string }[] = [];
  const own = parts(project(files), {
    modelWriter: writer(),
    price: { input: 1_000, output: 1_000 },
    messageLanguage: 'en',
    progress: (step) => steps.push(step),
  });
  const { cost } = await runBatch(request, own);
  expect(steps[0]).toEqual({ done: 0, total: 1, message: 'scan' });
  expect(steps.some(({ message }) => /^parsed \d\/9 files: m\d\/a\.ts$/.test(message))).toBe(true);
  expect(steps.at(-1)?.message).toMatch(/^wrote 9\/9 modules: m\d \(\$1\.17\)$/);
  const counts = steps.map(({ done }) => done);
  expect(counts).toEqual([...counts].sort((one, other) => one - other));
  // 130 tokens a module, cached ones at full price.
  expect(cost).toBeCloseTo(1.17, 10);
});

it('[R79] batch reports at its end the time, the cost and the modules that --max-cost left out', async () => {
  const usage = { input_tokens: 3_000, output_tokens: 0 };
  api.answer(says(JSON.stringify(fullAnswer), { usage }));
  const price = { input: 10_000, output: 0 };
  const own = parts(project(files), { modelWriter: writer(), price });
  const result = await runBatch({ ...request, concurrency: 1, maxCost: 60 }, own);
  expect(result.unaffordable).toBeGreaterThan(0);
  expect(result.leftOut.map(({ target }) => target)).toHaveLength(result.unaffordable);
  expect(result.leftOut[0]?.price).toBeGreaterThan(1);
  const text = specMessages('en').batch(result);
  expect(text).toMatch(/took \d+\.\d s, cost about \$\d+\.\d\d/);
  expect(text).toContain(`left out for their cost: ${result.unaffordable} modules`);
  for (const { target } of result.leftOut) expect(text).toContain(target);
});
