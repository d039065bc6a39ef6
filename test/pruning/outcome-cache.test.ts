import { expect, it } from 'vitest';
import { openOutcomeCache } from '../../src/pruning/remote-ranking/outcome-cache.ts';
import type { PruneOutcome } from '../../src/pruning/request.ts';

function opened(maxEntries: number, ttlMs = 1000) {
  const clock = { at: 0, now: () => clock.at, monotonic: () => clock.at };
  const cache = openOutcomeCache({ ttlMs, maxEntries, clock });
  const held = async (...ids: string[]) => {
    const found = await Promise.all(ids.map((id) => cache.get(id)));
    return ids.filter((_, at) => found[at] !== undefined);
  };
  return { cache, clock, held };
}

function outcome(id: string, chars = 1): PruneOutcome {
  return { id, prunedText: 'x'.repeat(chars), annotations: [], warnings: [] } as unknown as PruneOutcome;
}

it('holds as many answers as it may, and lets the oldest go', async () => {
  const { cache, held } = opened(2);
  for (const id of ['a', 'b', 'c']) cache.put(outcome(id));
  expect(await held('a', 'b', 'c')).toEqual(['b', 'c']);
  cache.put(outcome('b'));
  cache.put(outcome('d'));
  expect(await held('b', 'c', 'd')).toEqual(['b', 'd']);
});

it('few but huge answers are bounded by their characters; what went no longer counts', async () => {
  const { cache, held } = opened(1000);
  const half = 32_000_000;
  cache.put(outcome('a', half));
  cache.put(outcome('b', half));
  expect(await held('a', 'b')).toEqual(['a', 'b']);
  cache.put(outcome('b', half));
  expect(await held('a', 'b')).toEqual(['a', 'b']);
  cache.put(outcome('c', 1));
  expect(await held('a', 'b', 'c')).toEqual(['b', 'c']);
});

it('forgets answers when their time is up, to the millisecond', async () => {
  const { cache, clock, held } = opened(10, 1000);
  cache.put(outcome('a'));
  clock.at = 999;
  expect(await held('a')).toEqual(['a']);
  clock.at = 1000;
  expect(await held('a')).toEqual([]);
});
