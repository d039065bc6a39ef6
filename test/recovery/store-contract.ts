import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import type { RecoveryStore } from '../../src/recovery/store.ts';

export interface StoreUnderTest {
  store: RecoveryStore;
  /** Lets the time to live of everything stored so far pass. */
  passTtl(): Promise<void>;
  dispose(): Promise<void>;
}

/** What every recovery store promises, whatever it is made of. */
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

  it('gives back exactly what was put, any UTF-16 included [P16] [P35]', async () => {
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

  it('gives back a text of two million characters', async () => {
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

  it('keeps one id key for good [P25]', async () => {
    const { store } = await start();
    const key = await store.idKey();
    expect(key).toHaveLength(32);
    expect(Buffer.from(await store.idKey()).equals(Buffer.from(key))).toBe(true);
  });
}
