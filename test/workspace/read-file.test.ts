import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readFileInside } from '../../src/workspace/read-file.ts';
import { temporaryTree } from '../support/temporary-tree.ts';

it('reads a text whole, byte for byte', async () => {
  const text = '\ufeffhéllo\r\n世界 🎉\n';
  const root = await temporaryTree({ 'a.txt': text, 'empty.txt': '' });
  expect(await readFileInside(root, 'a.txt', 4096)).toEqual({
    text,
    bytes: Buffer.byteLength(text),
    truncated: false,
  });
  expect(await readFileInside(root, 'empty.txt', 4096)).toEqual({ text: '', bytes: 0, truncated: false });
});

it('cuts between characters, never inside one [F8]', async () => {
  const root = await temporaryTree();
  const { writeFile } = await import('node:fs/promises');
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.integer({ min: 0, max: 60 }),
      async (raw, max) => {
        const text = raw.replaceAll('\0', ' ');
        await writeFile(join(root.real, 'x'), text);
        const read = await readFileInside(root, 'x', max);
        expect(text.startsWith(read.text)).toBe(true);
        expect(read.bytes).toBeLessThanOrEqual(max);
        expect(read.truncated).toBe(Buffer.byteLength(text) > max);
        if (read.truncated) expect(read.bytes).toBeGreaterThan(max - 4);
      },
    ),
    { numRuns: 60 },
  );
});

it('a file that is not UTF-8 is shown with replacement characters, within the limit', async () => {
  const root = await temporaryTree({ 'latin.txt': Buffer.from('caf\xe9 '.repeat(100), 'latin1') });
  const read = await readFileInside(root, 'latin.txt', 300);
  expect(read.text).toContain('caf\ufffd');
  expect(read.bytes).toBeLessThanOrEqual(300);
  expect(read.truncated).toBe(true);
});

it('a binary file is refused in words', async () => {
  const root = await temporaryTree({ 'x.png': Buffer.from([0x89, 0x50, 0, 0]) });
  await expect(readFileInside(root, 'x.png', 4096)).rejects.toMatchObject({
    code: 'io_error',
    message: /binary/,
  });
});

it('reads no more of an enormous file than it returns', async () => {
  const root = await temporaryTree({ 'huge.txt': 'a'.repeat(5_000) });
  // 64 GiB of hole: reading or allocating it would fail at once.
  await truncate(join(root.real, 'huge.txt'), 64 * 2 ** 30);
  const read = await readFileInside(root, 'huge.txt', 2_000);
  expect(read).toMatchObject({ bytes: 2_000, truncated: true });
});

it('names what is wrong', async () => {
  const root = await temporaryTree({ 'a.txt': 'x' });
  await expect(readFileInside(root, 'no.txt', 10)).rejects.toMatchObject({ code: 'not_found' });
  await expect(readFileInside(root, 'a.txt/b', 10)).rejects.toMatchObject({ code: 'not_found' });
});
