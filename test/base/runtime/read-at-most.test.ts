import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { BoundedBytes, readAtMost } from '../../../packages/base/src/runtime/bounded-reading.ts';

it('[X23] readAtMost returns a source whose length is exactly the limit, in one chunk or in several', async () => {
  expect((await readAtMost(Readable.from([Buffer.from('abcd')]), 4))?.toString()).toBe('abcd');
  expect((await readAtMost(Readable.from([Buffer.from('ab'), Buffer.from('cd')]), 4))?.toString()).toBe(
    'abcd',
  );
  expect((await readAtMost(null, 4))?.length).toBe(0);
});

it('[X23] readAtMost stops an endless source at the limit and closes it', async () => {
  let chunks = 0;
  const endless = new Readable({
    highWaterMark: 1,
    read() {
      chunks += 1;
      this.push(Buffer.alloc(1000));
    },
  });
  expect(await readAtMost(endless, 10_000)).toBeUndefined();
  expect(endless.destroyed).toBe(true);
  expect(chunks).toBeLessThan(20);
});

it('[X23] BoundedBytes drops all bytes of a source that is longer than the limit', () => {
  const read = new BoundedBytes(3);
  expect([read.add(Buffer.from('abc')), read.add(Buffer.from('d'))]).toEqual([true, false]);
  expect(read.bytes().length).toBe(0);
});
