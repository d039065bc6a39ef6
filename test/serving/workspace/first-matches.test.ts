import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  beginPath,
  FirstMatches,
  OversizeMessage,
  readMatch,
  shortenLine,
} from '../../../packages/serving/src/workspace/search-files/message-reader.ts';
import type { SearchMatch } from '../../../packages/serving/src/workspace/search-files.ts';

const match = (path: string, line: number): SearchMatch => ({ path, line, column: 1, text: 'hit' });
const placeOf = ({ path, line }: SearchMatch) => `${path}:${line}`;

/** In the order ripgrep's `--sort path` gives them. */
const PATHS = [
  'a/z.txt',
  'a/zz',
  'a-b.txt',
  'b/a.txt',
  'b/\uf900.txt',
  'b/\u{10000}.txt',
  'b/\u{103fe}.txt',
  'b/\u{103ff}.txt',
  'b/\u{1f389}.txt',
  'c',
  'c/d',
  'c/d/e',
  'c.txt',
  'd',
];

it('[F7] [X6] FirstMatches keeps the first matches in path order, in whatever order they arrive', () => {
  const one = fc.record({ path: fc.nat(PATHS.length - 1), line: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(
      fc.array(one, { maxLength: 300, size: 'max' }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      (all, limit, asks) => {
        const first = new FirstMatches(limit);
        for (const { path, line } of all) {
          const name = PATHS[path] ?? '';
          if (!asks || first.wants(name)) first.add(match(name, line), false);
        }
        const places = all.map(({ path, line }) => path * 10 + line);
        const expected = [...new Set(places)].sort((a, b) => a - b);
        const { matches, hasMore } = first.sorted();
        expect(matches.map(placeOf)).toEqual(
          expected.slice(0, limit).map((place) => `${PATHS[Math.floor(place / 10)]}:${place % 10}`),
        );
        expect(hasMore).toBe(expected.length > limit);
      },
    ),
    { numRuns: 300 },
  );
});

it('[F17] FirstMatches counts every match, including those that it does not keep', () => {
  const first = new FirstMatches(1);
  for (let line = 1; line <= 200; line += 1) first.add(match('a', line), false);
  expect([first.seen, first.sorted().matches.length, first.wants('a'), first.wants('b')]).toEqual([
    200,
    1,
    true,
    false,
  ]);
});

it('[F17] FirstMatches skips files after the first matches long before all matches were seen', () => {
  const first = new FirstMatches(1);
  for (let line = 1; line <= 66; line += 1) first.add(match('b', line), false);
  expect([first.wants('a'), first.wants('b'), first.wants('c')]).toEqual([true, true, false]);
});

it('[F7] FirstMatches keeps a repeated match once', () => {
  const first = new FirstMatches(2);
  for (let times = 0; times < 200; times += 1) first.add(match('a', 1), false);
  first.add(match('b', 1), false);
  expect(first.sorted()).toEqual({
    matches: [match('a', 1), match('b', 1)],
    hasMore: false,
    hasCutLines: false,
  });
});

it('[F7] FirstMatches reports a shortened line only if the line is among the first matches', () => {
  const cut = new FirstMatches(1);
  cut.add(match('a', 1), true);
  cut.add(match('a', 1), false);
  expect(cut.sorted()).toEqual({ matches: [match('a', 1)], hasMore: false, hasCutLines: true });
});

it.each([
  { how: 'of the limit stays whole', length: 2_000, at: 1_999, start: 0, end: 2_000 },
  { how: 'of one more is cut at its end', length: 2_001, at: 0, start: 0, end: 2_000 },
  {
    how: 'is shown from 500 characters before its match',
    length: 10_000,
    at: 4_000,
    start: 3_500,
    end: 5_500,
  },
  {
    how: 'is shown to its end where the match is near it',
    length: 10_000,
    at: 9_999,
    start: 8_000,
    end: 10_000,
  },
  {
    how: 'is shown from its start where the match is near that',
    length: 10_000,
    at: 500,
    start: 0,
    end: 2_000,
  },
  { how: 'is cut before its match where that is one later', length: 10_000, at: 501, start: 1, end: 2_001 },
])('[F7] [X6] shortenLine: a long matching line $how', ({ length, at, start, end }) => {
  const line = Array.from({ length }, (__, index) => String.fromCharCode(97 + (index % 26))).join('');
  const text = `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < length ? '…' : ''}`;
  expect(shortenLine(line, at)).toEqual({ text, cut: length > 2_000 });
});

it('[F7] shortenLine never shows half of a character', () => {
  expect(shortenLine('🎉'.repeat(2_000), 501).text.isWellFormed()).toBe(true);
});

const message = (data: object) => Buffer.from(JSON.stringify({ type: 'match', data }));

it('[F7] readMatch parses a ripgrep message with or without line number, match and line end, and with base64 bytes', () => {
  const lines = { text: 'a hit\r\n' };
  expect(readMatch(message({ lines, line_number: 7, submatches: [{ start: 2 }] }))).toEqual({
    line: 7,
    column: 3,
    text: 'a hit',
    cut: false,
  });
  const bytes = Buffer.from('caf\xe9\n', 'latin1').toString('base64');
  expect(readMatch(message({ lines: { bytes }, line_number: null, submatches: [] }))).toEqual({
    line: 0,
    column: null,
    text: 'caf\ufffd',
    cut: false,
  });
  const long = { text: `${'x'.repeat(3_000)}hit${'y'.repeat(3_000)}` };
  expect(readMatch(message({ lines: long, line_number: 1, submatches: [{ start: 3_000 }] }))).toEqual({
    line: 1,
    column: 3_001,
    text: `…${'x'.repeat(500)}hit${'y'.repeat(1_497)}…`,
    cut: true,
  });
  expect(beginPath(message({ path: { text: 'a.txt' } }))).toBe('a.txt');
  expect(beginPath(message({ path: { bytes } }))).toBe('caf\ufffd\n');
});

it('[X6] OversizeMessage returns line number and beginning of a message that is too long, in any chunks', () => {
  const text = `start "quoted" \\ "},"line_number":99, é ${'x'.repeat(30_000)}`;
  const whole = message({
    path: { text: 'a' },
    lines: { text },
    line_number: 1234,
    absolute_offset: 5,
    submatches: [],
  });
  for (const size of [1, 7, 63, 64, 65, 1000, 16_384, 40_000]) {
    const found: unknown[] = [];
    const oversize = new OversizeMessage((line) => found.push(line));
    for (let at = 0; at < whole.length; at += size) oversize.push(whole.subarray(at, at + size));
    oversize.end();
    expect(found, `${size}`).toEqual([{ line: 1234, text: `${text.slice(0, 2_000)}…` }]);
  }
});

it('[X6] OversizeMessage parses as much as possible of a beginning that ends inside an escape, is base64 or is empty', () => {
  const startOf = (bytes: Buffer) => {
    let text: string | undefined;
    const oversize = new OversizeMessage((line) => {
      text = line.text;
    });
    oversize.push(bytes);
    oversize.end();
    return text;
  };
  const escapes = message({ lines: { text: '\u0001'.repeat(5_000) }, line_number: 1 });
  expect(startOf(escapes)).toBe(`${'\u0001'.repeat(2_000)}…`);
  for (const cut of [1, 2, 3, 4, 5, 6, 7])
    expect(startOf(Buffer.from(`{"lines":{"text":"ab\\ud83c\\udf89${''}`.slice(0, -cut))), `${cut}`).toMatch(
      /^ab/,
    );
  const base64 = Buffer.from('caf\xe9 '.repeat(20), 'latin1').toString('base64');
  expect(startOf(message({ lines: { bytes: base64 }, line_number: 1 }))).toMatch(/^caf\ufffd caf/);
  expect(startOf(Buffer.from('nothing of the kind'))).toBe('');
});
