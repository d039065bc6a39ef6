import { expect, it } from 'vitest';
import {
  openScoreCache,
  type RerankSubject,
  type ScoreCacheOptions,
  type StoredScores,
} from '../../packages/engine/src/ranking/deepinfra.ts';

function opened({ maxEntries = 10, ttlMs = 1000, ...rest }: Partial<ScoreCacheOptions>) {
  const clock = { at: 0, now: () => clock.at, monotonic: () => clock.at };
  const cache = openScoreCache({ backend: 'deepinfra', ttlMs, maxEntries, clock, ...rest });
  const held = async (...texts: string[]) => {
    const found = await Promise.all(texts.map((text) => cache.get(about(text))));
    return texts.filter((_, at) => found[at] !== undefined);
  };
  return { cache, clock, held };
}

const about = (text: string): RerankSubject => ({ goal: 'why?', text });

const some = (count = 1): StoredScores => {
  const zeros = new Array<number>(count).fill(0);
  return { sent: zeros, scores: zeros };
};

/** A shared store of texts, as Redis is one. */
function sharedTexts() {
  const texts = new Map<string, string>();
  return {
    texts,
    get: async (key: string) => texts.get(key),
    put: (key: string, text: string) => void texts.set(key, text),
  };
}

it('[P43] openScoreCache holds at most maxEntries entries and drops the oldest', async () => {
  const { cache, held } = opened({ maxEntries: 2 });
  for (const text of ['a', 'b', 'c']) cache.put(about(text), some());
  expect(await held('a', 'b', 'c')).toEqual(['b', 'c']);
  cache.put(about('b'), some());
  cache.put(about('d'), some());
  expect(await held('b', 'c', 'd')).toEqual(['b', 'd']);
});

it('[P43] openScoreCache limits the number of scores, not including those of dropped entries', async () => {
  const { cache, held } = opened({ maxEntries: 1000 });
  const half = some(2_000_000);
  cache.put(about('a'), half);
  cache.put(about('b'), half);
  expect(await held('a', 'b')).toEqual(['a', 'b']);
  cache.put(about('b'), half);
  expect(await held('a', 'b')).toEqual(['a', 'b']);
  cache.put(about('c'), some());
  expect(await held('a', 'b', 'c')).toEqual(['b', 'c']);
});

it('[P43] openScoreCache drops entries when their time to live is over, to the millisecond', async () => {
  const { cache, clock, held } = opened({ ttlMs: 1000 });
  cache.put(about('a'), some());
  clock.at = 999;
  expect(await held('a')).toEqual(['a']);
  clock.at = 1000;
  expect(await held('a')).toEqual([]);
});

it('[P43] openScoreCache stores separate entries per backend, goal, text and user', async () => {
  const shared = sharedTexts();
  let user = 'alice';
  const one = opened({ shared, owner: () => user }).cache;
  const other = opened({ shared, owner: () => user, backend: 'deepinfra http://other' }).cache;
  one.put({ goal: 'ab', text: 'c' }, { sent: [0], scores: [0.5] });
  expect(await one.get({ goal: 'ab', text: 'c' })).toEqual({ sent: [0], scores: [0.5] });
  expect(await one.get({ goal: 'a', text: 'bc' })).toBeUndefined();
  expect(await one.get({ goal: 'ab', text: 'd' })).toBeUndefined();
  expect(await other.get({ goal: 'ab', text: 'c' })).toBeUndefined();
  user = 'bob';
  expect(await one.get({ goal: 'ab', text: 'c' })).toBeUndefined();
});

it.each([
  'no JSON',
  '{"version":1,"outcome":{}}',
  '{"version":2,"sent":[0]}',
  '{"version":2,"sent":[0,1],"scores":[1]}',
  '{"version":2,"sent":[0],"scores":["high"]}',
])('[P43] openScoreCache treats %j in a shared store as a missing entry', async (json) => {
  const shared = sharedTexts();
  const { cache } = opened({ shared });
  cache.put(about('a'), some());
  for (const key of shared.texts.keys()) shared.put(key, json);
  expect(await cache.get(about('a'))).toBeUndefined();
});

it('[P43] openScoreCache does not write entries of more than a million characters to a shared store', () => {
  const shared = sharedTexts();
  opened({ shared }).cache.put(about('a'), some(1_000_000));
  expect(shared.texts.size).toBe(0);
});
