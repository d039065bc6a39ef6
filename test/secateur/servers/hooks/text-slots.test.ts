import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  readSlots,
  replaceSlots,
  textParts,
} from '../../../../packages/secateur/src/servers/hooks/client.ts';

it('replaceSlots replaces the strings at its paths and does not change the given value [A1]', () => {
  const value = { content: [{ type: 'text', text: 'a' }, { type: 'image' }, { text: 'b' }], n: { m: 1 } };
  const before = structuredClone(value);
  const slots = [{ path: ['content', 0, 'text'] }, { path: ['content', 2, 'text'] }, { path: ['gone', 'x'] }];
  expect(replaceSlots(value, slots, ['A', 'B', 'C'])).toEqual({
    content: [{ type: 'text', text: 'A' }, { type: 'image' }, { text: 'B' }],
    n: { m: 1 },
  });
  expect(value).toEqual(before);
});

it('replaceSlots replaces a whole string and a list of lines, but no value of another type [A1]', () => {
  expect(replaceSlots('a', [{ path: [] }], ['b'])).toBe('b');
  const list = [{ path: ['filenames'], isList: true }];
  expect(replaceSlots({ filenames: ['a', 'b'] }, list, ['c\nd'])).toEqual({ filenames: ['c', 'd'] });
  expect(replaceSlots({ text: 7 }, [{ path: ['text'] }], ['b'])).toEqual({ text: 7 });
});

it('replaceSlots handles 100,000 slots of one list [X25]', () => {
  const value = { content: Array.from({ length: 100_000 }, (_, at) => ({ type: 'text', text: `${at}` })) };
  const slots = value.content.map((_, at) => ({ path: ['content', at, 'text'] }));
  const texts = readSlots(value, slots).map((text) => `${text}!`);
  expect(readSlots(replaceSlots(value, slots, texts), slots)).toEqual(texts);
});

it('textParts returns all strings of any value in order, even a million [X25]', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const expected: string[] = [];
      JSON.stringify(value, (_, inner: unknown) => {
        if (typeof inner === 'string') expected.push(inner);
        return inner;
      });
      expect(textParts(value)).toEqual(expected);
    }),
  );
  expect(textParts(Array.from({ length: 1_000_000 }, () => 'ab')).length).toBe(1_000_000);
});
