import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HeadAndTail } from '../../src/workspace/programs/head-and-tail.ts';

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

it('gives a text that fits back as it was, however it was cut into chunks', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.array(fc.nat(1200)), (text, cuts) => {
      const bytes = Buffer.from(text);
      expect(pushAll(bytes, cuts, 2_000).text(2_000)).toEqual({ text: bytes.toString(), truncated: false });
    }),
  );
});

it('never exceeds its limit, keeps whole characters, and accounts for every byte [F5] [F8]', () => {
  // A replacement character of the text's own could not be told from a character cut in half.
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

it('holds a bounded number of bytes whatever passes through, even byte by byte', () => {
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

it('stays within any limit, however small, whatever the bytes [F8]', () => {
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
