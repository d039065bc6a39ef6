import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeadAndTail } from '../../../packages/serving/src/workspace/run-command.ts';

function pushAll(bytes: Buffer, cuts: readonly number[], maxBytes: number): HeadAndTail {
  const stream = new HeadAndTail(maxBytes);
  let start = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    const end = Math.min(bytes.length, Math.max(start, cut));
    stream.push(bytes.subarray(start, end));
    start = end;
  }
  stream.push(bytes.subarray(start));
  return stream;
}

it('HeadAndTail returns a text within the limit unchanged, with any chunks', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.array(fc.nat(1200)), (text, cuts) => {
      const bytes = Buffer.from(text);
      expect(pushAll(bytes, cuts, 2_000).text(2_000)).toEqual({ text: bytes.toString(), truncated: false });
    }),
  );
});

it('HeadAndTail never exceeds its limit, keeps whole characters, and counts every byte [F5] [F8]', () => {
  // A replacement character of the text itself could not be distinguished from a character cut in half.
  const line = fc.string({ unit: 'grapheme', maxLength: 80 }).map((text) => text.replace(/[\n\ufffd]/g, ' '));
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 60, maxLength: 400 }),
      fc.array(fc.nat(20_000)),
      (lines, cuts) => {
        const bytes = Buffer.from(`${lines.join('\n')}\n`.repeat(6));
        const { text, truncated } = pushAll(bytes, cuts, 1_024).text(1_024);
        expect(truncated).toBe(bytes.length > 1_024);
        if (!truncated) return;
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024);
        expect(text).not.toContain('\ufffd');
        const [head = '', tail = ''] = text.split(/\[… \d+ bytes, \d+ lines cut here …\]\n/);
        const gone = Number(/\[… (\d+) bytes/.exec(text)?.[1]);
        const source = bytes.toString();
        expect(source.startsWith(head.replace(/\n$/, ''))).toBe(true);
        const shown = Buffer.byteLength(head) + Buffer.byteLength(tail);
        // A head that ends inside a line gets a line break of ours; the first lost error may follow the notice.
        if (!tail.includes('[…]')) expect(Math.abs(gone + shown - bytes.length)).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 60, examples: [[Array.from({ length: 60 }, () => ''), []]] },
  );
});

it('HeadAndTail holds a limited number of bytes of any stream, even byte by byte', () => {
  const stream = new HeadAndTail(10_000);
  const byte = Buffer.from('x');
  for (let count = 0; count < 300_000; count += 1) stream.push(byte);
  const held = JSON.stringify(stream, (_key, value) =>
    value?.type === 'Buffer' ? value.data.length : value,
  );
  const sizes = [...held.matchAll(/"store":(\d+)/g)].map(([, size]) => Number(size));
  expect(sizes.length).toBe(2);
  expect(Math.max(...sizes)).toBeLessThan(200_000);
  expect(stream.bytes).toBe(300_000);
});

it('HeadAndTail observes any limit for any bytes [F8]', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 60 }).map((part) => Buffer.from(part)),
    fc.constantFrom('o\n', 'error: é\n', 'x').map((part) => Buffer.from(part)),
  );
  fc.assert(
    fc.property(bytes, fc.nat(1_100), fc.integer({ min: 1, max: 400 }), (part, limit, times) => {
      const stream = pushAll(Buffer.concat(Array.from({ length: times }, () => part)), [], 1_024);
      const { text, truncated } = stream.text(limit);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
      if (!truncated) expect(text).toBe(Buffer.concat(Array(times).fill(part)).toString());
    }),
    { numRuns: 300 },
  );
});

