import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createNotes } from '../../../packages/engine/src/recovery/notes.ts';
import { createRecovery } from '../../../packages/engine/src/recovery/recovery.ts';
import type { RecoveryStore } from '../../../packages/engine/src/recovery/store.ts';
import { MemoryStore } from '../../../packages/engine/src/recovery/stores/memory.ts';
import { DamagedText } from '../../../packages/engine/src/recovery/stores/text-codec.ts';
import { handClock } from '../../support/hand-clock.ts';

function memory() {
  return new MemoryStore({ ttlMs: 600_000, maxBytes: 1e8, clock: handClock(), randomBytes });
}

it('a prune id is prn_ and 10 Crockford characters, is the same for the same request, and differs for other requests [P25]', async () => {
  const recovery = createRecovery({ store: memory(), randomBytes });
  const first = await recovery.remember('text', ['goal', 'code']);
  expect(first.id).toMatch(/^prn_[0-9A-HJKMNP-TV-Z]{10}$/);
  expect((await recovery.remember('text', ['goal', 'code'])).id).toBe(first.id);
  expect((await recovery.remember('text', ['goalcode', ''])).id).not.toBe(first.id);
  expect((await recovery.remember('textgoal', ['', 'code'])).id).not.toBe(first.id);
});

it('a prune id gets one more character if another text is stored under its first ten, and ids of 26 characters still recover [P25]', async () => {
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

it('prune ids cannot be computed without the key [P25]', async () => {
  const one = await createRecovery({ store: memory(), randomBytes }).remember('text', []);
  const other = await createRecovery({ store: memory(), randomBytes }).remember('text', []);
  expect(one.id).not.toBe(other.id);
});

it('recover returns any range as the exact substring; an end after the last line means the last line [P30] [P31]', async () => {
  const recovery = createRecovery({ store: memory(), randomBytes });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string()), fc.nat(), fc.nat(), async (parts, from, length) => {
      const text = `head\n${parts.join('\r\n')}`;
      const { id } = await recovery.remember(text, []);
      const total = (await recovery.recover(id, [{ start: 1, end: 1 }])).totalLines;
      const start = 1 + (from % total);
      const { texts, ranges } = await recovery.recover(id, [{ start, end: start + length }]);
      expect(ranges[0]).toEqual({ start, end: Math.min(start + length, total) });
      const end = Math.min(start + length, total);
      expect(texts).toEqual([
        text
          .split('\n')
          .slice(start - 1, end)
          .join('\n'),
      ]);
    }),
  );
});

it('a prune id is the HMAC of all parts and their lengths, in Crockford base32 [P25]', async () => {
  const key = Buffer.alloc(32, 7);
  const store = Object.assign(memory(), { idKey: async () => key });
  const digest = createHmac('sha256', key).update('5:\u0001text5:\u0001goal').digest('hex');
  // Four bits more make 256 a multiple of five, counted from the most significant one.
  const digits = (BigInt(`0x${digest}`) << 4n).toString(32).padStart(52, '0').slice(0, 26);
  const expected = [...digits].map((digit) => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[Number.parseInt(digit, 32)]);
  const longest = `prn_${expected.join('')}`;
  const recovery = createRecovery({ store, randomBytes });
  expect(await recovery.remember('text', ['goal'])).toEqual({ kind: 'stored', id: longest.slice(0, 14) });
  for (let length = 14; length < longest.length; length += 1)
    await store.put(longest.slice(0, length), 'another text');
  expect(await recovery.remember('text', ['goal'])).toEqual({ kind: 'stored', id: longest });
});

it('recover counts a last line with or without a line break, and counts no line in an empty text [P31] [P32]', async () => {
  const recovery = createRecovery({ store: memory(), randomBytes });
  const recovered = async (text: string, end: number) =>
    recovery.recover((await recovery.remember(text, [])).id, [{ start: 1, end }]);
  expect(await recovered('a\nb\n', 9)).toMatchObject({ totalLines: 2, texts: ['a\nb'] });
  expect(await recovered('\na', 9)).toMatchObject({ totalLines: 2, texts: ['\na'] });
  await expect(recovered('', 1)).rejects.toMatchObject({ code: 'invalid_range', data: { max_line: 0 } });
});

it('recover returns the line number of a character position in the recovered text', async () => {
  const recovery = createRecovery({ store: memory(), randomBytes });
  const { id } = await recovery.remember('a\nbb\n\nccc', []);
  const lines = await recovery.recover(id, [
    { start: 1, end: 1 },
    { start: 2, end: 4 },
  ]);
  expect(lines.texts[1]).toBe('bb\n\nccc');
  expect([0, 1, 2, 3, 4, 6].map((offset) => lines.lineAt(1, offset))).toEqual([2, 2, 2, 3, 4, 4]);
  expect(lines.lineAt(0, 0)).toBe(1);
});

it('remember requests the id key until the store returns it, and stores nothing before [P34]', async () => {
  const store = memory();
  let asked = 0;
  const idKey = async () => {
    asked += 1;
    if (asked === 1) throw new Error('down');
    return Buffer.alloc(32);
  };
  const recovery = createRecovery({ store: Object.assign(store, { idKey }), randomBytes });
  const first = await recovery.remember('text', []);
  expect(first).toMatchObject({ kind: 'unavailable', cause: new Error('down') });
  expect(first.id).toMatch(/^prn_.{10}$/);
  expect(await store.get(first.id)).toBeUndefined();
  expect(await recovery.remember('text', [])).toMatchObject({ kind: 'stored' });
  await recovery.remember('more', []);
  expect(asked).toBe(2);
});

