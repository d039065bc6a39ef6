import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createNotes } from '../../../src/recovery/notes.ts';
import { MemoryStore } from '../../../src/recovery/stores/memory.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { cutRecords } from '../../../src/savings/cut-records.ts';
import { packScores, unpackScores, writeNote } from '../../../src/servers/cut-note.ts';
import { viewCut } from '../../../src/servers/dashboard/cut-view.ts';

const records = cutRecords([]);

it('[AU9] of a masked text the lines between what was shown are the removed block', async () => {
  const store = new MemoryStore({ ttlMs: 60_000, maxBytes: 1 << 20, clock: systemClock, randomBytes });
  const notes = createNotes(store);
  const text = Array.from({ length: 50 }, (_, index) => `line ${String(index + 1).padStart(2, '0')}`).join(
    '\n',
  );
  await store.put('prn_1', text);
  notes.keep(
    'prn_1',
    writeNote({ v: 1, question: '', blocks: [], masked: { headChars: 16, tailChars: 16 } }),
  );
  await notes.settled();
  const view = await viewCut('prn_1', { notes, records });
  expect(view?.text?.lines).toHaveLength(50);
  expect(view?.text?.blocks).toMatchObject([{ start: 3, end: 48, best: null }]);
  expect(await viewCut('prn_2', { notes, records })).toBeUndefined();
});

it('[AU6] scores survive their packing to two digits', () => {
  const scores = [0, -5.32, 4.1, 12.345, -1000, Number.NaN];
  expect(unpackScores(packScores(scores))).toEqual([0, -5.32, 4.1, 12.35, -327.67, 0]);
});
