import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { checkStore, type RecoveryStore } from '../../../packages/engine/src/recovery/store.ts';

export interface StoreUnderTest {
  store: RecoveryStore;
  /** Lets the time to live of everything stored so far pass. */
  passTtl(): Promise<void>;
  dispose(): Promise<void>;
}

/** Tests what every recovery store promises, whatever it is made of. */
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

  it('returns exactly what was put, any UTF-16 included [P16] [P35]', async () => {
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

  it('returns a text of two million characters', async () => {
    const { store } = await start();
    const text = 'été\r\n'.repeat(400_000);
    await store.put('prn_big', text);
    expect(await store.get('prn_big')).toBe(text);
  });

  it('knows nothing of an id that was never put [P33]', async () => {
    const { store } = await start();
    expect(await store.get('prn_never')).toBeUndefined();
  });

  it('knows nothing of an id that is longer than any [P33] [X17]', async () => {
    const { store } = await start();
    expect(await store.get(`prn_${'A'.repeat(5000)}`)).toBeUndefined();
  });

  it('forgets a text when its time to live ends [P35]', async () => {
    const { store, passTtl } = await start();
    await store.put('prn_old', 'text');
    await passTtl();
    expect(await store.get('prn_old')).toBeUndefined();
  });

  it('putNew stores a text, renews the same one, and refuses another under its id [P25]', async () => {
    const { store, passTtl } = await start();
    expect(await store.putNew('prn_n', 'text')).toBe(true);
    expect(await store.putNew('prn_n', 'text')).toBe(true);
    expect(await store.putNew('prn_n', 'other')).toBe(false);
    expect(await store.get('prn_n')).toBe('text');
    await passTtl();
    expect(await store.putNew('prn_n', 'other')).toBe(true);
    expect(await store.get('prn_n')).toBe('other');
  });

  it('forget deletes one text and says whether there was one [A17]', async () => {
    const { store } = await start();
    await store.put('prn_a', 'text');
    await store.put('prn_b', 'text');
    expect([await store.forget('prn_a'), await store.forget('prn_a')]).toEqual([true, false]);
    expect([await store.get('prn_a'), await store.get('prn_b')]).toEqual([undefined, 'text']);
  });

  it('checkStore finds nothing wrong and leaves nothing behind [X26]', async () => {
    const { store } = await start();
    expect(await checkStore(store, randomBytes)).toBeUndefined();
    expect((await store.usage?.())?.texts ?? 0).toBe(0);
  });

  it('keeps one id key for good [P25]', async () => {
    const { store } = await start();
    const key = await store.idKey();
    expect(key).toHaveLength(32);
    expect(Buffer.from(await store.idKey()).equals(Buffer.from(key))).toBe(true);
  });
}
