import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { DamagedText, sealText, unsealText } from './text-codec.ts';

/** No kind of a sealed text: what follows is one, deflated. */
const PACKED = 0x5a;

/** Shorter ones gain less than they cost. */
const MIN_BYTES = 1024;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/**
 * A sealed text in as few bytes as a fast pass gives: a Redis that many share holds them for days, source code
 * shrinks to a third, logs to a sixth.
 */
export async function packText(text: string): Promise<Buffer> {
  const sealed = sealText(text);
  if (sealed.length < MIN_BYTES) return sealed;
  const packed = await deflate(sealed, { level: 1 });
  return packed.length < sealed.length ? Buffer.concat([Buffer.of(PACKED), packed]) : sealed;
}

/** Throws `DamagedText` for bytes that `packText` did not write so. */
export async function unpackText(bytes: Uint8Array): Promise<string> {
  if (bytes[0] !== PACKED) return unsealText(bytes);
  const sealed = await inflate(bytes.subarray(1)).catch(() => {
    throw new DamagedText('a stored text cannot be unpacked');
  });
  return unsealText(sealed);
}
