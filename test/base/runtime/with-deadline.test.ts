import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { withDeadline } from '../../../packages/base/src/runtime/time.ts';

const FAR_MS = 60_000;

/** Resolves with the reason once the signal aborts. */
function reasonOf(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true }),
  );
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

it('[X24] withDeadline aborts its work with a TimeoutError even if garbage is collected before', async () => {
  const outer = new AbortController();
  const reason = withDeadline({ timeoutMs: 30, signal: outer.signal }, (signal) => {
    const aborted = reasonOf(signal);
    setImmediate(collectGarbage);
    return aborted;
  });
  expect(await reason).toMatchObject({ name: 'TimeoutError', message: 'not finished within 30 ms' });
});

it('[X24] withDeadline forwards the abort reason of the outer signal, before and during the work', async () => {
  const outer = new AbortController();
  const during = withDeadline({ timeoutMs: FAR_MS, signal: outer.signal }, (signal) => {
    queueMicrotask(() => outer.abort('the client left'));
    return reasonOf(signal);
  });
  expect(await during).toBe('the client left');
  const before = withDeadline({ timeoutMs: FAR_MS, signal: outer.signal }, async ({ aborted, reason }) => ({
    aborted,
    reason,
  }));
  expect(await before).toEqual({ aborted: true, reason: 'the client left' });
});

it('[X4] withDeadline leaves no timer, whether its work succeeds or fails', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
  const before = timers();
  expect(await withDeadline({ timeoutMs: FAR_MS }, async () => 'done')).toBe('done');
  await expect(
    withDeadline({ timeoutMs: FAR_MS }, async () => {
      throw new Error('broken');
    }),
  ).rejects.toThrow('broken');
  expect(timers()).toBe(before);
});

it('[X4] withDeadline aborts its signal when the work has ended, so that resources left open by the work are released', async () => {
  const kept = await withDeadline({ timeoutMs: FAR_MS }, async (signal) => ({ signal }));
  expect(kept.signal.aborted).toBe(true);
});

it('[X24] withDeadline accepts a time limit longer than the maximum of a Node timer', async () => {
  const isAborted = await withDeadline({ timeoutMs: Number.MAX_SAFE_INTEGER }, async (signal) => {
    await new Promise(setImmediate);
    return signal.aborted;
  });
  expect(isAborted).toBe(false);
});
