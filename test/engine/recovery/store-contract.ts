import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { checkStore, type RecoveryStore } from '../../../packages/engine/src/recovery/store.ts';

export interface StoreUnderTest {
  store: RecoveryStore;
  /** Waits until the time to live of all stored texts has ended. */
  passTtl(): Promise<void>;
  dispose(): Promise<void>;
}

/** Tests the contract of every recovery store. */
export function describeStoreContract(open: () => Promise<StoreUnderTest>): void {
  let opened: StoreUnderTest[] = [];
  const start = async () => {
    const subject = await open();
    opened.push(subject);
    return subject;
  };
  afterEach(async () => {
    for (const subject of opened) await subject.dispose();
    opened = [];
  });

  it('`get` of a recovery store returns exactly the text that `put` stored, including invalid UTF-16 [P16] [P35]', async () => {
    const { store } = await start();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
        async (text) => {
          await store.put('prn_x', text);
          expect(await store.get('prn_x')).toBe(text);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('`get` of a recovery store returns a text of two million characters', async () => {
    const { store } = await start();
    const text = 'été\r\n'.repeat(400_000);
    await store.put('prn_big', text);
    expect(await store.get('prn_big')).toBe(text);
  });

  it('`get` of a recovery store returns undefined for an id that was never put [P33]', async () => {
    const { store } = await start();
    expect(await store.get('prn_never')).toBeUndefined();
  });

  it('`get` of a recovery store returns undefined for an id of 5,000 characters [P33] [X17]', async () => {
    const { store } = await start();
    expect(await store.get(`prn_${'A'.repeat(5000)}`)).toBeUndefined();
  });

  it('a recovery store returns a text only until its time to live ends [P35]', async () => {
    const { store, passTtl } = await start();
    await store.put('prn_old', 'text');
    await passTtl();
    expect(await store.get('prn_old')).toBeUndefined();
  });

  it('putNew stores a text, renews an equal text, and refuses another text under the same id [P25]', async () => {
    const { store, passTtl } = await start();
    expect(await store.putNew('prn_n', 'text')).toBe(true);
    expect(await store.putNew('prn_n', 'text')).toBe(true);
    expect(await store.putNew('prn_n', 'other')).toBe(false);
    expect(await store.get('prn_n')).toBe('text');
    await passTtl();
    expect(await store.putNew('prn_n', 'other')).toBe(true);
    expect(await store.get('prn_n')).toBe('other');
  });

  it('forget deletes one text and returns whether the store had the text [A17]', async () => {
    const { store } = await start();
    await store.put('prn_a', 'text');
    await store.put('prn_b', 'text');
    expect([await store.forget('prn_a'), await store.forget('prn_a')]).toEqual([true, false]);
    expect([await store.get('prn_a'), await store.get('prn_b')]).toEqual([undefined, 'text']);
  });

  it('checkStore returns undefined for a store that works, and leaves no text in the store [X26]', async () => {
    const { store } = await start();
    expect(await checkStore(store, randomBytes)).toBeUndefined();
    expect((await store.usage?.())?.texts ?? 0).toBe(0);
  });

  it('idKey of a recovery store returns the same 32 bytes in each call [P25]', async () => {
    const { store } = await start();
    const key = await store.idKey();
    expect(key).toHaveLength(32);
    expect(Buffer.from(await store.idKey()).equals(Buffer.from(key))).toBe(true);
  });
}
