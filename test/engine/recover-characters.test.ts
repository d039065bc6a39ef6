import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pieceOf } from '../../packages/engine/src/recovery/ranges.ts';

it('pieceOf returns the whole text if no character range is given', () => {
  expect(pieceOf('a\nb', {})).toEqual({ text: 'a\nb', offset: 0, chars: {} });
});

it('pieceOf returns the offset of the piece in the text', () => {
  expect(pieceOf('a\nb\nc', { start_char: 5 })).toMatchObject({ text: 'c', offset: 4 });
});

it('pieceOf never splits a surrogate pair', () => {
  expect(pieceOf('a😀b', { start_char: 1, end_char: 2 }).text).toBe('a😀');
  expect(pieceOf('a😀b', { start_char: 3 }).text).toBe('b');
});

it('the pieces of a text that pieceOf returns are the text when joined', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.integer({ min: 1, max: 9 }), (text, step) => {
      let joined = '';
      while (joined.length < text.length) {
        joined += pieceOf(text, { start_char: joined.length + 1, end_char: joined.length + step }).text;
      }
      expect(joined).toBe(text);
    }),
  );
});

it.each([{ start_char: 0 }, { start_char: 4 }, { start_char: 3, end_char: 2 }, { end_char: 0 }])(
  'pieceOf refuses the range %j for a text of three characters',
  (asked) => {
    expect(() => pieceOf('abc', asked)).toThrow(expect.objectContaining({ data: { max_char: 3 } }));
  },
);
