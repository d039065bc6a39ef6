import { expect, it } from 'vitest';
import { DamagedText, encodeText, sealText, unsealText } from '../../src/recovery/stores/text-codec.ts';

const LONE = 'half \ud83d of a pair';

it('[P16] a text is UTF-8, one with a lone surrogate UTF-16; its first byte says which', () => {
  expect(encodeText('été')).toEqual(Buffer.concat([Buffer.of(1), Buffer.from('été')]));
  expect(encodeText(LONE)).toEqual(Buffer.concat([Buffer.of(2), Buffer.from(LONE, 'utf16le')]));
  expect([sealText('été')[0], sealText(LONE)[0]]).toEqual([3, 4]);
  expect([unsealText(sealText('été')), unsealText(sealText(LONE)), unsealText(sealText(''))]).toEqual([
    'été',
    LONE,
    '',
  ]);
});

it('[P35] texts of earlier versions, without a checksum, are still read', () => {
  expect([unsealText(encodeText('été')), unsealText(encodeText(LONE))]).toEqual(['été', LONE]);
});

it('[X5] any changed byte, a missing end and an unknown kind are damage', () => {
  const sealed = sealText('a stored text');
  for (let at = 1; at < sealed.length; at += 1) {
    const damaged = Buffer.from(sealed);
    damaged.writeUInt8((sealed[at] ?? 0) ^ 1, at);
    expect(() => unsealText(damaged), `byte ${at}`).toThrow(DamagedText);
  }
  for (let length = 0; length < sealed.length; length += 1)
    expect(() => unsealText(sealed.subarray(0, length)), `${length} bytes`).toThrow(DamagedText);
  const unknown = Buffer.from(sealed);
  unknown.writeUInt8(5);
  expect(() => unsealText(unknown)).toThrow('the checksum of a stored text does not fit');
});
