import { expect, it } from 'vitest';
import { EventLoopQueue } from '../../../packages/base/src/runtime/event-loop-queue.ts';

/** Returns the event-loop iterations in which the tasks were started. */
async function turnsOf(turns: EventLoopQueue, pieces: number): Promise<number[]> {
  let turn = 0;
  let isDone = false;
  const count = () => {
    turn += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const admitted = Array.from({ length: pieces }, () => turns.next().then(() => turn));
  const seen = await Promise.all(admitted);
  isDone = true;
  return seen;
}

it('[X7] EventLoopQueue starts one task per event-loop iteration, in order', async () => {
  const turns = new EventLoopQueue();
  expect(await turnsOf(turns, 4)).toEqual([1, 2, 3, 4]);
  expect(await turnsOf(turns, 1)).toHaveLength(1);
});

it('[X7] EventLoopQueue can wait for several event-loop iterations between two tasks', async () => {
  const [first = 0, second, third] = await turnsOf(new EventLoopQueue(3), 3);
  expect([second, third]).toEqual([first + 3, first + 6]);
});