it('recover reports a damaged text as not found [P33]', async () => {
  const store = Object.assign(memory(), { get: () => Promise.reject(new DamagedText('bits')) });
  await expect(
    createRecovery({ store, randomBytes }).recover('prn_x', [{ start: 1, end: 1 }]),
  ).rejects.toMatchObject({
    message: 'prune_id_not_found',
    hint: 'What was stored is damaged. Read or run the source again to get a fresh one.',
    data: { prune_id: 'prn_x', reason: 'damaged' },
  });
});

it('close closes the store', async () => {
  let closed = false;
  const close = async () => {
    closed = true;
  };
  await createRecovery({ store: { ...brokenStore(), close }, randomBytes }).close();
  expect(closed).toBe(true);
});

it.each([
  ['no range at all', []],
  ['a start after its end', [{ start: 3, end: 2 }]],
  ['a line below 1', [{ start: 0, end: 2 }]],
  ['a start past the last line', [{ start: 4, end: 9 }]],
])('recover refuses %s, and its hint contains the last line number [P32]', async (_name, ranges) => {
  const recovery = createRecovery({ store: memory(), randomBytes });
  const { id } = await recovery.remember('a\nb\nc', []);
  await expect(recovery.recover(id, ranges)).rejects.toMatchObject({
    code: 'invalid_range',
    message: 'invalid_range',
    hint: 'Ask for lines between 1 and 3, start_line not after end_line.',
    data: { max_line: 3 },
  });
});

it('the error of recover for an unknown id contains the id and the next step [P33]', async () => {
  const recovery = createRecovery({ store: memory(), randomBytes });
  const attempt = recovery.recover('prn_unknown', [{ start: 1, end: 1 }]);
  await expect(attempt).rejects.toMatchObject({
    code: 'prune_id_not_found',
    message: 'prune_id_not_found',
    hint: 'The id is unknown or has expired. Read or run the source again to get a fresh one.',
    data: { prune_id: 'prn_unknown', reason: 'unknown_or_expired' },
  });
});

it('remember returns an id and the kind `unavailable` if the store fails [P34]', async () => {
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
  await expect(attempt).rejects.toMatchObject({
    code: 'recovery_unavailable',
    message: 'the recovery store does not answer',
    hint: 'Try again in a moment; the text is not lost if the store comes back.',
    cause: new Error('down'),
  });
});

function brokenStore(): RecoveryStore {
  const fail = () => Promise.reject(new Error('down'));
  return { idKey: fail, put: fail, putNew: fail, get: fail, forget: fail, close: async () => {} };
}

it('remember does not overwrite another text that has the id, and reports that storing failed [X5]', async () => {
  const store = memory();
  const { id } = await createRecovery({ store, randomBytes }).remember('text', []);
  await store.put(id, 'of another process');
  const late = Object.assign(memory(), {
    idKey: () => store.idKey(),
    get: async () => undefined,
    putNew: (key: string, text: string) => store.putNew(key, text),
  });
  expect(await createRecovery({ store: late, randomBytes }).remember('text', [])).toMatchObject({
    kind: 'unavailable',
    id,
  });
  expect(await store.get(id)).toBe('of another process');
});

it('[A16] recover accepts the line numbers in markers, counted from the first line of a file', async () => {
  const recovery = createRecovery({ store: memory(), randomBytes });
  const numbered = { text: 'a\nb\nc\n', numbering: { kind: 'from', firstLine: 101 } } as const;
  const { id } = await recovery.claim(numbered, []);
  const recovered = await recovery.recover(id, [
    { start: 102, end: 103 },
    { start: 90, end: 101 },
  ]);
  expect(recovered.texts).toEqual(['b\nc', 'a']);
  expect(recovered.ranges).toEqual([
    { start: 102, end: 103 },
    { start: 101, end: 101 },
  ]);
  expect([recovered.lineAt(0, 2), recovered.showsNumbers]).toEqual([103, false]);
  await expect(recovery.recover(id, [{ start: 2, end: 3 }])).rejects.toMatchObject({
    code: 'invalid_range',
    hint: 'Ask for lines between 101 and 103, start_line not after end_line.',
    data: { max_line: 103, min_line: 101 },
  });
});

it('[A16] recover accepts the line numbers that the lines show', async () => {
  const recovery = createRecovery({ store: memory(), randomBytes });
  const { id } = await recovery.claim({ text: '3:a\n17:b\n90:c', numbering: { kind: 'shown' } }, []);
  const recovered = await recovery.recover(id, [{ start: 10, end: 95 }]);
  expect(recovered).toMatchObject({
    texts: ['17:b\n90:c'],
    ranges: [{ start: 17, end: 90 }],
    showsNumbers: true,
  });
});

it('[A14] recover returns the whole text on request, with or without a numbering', async () => {
  const recovery = createRecovery({ store: memory(), randomBytes });
  for (const numbering of [undefined, { kind: 'from', firstLine: 7 }, { kind: 'shown' }] as const) {
    const { id } = await recovery.claim({ text: '1:a\n2:b\n3:c', numbering }, [
      JSON.stringify(numbering ?? ''),
    ]);
    expect((await recovery.recover(id, 'all')).texts).toEqual(['1:a\n2:b\n3:c']);
  }
});

it('[A16] remember stores the numbering with any text, even with a text that looks like a stored numbering', async () => {
  const store = memory();
  const recovery = createRecovery({ store, randomBytes });
  const { id } = await recovery.claim({ text: 'a\nb', numbering: { kind: 'from', firstLine: 9 } }, []);
  const odd = (await store.get(id)) ?? '';
  const again = await recovery.remember(odd, ['odd']);
  expect((await recovery.recover(again.id, 'all')).texts).toEqual([odd]);
  expect(await createNotes(store).textOf(id)).toEqual({
    text: 'a\nb',
    numbering: { kind: 'from', firstLine: 9 },
  });
});
