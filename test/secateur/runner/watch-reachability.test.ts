import { expect, it } from 'vitest';
import { watchReachability } from '../../../packages/secateur/src/runner/focus-run/server-process.ts';

/** Probes with these answers in order. Resolves to the number of probes when the watch gave up or no answers were left. */
function askedUntilUnreachable(answers: readonly boolean[], maxFailures: number): Promise<number | 'never'> {
  let asked = 0;
  return new Promise((resolve) => {
    const stop = watchReachability({
      intervalMs: 0,
      maxFailures,
      probe: async () => {
        asked += 1;
        if (asked > answers.length) {
          stop();
          resolve('never');
        }
        return answers[asked - 1] ?? true;
      },
      onUnreachable: () => resolve(asked),
    });
  });
}

it('watchReachability counts consecutive failures; a success resets the count [F20] [FRT5]', async () => {
  expect(await askedUntilUnreachable([false, false, true, false, false, true, false], 3)).toBe('never');
  expect(await askedUntilUnreachable([false, false, true, false, false, false], 3)).toBe(6);
});

it('watchReachability sends no probe after it was stopped', async () => {
  let asked = 0;
  const stop = watchReachability({
    intervalMs: 0,
    maxFailures: 1,
    probe: async () => {
      asked += 1;
      stop();
      return false;
    },
    onUnreachable: () => expect.unreachable(),
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toBe(1);
});
