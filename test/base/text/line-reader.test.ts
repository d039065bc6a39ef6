import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineReader } from '../../../packages/base/src/runtime/bounded-reading.ts';

const LIMIT = 6;

/** Returns what a reader reports about the text, cut into chunks of these sizes. */
function read(text: string, sizes: readonly number[]): string[] {
  const told: string[] = [];
  const lines = new LineReader(LIMIT, {
    line: (bytes) => told.push(bytes.toString()),
    tooLong: () => {
      const pieces: Buffer[] = [];
      return {
        push: (piece) => pieces.push(piece),
        end: () => told.push(`long: ${Buffer.concat(pieces).toString()}`),
      };
    },
  });
  let bytes = Buffer.from(text);
  for (const size of sizes) {
    lines.push(bytes.subarray(0, size));
    bytes = bytes.subarray(size);
  }
  lines.push(bytes);
  lines.end();
  return told;
}

it('LineReader splits a stream into lines however it is split into chunks, and reports lines that are too long', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '\n'), maxLength: 60 });
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 0, max: 9 })), (sample, sizes) => {
      const lines = sample.replace(/\n$/, '').split('\n');
      const expected = lines.map((line) => (Buffer.byteLength(line) > LIMIT ? `long: ${line}` : line));
      expect(read(sample, sizes)).toEqual(sample === '' ? [] : expected);
    }),
  );
});

it('LineReader reports a long line once, before the line ends', () => {
  let told = 0;
  const lines = new LineReader(LIMIT, {
    line: () => {},
    tooLong: () => {
      told += 1;
      return undefined;
    },
  });
  for (let count = 0; count < 5; count += 1) lines.push(Buffer.from('12345'));
  expect(told).toBe(1);
});