/** Lines of one width, numbered from 1. */
const numbered = (from: number, to: number, width: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${String(from + at).padStart(width - 1, '0')}\n`).join(
    '',
  );

const notice = (bytes: number, lines: number) => `[… ${bytes} bytes, ${lines} lines cut here …]\n`;

function cut(text: string | Buffer, { limit = 2_000, chunk = Number.POSITIVE_INFINITY } = {}): string {
  const bytes = Buffer.from(text);
  const stream = new HeadAndTail(limit);
  for (let at = 0; at < bytes.length; at += chunk) stream.push(bytes.subarray(at, at + chunk));
  const outcome = stream.text(limit);
  expect(outcome.truncated).toBe(true);
  return outcome.text;
}

describe('HeadAndTail with a limit of 2,000 bytes, 1,488 of them for head and tail', () => {
  it.each([
    { width: 10, shown: 74 },
    { width: 12, shown: 62 },
  ])('HeadAndTail shows the first and the last whole lines, $width bytes each [F5]', ({ width, shown }) => {
    const head = numbered(1, shown, width);
    const tail = (last: number) => numbered(last - shown + 1, last, width);
    const gone = (all: number) => notice((all - 2 * shown) * width, all - 2 * shown);
    expect(cut(numbered(1, 1_000, width))).toBe(`${head}${gone(1_000)}${tail(1_000)}`);
    // More bytes than are held at any time.
    for (const chunk of [777, 70_000, Number.POSITIVE_INFINITY])
      expect(cut(numbered(1, 40_000, width), { chunk })).toBe(`${head}${gone(40_000)}${tail(40_000)}`);
  });

  it('HeadAndTail splits lines that are longer than its head or tail, and adds a line break [F5]', () => {
    const text = `${'x'.repeat(5_000)}\n${'y'.repeat(5_000)}`;
    expect(cut(text)).toBe(`${'x'.repeat(744)}\n${notice(8_513, 1)}${'y'.repeat(744)}`);
  });

  it.each([
    { end: 2, shown: 744 },
    { end: 372, shown: 744 },
    { end: 373, shown: 373 },
    { end: 744, shown: 744 },
    { end: 745, shown: 744 },
  ])(
    'HeadAndTail shows a head of $shown bytes if the first line is $end bytes long: whole lines only if they fill half of the head',
    ({ end, shown }) => {
      const text = `${'x'.repeat(end - 1)}\n${'x'.repeat(9_000 - end)}`;
      const head = text.slice(0, shown);
      const [gone = ''] = /\[… .*\n/.exec(cut(text)) ?? [];
      expect(gone).toBe(notice(9_000 - shown - 744, end > shown ? 1 : 0));
      expect(cut(text)).toBe(`${head}${head.endsWith('\n') ? '' : '\n'}${gone}${'x'.repeat(744)}`);
    },
  );

  it.each([
    { left: 2, shown: 744 },
    { left: 372, shown: 744 },
    { left: 373, shown: 373 },
    { left: 744, shown: 744 },
  ])('HeadAndTail shows a tail of $shown bytes if the last line is $left bytes long', ({ left, shown }) => {
    const text = `${'x'.repeat(9_000 - left - 1)}\n${'x'.repeat(left)}`;
    const gone = notice(9_000 - shown - 744, left > shown || shown < 744 || left === 744 ? 1 : 0);
    expect(cut(text)).toBe(`${'x'.repeat(744)}\n${gone}${text.slice(-shown)}`);
  });

  it('HeadAndTail shows invalid bytes at both ends if their replacement characters fit [F8]', () => {
    const half = '\ufffd'.repeat(186);
    expect(cut(Buffer.alloc(5_000, 0xff))).toBe(`${half}\n${notice(4_628, 0)}${half}`);
  });

  it('HeadAndTail shows 1,488 bytes of a long text without line breaks, and states how many bytes it removed [F5]', () => {
    const text = cut('x'.repeat(100_000));
    expect(text).toContain(notice(98_512, 0));
  });
});

it('HeadAndTail without space for lines shows only the number of removed bytes, if the number fits [F8]', () => {
  const stream = new HeadAndTail(2_000);
  stream.push(Buffer.from('ab\n'.repeat(1_000)));
  const all = notice(3_000, 1_000);
  const limit = Buffer.byteLength(all);
  expect(stream.text(limit)).toEqual({ text: all, truncated: true });
  expect(stream.text(limit - 3)).toEqual({ text: all.slice(0, -3), truncated: true });
});

it('HeadAndTail shows a text of exactly the limit completely [F5]', () => {
  const stream = new HeadAndTail(2_000);
  stream.push(Buffer.from('x'.repeat(2_000)));
  expect(stream.text(2_000)).toEqual({ text: 'x'.repeat(2_000), truncated: false });
  expect(stream.text(1_999).truncated).toBe(true);
});

/** Thirty thousand lines of ten bytes, with others in place of some. */
function lines(others: Record<number, string>, count = 30_000): string {
  const all = numbered(1, count, 10).trimEnd().split('\n');
  for (const [line, text] of Object.entries(others)) all[Number(line) - 1] = text;
  return `${all.join('\n')}\n`;
}

/** Returns the text between the note about removed lines and the tail. */
const shownError = (text: string) => /cut here …\]\n(.*)\n\[…\]\n/.exec(text)?.[1];

describe('HeadAndTail and the first failure in the removed part', () => {
  it.each([
    { where: 'the end of the head', at: [80, 15_000, 29_910], first: 80 },
    { where: 'what was let go at once', at: [15_000, 29_910], first: 15_000 },
    { where: 'the start of the tail', at: [29_910], first: 29_910 },
  ])('HeadAndTail shows the first failure if it is in $where', ({ at, first }) => {
    const others = Object.fromEntries(at.map((line) => [line, `error: ${line}`]));
    expect(shownError(cut(lines(others)))).toBe(`error: ${first}`);
  });

  it('HeadAndTail shows no separate failure if the head or the tail contains the failure, or if no line reports one', () => {
    expect(shownError(cut(lines({})))).toBeUndefined();
    const both = cut(lines({ 1: 'error: 1', 30000: 'error: 2' }));
    expect(both).toMatch(/^error: 1\n/);
    expect(shownError(both)).toBeUndefined();
  });

  it.each([100, 174, 500])('HeadAndTail shows the complete failure at any position: line %i', (line) => {
    const error = 'src/deep/folder/a.ts(3,4): error TS2345: no such thing';
    expect(shownError(cut(lines({ [line]: error }, 1_000)))).toBe(error);
  });

  it('HeadAndTail shows the complete failure if its first pieces were dropped in the middle of the line', () => {
    const error = `error: ${'lost '.repeat(20)}end`;
    for (let line = 7_080; line <= 7_110; line += 1)
      expect(shownError(cut(lines({ [line]: error }), { chunk: 9_000 }))).toBe(error);
  });

  it('HeadAndTail recognises a failure that only a symbol marks', () => {
    for (const line of [80, 15_000])
      expect(shownError(cut(lines({ [line]: '✗ adds up' })))).toBe('✗ adds up');
  });

  it('HeadAndTail shows as many whole characters of a failure as fit [F8]', () => {
    const error = { 500: `error: ${'é'.repeat(900)}` };
    for (const text of [cut(lines(error)), cut(lines(error, 1_000))]) {
      expect(shownError(text)).toBe(`error: ${'é'.repeat(196)}`);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
    }
  });
});
