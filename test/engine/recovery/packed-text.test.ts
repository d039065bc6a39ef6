import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packText, sealText, unpackText } from '../../../packages/engine/src/recovery/stores/text-codec.ts';

it('[P16] unpackText returns any packed text unchanged, lone surrogates included', async () => {
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const text = fc.tuple(fc.string({ unit }), fc.nat(400)).map(([part, times]) => part.repeat(times));
  await fc.assert(
    fc.asyncProperty(text, async (given) => {
      const packed = await packText(given);
      expect(packed.length).toBeLessThanOrEqual(sealText(given).length);
      expect(await unpackText(packed)).toBe(given);
    }),
  );
});

it('[P16] unpackText rejects a damaged text', async () => {
  const packed = await packText('a line of a log\n'.repeat(500));
  expect(packed.length).toBeLessThan(500);
  for (let at = 1; at < packed.length; at += 1) {
    const damaged = Buffer.from(packed);
    damaged.writeUInt8((packed[at] ?? 0) ^ 0x10, at);
    const read = await unpackText(damaged).catch(() => 'damaged');
    expect(['damaged', 'a line of a log\n'.repeat(500)]).toContain(read);
  }
  await expect(unpackText(packed.subarray(0, 20))).rejects.toThrow('cannot be unpacked');
});

it('[P16] packText does not compress a text if that would not shorten it', async () => {
  for (const text of ['x'.repeat(500), randomBytes(4000).toString('utf16le')])
    expect((await packText(text)).equals(sealText(text))).toBe(true);
});
