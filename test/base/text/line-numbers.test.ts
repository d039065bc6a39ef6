import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundaryBefore } from '../../../packages/base/src/text/characters.ts';
import { bytesThatFitNumbered, numberLines, splitLines } from '../../../packages/base/src/text/lines.ts';

const LINES = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 30 });
const TEXT = fc.tuple(LINES, fc.boolean()).map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''));

it('numberLines writes a number before each line that splitLines returns [X25] [F18]', async () => {
  await fc.assert(
    fc.asyncProperty(TEXT, async (text) => {
      const expected = splitLines(text).map((line, index) => `${index + 1}│ ${line}`);
      expect(await numberLines(text)).toBe(expected.join('\n'));
    }),
  );
});

it('numberLines continues its numbers across slices [X25]', async () => {
  const lines = (await numberLines('x\n'.repeat(100_000))).split('\n');
  expect(lines.length).toBe(100_000);
  expect(lines.every((line, index) => line === `${index + 1}│ x`)).toBe(true);
});

it('numberLines lets the event loop run while it numbers a long text [X25]', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await numberLines('x\n'.repeat(200_000));
  clearImmediate(counting);
  expect(turns).toBeGreaterThan(5);
});

it('bytesThatFitNumbered returns the longest beginning that fits with its line numbers [X25] [F8]', async () => {
  await fc.assert(
    fc.asyncProperty(TEXT, fc.integer({ min: 0, max: 300 }), async (text, maxBytes) => {
      const bytes = Buffer.from(text);
      const numberedBytes = async (length: number) =>
        Buffer.byteLength(await numberLines(bytes.toString('utf8', 0, boundaryBefore(bytes, length))));
      const fit = bytesThatFitNumbered(bytes, maxBytes);
      expect(await numberedBytes(fit)).toBeLessThanOrEqual(maxBytes);
      if (fit === bytes.length) return;
      // The next line would need its number, one more character at most four bytes.
      expect(await numberedBytes(fit)).toBeGreaterThan(maxBytes - 12);
    }),
  );
});
