import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../src/recovery/stores/memory.ts';
import { handClock } from '../support/hand-clock.ts';
import { describeStoreContract } from './store-contract.ts';

const TTL_MS = 600_000;

describe('the memory store', () => {
  describeStoreContract(async () => {
    const clock = handClock();
    const store = new MemoryStore({ ttlMs: TTL_MS, maxBytes: 1e8, clock, randomBytes });
    return { store, passTtl: async () => clock.advance(TTL_MS + 1), dispose: () => store.close() };
  });

  it('lets the oldest text go first when it is full, and renewal makes a text young again [P35] [P25]', async () => {
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

  it('refuses a text larger than all its room, and keeps the rest', async () => {
    const store = new MemoryStore({ ttlMs: TTL_MS, maxBytes: 3000, clock: handClock(), randomBytes });
    await store.put('small', 'kept');
    await expect(store.put('huge', 'x'.repeat(5000))).rejects.toThrow('exceeds');
    expect(await store.get('small')).toBe('kept');
  });

  it('renews the time to live when a text is put again [P25]', async () => {
    const clock = handClock();
    const store = new MemoryStore({ ttlMs: TTL_MS, maxBytes: 3000, clock, randomBytes });
    await store.put('a', 'text');
    clock.advance(TTL_MS - 1);
    await store.put('a', 'text');
    clock.advance(TTL_MS - 1);
    expect(await store.get('a')).toBe('text');
  });
});
