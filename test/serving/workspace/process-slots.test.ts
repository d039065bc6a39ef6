import { expect, it } from 'vitest';
import { noProcessWatchdog } from '../../../packages/base/src/runtime/process-watchdog.ts';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { noPipes } from '../../../packages/serving/src/workspace/output-pipes.ts';
import { runCommand } from '../../../packages/serving/src/workspace/run-command.ts';
import { openProcessSlots } from '../../../packages/serving/src/workspace/run-program.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';
import { temporaryTree } from '../../support/temporary-tree.ts';

it('[X6] ProcessSlots admits commands up to its limit in order, and refuses commands if the queue is full', async () => {
  const slots = openProcessSlots({ running: 1, waiting: 2 });
  const order: string[] = [];
  const [first, second, third] = ['first', 'second', 'third'].map((name) => {
    const place = slots.enter();
    void place?.ready.then(() => order.push(name));
    return place;
  });
  expect(slots.enter()).toBeUndefined();
  await first?.ready;
  expect(order).toEqual(['first']);
  second?.leave();
  first?.leave();
  await third?.ready;
  expect(order).toEqual(['first', 'third']);
  third?.leave();
  await slots.enter()?.ready;
});

it('[X7] ProcessSlots lets the event loop run between two programs that may start immediately', async () => {
  const slots = openProcessSlots({ running: 3, waiting: 0 });
  let turn = 0;
  const counting = () => {
    turn += 1;
    next = setImmediate(counting);
  };
  let next = setImmediate(counting);
  const starts = [1, 2, 3].map(() => slots.enter()?.ready.then(() => turn));
  const [first = 0, second = 0, third = 0] = await Promise.all(starts);
  clearImmediate(next);
  expect(second).toBeGreaterThan(first);
  expect(third).toBeGreaterThan(second);
});

it('[X6] runCommand waits for a slot within its time limit, and always frees the slot', async () => {
  const root = await temporaryTree();
  const slots = openProcessSlots({ running: 1, waiting: 2 });
  const run = (command: string, timeoutMs = 20_000, signal = new AbortController().signal) =>
    runCommand({
      ...{ command, timeoutMs, signal, slots, cwd: root.real, ownEnv: bareEnvironment, env: {} },
      ...{ maxOutputBytes: 10_000, watchdog: noProcessWatchdog, pipes: noPipes, clock: systemClock },
    });
  const left = new AbortController();
  const running = run('sleep 100', 20_000, left.signal);
  const late = run('echo late', 100);
  const next = run('echo next');
  expect((await run('echo refused')).end).toMatchObject({ kind: 'spawn_error', errno: 'EAGAIN' });
  expect((await late).end.kind).toBe('timeout');
  left.abort();
  expect((await running).end.kind).toBe('cancelled');
  expect((await next).stdout).toBe('next\n');
});

it('[X4] [X6] runCommand opens no pipes while it waits for a slot', async () => {
  const root = await temporaryTree();
  const slots = openProcessSlots({ running: 1, waiting: 9 });
  let taken = 0;
  const pipes = {
    take: async () => {
      taken += 1;
      return undefined;
    },
    prepare: () => {},
  };
  const left = new AbortController();
  const calls = Array.from({ length: 5 }, () =>
    runCommand({
      ...{ command: 'sleep 100', timeoutMs: 20_000, signal: left.signal, slots, cwd: root.real },
      ...{ ownEnv: bareEnvironment, env: {}, maxOutputBytes: 100, watchdog: noProcessWatchdog, pipes },
      clock: systemClock,
    }),
  );
  await expect.poll(() => taken).toBe(1);
  left.abort();
  expect((await Promise.all(calls)).map(({ end }) => end.kind)).toEqual(Array(5).fill('cancelled'));
  expect(taken).toBe(1);
});
