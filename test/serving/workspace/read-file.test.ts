import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { numberLines } from '../../../packages/base/src/text/lines.ts';
import { readFileInside } from '../../../packages/serving/src/workspace/files-in-root.ts';
import { temporaryTree } from '../../support/temporary-tree.ts';

it('readFileInside returns the whole file byte for byte', async () => {
  const text = '\ufeffhéllo\r\n世界 🎉\n';
  const root = await temporaryTree({ 'a.txt': text, 'empty.txt': '' });
  expect(await readFileInside(root, 'a.txt', { maxBytes: 4096 })).toEqual({
    text,
    fileBytes: Buffer.byteLength(text),
    truncated: false,
    hasInvalidUtf8: false,
  });
  expect(await readFileInside(root, 'empty.txt', { maxBytes: 4096 })).toMatchObject({
    text: '',
    fileBytes: 0,
  });
});

it('readFileInside shortens a file between two characters, never inside one [F8]', async () => {
  const root = await temporaryTree();
  const { writeFile } = await import('node:fs/promises');
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.integer({ min: 0, max: 60 }),
      async (raw, max) => {
        const text = raw.replaceAll('\0', ' ');
        await writeFile(join(root.real, 'x'), text);
        const read = await readFileInside(root, 'x', { maxBytes: max });
        expect(text.startsWith(read.text)).toBe(true);
        const bytes = Buffer.byteLength(read.text);
        expect(bytes).toBeLessThanOrEqual(max);
        expect(read.truncated).toBe(Buffer.byteLength(text) > max);
        if (read.truncated) expect(bytes).toBeGreaterThan(max - 4);
      },
    ),
    { numRuns: 60 },
  );
});

it.each([{ numbered: false }, { numbered: true }])(
  'readFileInside reports bytes that are not valid UTF-8, and includes their replacements in the limit [F8] %j',
  async ({ numbered }) => {
    const root = await temporaryTree({ 'latin.txt': Buffer.from('caf\xe9\n'.repeat(100), 'latin1') });
    const read = await readFileInside(root, 'latin.txt', { maxBytes: 300, numbered });
    expect(read).toMatchObject({ hasInvalidUtf8: true, truncated: true, fileBytes: 500 });
    expect(read.text).toContain('caf\ufffd');
    const shown = numbered ? await numberLines(read.text) : read.text;
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(300);
    expect(Buffer.byteLength(shown)).toBeGreaterThan(280);
  },
);

it('readFileInside does not report a U+FFFD in the file as invalid UTF-8', async () => {
  const root = await temporaryTree({ 'a.txt': 'a \ufffd b' });
  expect(await readFileInside(root, 'a.txt', { maxBytes: 100 })).toMatchObject({
    text: 'a \ufffd b',
    hasInvalidUtf8: false,
  });
});

it('readFileInside does not treat a character that the limit splits as invalid UTF-8', async () => {
  const root = await temporaryTree({ 'a.txt': 'é'.repeat(100) });
  expect(await readFileInside(root, 'a.txt', { maxBytes: 99 })).toEqual({
    text: 'é'.repeat(49),
    fileBytes: 200,
    truncated: true,
    hasInvalidUtf8: false,
  });
});

it('readFileInside refuses a binary file with a reason', async () => {
  const root = await temporaryTree({ 'x.png': Buffer.from([0x89, 0x50, 0, 0]) });
  await expect(readFileInside(root, 'x.png', { maxBytes: 4096 })).rejects.toMatchObject({
    code: 'io_error',
    message: /binary/,
  });
});

it('readFileInside reads no more of a huge file than it returns', async () => {
  const root = await temporaryTree({ 'huge.txt': 'a'.repeat(5_000) });
  // A sparse file of 64 GiB: reading or allocating it would fail immediately.
  await truncate(join(root.real, 'huge.txt'), 64 * 2 ** 30);
  const read = await readFileInside(root, 'huge.txt', { maxBytes: 2_000 });
  expect(read).toMatchObject({
    fileBytes: 64 * 2 ** 30,
    truncated: true,
    text: expect.stringMatching(/^a{2000}$/),
  });
});

it('readFileInside reports each kind of error', async () => {
  const root = await temporaryTree({ 'a.txt': 'x' });
  await expect(readFileInside(root, 'no.txt', { maxBytes: 10 })).rejects.toMatchObject({ code: 'not_found' });
  await expect(readFileInside(root, 'a.txt/b', { maxBytes: 10 })).rejects.toMatchObject({
    code: 'not_found',
  });
});
