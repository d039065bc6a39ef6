import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../packages/engine/src/recovery/stores/memory.ts';
import { handClock } from '../../support/hand-clock.ts';
import { describeStoreContract } from './store-contract.ts';

const TTL_MS = 600_000;

describe('the memory store', () => {
  describeStoreContract(async () => {
    const clock = handClock();
    const store = new MemoryStore({ ttlMs: TTL_MS, maxBytes: 1e8, clock, randomBytes });
    return { store, passTtl: async () => clock.advance(TTL_MS + 1), dispose: () => store.close() };
  });

  it('the memory store drops the oldest text when it is full; storing a text again makes it the newest [P35] [P25] [X19]', async () => {
    const clock = handClock();
    const store = new MemoryStore({ ttlMs: TTL_MS, maxBytes: 3000, clock, randomBytes });
    const text = 'x'.repeat(500);
    await store.put('a', text);
    await store.put('b', text);
    await store.put('a', text);
    await store.put('c', text);
    expect(await store.get('b')).toBeUndefined();
    expect(await store.get('a')).toBe(text);
    expect(await store.get('c')).toBe(text);
  });

  it('the memory store refuses a text larger than its size limit, and keeps other texts', async () => {
    const store = new MemoryStore({ ttlMs: TTL_MS, maxBytes: 3000, clock: handClock(), randomBytes });
    await store.put('small', 'kept');
    await expect(store.put('huge', 'x'.repeat(5000))).rejects.toThrow('exceeds');
    expect(await store.get('small')).toBe('kept');
  });

  it('the memory store restarts the time to live of a text that is stored again [P25]', async () => {
    const clock = handClock();
    const store = new MemoryStore({ ttlMs: TTL_MS, maxBytes: 3000, clock, randomBytes });
    await store.put('a', 'text');
    clock.advance(TTL_MS - 1);
    await store.put('a', 'text');
    clock.advance(TTL_MS - 1);
    expect(await store.get('a')).toBe('text');
  });

  it('the memory store counts bytes up to its size limit, and drops expired texts [P35]', async () => {
    const clock = handClock();
    // Two bytes a character of id and text, and 128 for the entry.
    const room = 2 * (2 * (1 + 100) + 128);
    const store = new MemoryStore({ ttlMs: TTL_MS, maxBytes: room, clock, randomBytes });
    const text = 'x'.repeat(100);
    await store.put('a', text);
    await store.put('b', text);
    expect(await store.get('a')).toBe(text);
    expect(store.heldBytes()).toBe(room);
    clock.advance(TTL_MS);
    expect(await store.get('a')).toBeUndefined();
    await store.put('c', '');
    expect(store.heldBytes()).toBe(2 + 128);
    await store.close();
    expect(store.heldBytes()).toBe(0);
  });

  it('the memory store accepts a text that fills it exactly to its size limit [P35]', async () => {
    const store = new MemoryStore({ ttlMs: TTL_MS, maxBytes: 330, clock: handClock(), randomBytes });
    await store.put('a', 'x'.repeat(100));
    expect(store.heldBytes()).toBe(330);
  });
});
