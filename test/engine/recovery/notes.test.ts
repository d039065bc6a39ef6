import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createNotes } from '../../../packages/engine/src/recovery/notes.ts';
import { ownedStore } from '../../../packages/engine/src/recovery/store.ts';
import { MemoryStore } from '../../../packages/engine/src/recovery/stores/memory.ts';
import { DamagedText } from '../../../packages/engine/src/recovery/stores/text-codec.ts';
import { handClock } from '../../support/hand-clock.ts';

const memoryStore = () => new MemoryStore({ ttlMs: 1000, maxBytes: 1e6, clock: handClock(), randomBytes });

it('[T6] ownedStore returns a text only to the token that stored it, and to all callers if no token is used', async () => {
  const store = memoryStore();
  let owner: string | undefined = 'alice';
  const owned = ownedStore(store, () => owner);
  await owned.put('prn_x', 'of alice');
  owner = 'bob';
  expect(await owned.get('prn_x')).toBeUndefined();
  await owned.put('prn_x', 'of bob');
  owner = undefined;
  expect(await owned.get('prn_x')).toBeUndefined();
  await owned.put('prn_y', 'of everybody');
  expect([await owned.get('prn_y'), await store.get('prn_y')]).toEqual(['of everybody', 'of everybody']);
  owner = 'alice';
  expect([await owned.get('prn_x'), await owned.get('prn_y')]).toEqual(['of alice', undefined]);
});

it('[T10] [P35] ownedStore has the id key and the size of the store that it wraps, and closes that store', async () => {
  const store = memoryStore();
  const owned = ownedStore(store, () => 'alice');
  await owned.put('prn_x', 'text');
  expect(Buffer.from(await owned.idKey()).equals(Buffer.from(await store.idKey()))).toBe(true);
  expect(owned.heldBytes?.()).toBe(store.heldBytes());
  expect(store.heldBytes()).toBeGreaterThan(0);
  await owned.close();
  expect(store.heldBytes()).toBe(0);
  const { heldBytes: _, ...elsewhere } = { ...ownedStore(memoryStore(), () => undefined) };
  expect(ownedStore(elsewhere, () => undefined).heldBytes?.()).toBeUndefined();
});

it('[AU6] createNotes stores the record of a cut under the id of its text, and `settled` waits for all records', async () => {
  const store = memoryStore();
  const notes = createNotes(store);
  await store.put('prn_x', 'the text');
  notes.keep('prn_x', 'the note');
  await notes.settled();
  expect([await notes.textOf('prn_x'), await notes.read('prn_x')]).toEqual([
    { text: 'the text' },
    'the note',
  ]);
  expect([await notes.textOf('prn_y'), await notes.read('prn_y')]).toEqual([undefined, undefined]);
});

it('[AU6] [X5] `settled` of createNotes waits for the last record, and resolves if a record could not be stored', async () => {
  const kept: string[] = [];
  const notes = createNotes({
    put: async (id) => {
      if (id === 'note:bad') throw new Error('no room');
      await new Promise((resolve) => setImmediate(resolve));
      kept.push(id);
    },
    get: async () => undefined,
  });
  notes.keep('bad', 'x');
  notes.keep('good', 'x');
  await notes.settled();
  expect(kept).toEqual(['note:good']);
});

it('[AU6] [X5] createNotes treats a damaged record as missing, and rejects if the store does not respond', async () => {
  const failing = (error: Error) => createNotes({ put: async () => {}, get: () => Promise.reject(error) });
  const damaged = failing(new DamagedText('damaged'));
  expect([await damaged.read('prn_x'), await damaged.textOf('prn_x')]).toEqual([undefined, undefined]);
  const silent = failing(new Error('connection lost'));
  await expect(silent.read('prn_x')).rejects.toThrow('connection lost');
  await expect(silent.textOf('prn_x')).rejects.toThrow('connection lost');
});
