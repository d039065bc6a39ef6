import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRecovery } from '../../src/recovery/recovery.ts';
import type { RecoveryStore } from '../../src/recovery/store.ts';
import { MemoryStore } from '../../src/recovery/stores/memory.ts';
import { handClock } from '../support/hand-clock.ts';

function memory() {
  return new MemoryStore({ ttlMs: 600_000, maxBytes: 1e8, clock: handClock(), randomBytes });
}

it('makes ids of prn_ and 10 Crockford characters, stable for the same request and different for any other [P25]', async () => {
  const recovery = createRecovery({ store: memory(), randomBytes });
  const first = await recovery.remember('text', ['goal', 'code']);
  expect(first.id).toMatch(/^prn_[0-9A-HJKMNP-TV-Z]{10}$/);
  expect((await recovery.remember('text', ['goal', 'code'])).id).toBe(first.id);
  expect((await recovery.remember('text', ['goalcode', ''])).id).not.toBe(first.id);
  expect((await recovery.remember('textgoal', ['', 'code'])).id).not.toBe(first.id);
});

it('takes one more character where ten would name another text, and 26 still recover [P25]', async () => {
  const store = memory();
  const { id } = await createRecovery({ store, randomBytes }).remember('text', ['goal']);
  await store.put(id, 'another text');
  const recovery = createRecovery({ store, randomBytes });
  const longer = await recovery.remember('text', ['goal']);
  expect(longer.id).toHaveLength(id.length + 1);
  expect(longer.id.startsWith(id)).toBe(true);
  const old = 'prn_4KQ7MZT05XW2HN9C6BVRD8EG3F';
  await store.put(old, 'of the first version');
  expect((await recovery.recover(old, [{ start: 1, end: 1 }])).texts).toEqual(['of the first version']);
});

it('makes ids nobody can compute without the key [P25]', async () => {
  const one = await createRecovery({ store: memory(), randomBytes }).remember('text', []);
  const other = await createRecovery({ store: memory(), randomBytes }).remember('text', []);
  expect(one.id).not.toBe(other.id);
});

it('gives any range back as the exact substring, ends past the last line brought back to it [P30] [P31]', async () => {
  const recovery = createRecovery({ store: memory(), randomBytes });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string()), fc.nat(), fc.nat(), async (parts, from, length) => {
      const text = `head\n${parts.join('\r\n')}`;
      const { id } = await recovery.remember(text, []);
      const total = (await recovery.recover(id, [{ start: 1, end: 1 }])).totalLines;
      const start = 1 + (from % total);
      const { texts, ranges } = await recovery.recover(id, [{ start, end: start + length }]);
      expect(ranges[0]).toEqual({ start, end: Math.min(start + length, total) });
      expect(text).toContain(texts[0]);
    }),
  );
});

it.each([
  ['no range at all', []],
  ['a start after its end', [{ start: 3, end: 2 }]],
  ['a line below 1', [{ start: 0, end: 2 }]],
  ['a start past the last line', [{ start: 4, end: 9 }]],
])('refuses %s and says what the last line is [P32]', async (_name, ranges) => {
  const recovery = createRecovery({ store: memory(), randomBytes });
  const { id } = await recovery.remember('a\nb\nc', []);
  await expect(recovery.recover(id, ranges)).rejects.toMatchObject({
    code: 'invalid_range',
    data: { max_line: 3 },
  });
});

it('names an unknown id and says what to do [P33]', async () => {
  const recovery = createRecovery({ store: memory(), randomBytes });
  const attempt = recovery.recover('prn_unknown', [{ start: 1, end: 1 }]);
  await expect(attempt).rejects.toMatchObject({
    code: 'prune_id_not_found',
    data: { prune_id: 'prn_unknown' },
  });
});

it('reports a store in failure as a value, with an id all the same [P34]', async () => {
  const broken: RecoveryStore = { ...brokenStore(), idKey: async () => new Uint8Array(32) };
  const remembered = await createRecovery({ store: broken, randomBytes }).remember('text', []);
  expect(remembered.kind).toBe('unavailable');
  expect(remembered.id).toMatch(/^prn_/);
  expect((await createRecovery({ store: brokenStore(), randomBytes }).remember('text', [])).kind).toBe(
    'unavailable',
  );
  const attempt = createRecovery({ store: brokenStore(), randomBytes }).recover('prn_x', [
    { start: 1, end: 1 },
  ]);
  await expect(attempt).rejects.toMatchObject({ code: 'recovery_unavailable' });
});

function brokenStore(): RecoveryStore {
  const fail = () => Promise.reject(new Error('down'));
  return { idKey: fail, put: fail, get: fail, close: async () => {} };
}
