import { expect, it } from 'vitest';
import {
  DamagedText,
  encodeText,
  sealText,
  unsealText,
} from '../../../packages/engine/src/recovery/stores/text-codec.ts';

const LONE = 'half \ud83d of a pair';

it('[P16] sealText encodes as UTF-8, or as UTF-16 if the text contains a lone surrogate, and stores which encoding it used', () => {
  expect(encodeText('été')).toEqual(Buffer.concat([Buffer.of(1), Buffer.from('été')]));
  expect(encodeText(LONE)).toEqual(Buffer.concat([Buffer.of(2), Buffer.from(LONE, 'utf16le')]));
  expect([sealText('été')[0], sealText(LONE)[0]]).toEqual([3, 4]);
  expect([unsealText(sealText('été')), unsealText(sealText(LONE)), unsealText(sealText(''))]).toEqual([
    'été',
    LONE,
    '',
  ]);
});

it('[X5] unsealText rejects a text without a checksum, because changing the first byte could otherwise turn the checksum off', () => {
  for (const text of ['été', LONE]) expect(() => unsealText(encodeText(text))).toThrow(DamagedText);
});

it('[X5] unsealText rejects a changed byte, a missing end and an unknown encoding', () => {
  const sealed = sealText('a stored text');
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const damaged = Buffer.from(sealed);
    const at = bit >> 3;
    damaged.writeUInt8((sealed[at] ?? 0) ^ (1 << (bit & 7)), at);
    expect(() => unsealText(damaged), `bit ${bit}`).toThrow(DamagedText);
  }
  for (let length = 0; length < sealed.length; length += 1)
    expect(() => unsealText(sealed.subarray(0, length)), `${length} bytes`).toThrow(DamagedText);
  const unknown = Buffer.from(sealed);
  unknown.writeUInt8(5);
  expect(() => unsealText(unknown)).toThrow('the checksum of a stored text does not fit');
});
