import { promisify } from 'node:util';
import { crc32, deflateRaw, inflateRaw } from 'node:zlib';

/** Encodings of a text. The first two have no checksum. They are never stored, but ids are computed from them. */
const KINDS = { utf8: 1, utf16: 2, checkedUtf8: 3, checkedUtf16: 4 } as const;
const CHECKSUM_BYTES = 4;

/** Encodes a text without loss: as UTF-8, or as UTF-16 if it contains a lone surrogate. */
export function encodeText(text: string): Buffer {
  const wellFormed = text.isWellFormed();
  const body = Buffer.from(text, wellFormed ? 'utf8' : 'utf16le');
  return Buffer.concat([Buffer.of(wellFormed ? KINDS.utf8 : KINDS.utf16), body]);
}

/** Returns the bytes to store: `encodeText` with a checksum, by which damage is detected. */
export function sealText(text: string): Buffer {
  const encoded = encodeText(text);
  const head = Buffer.alloc(1 + CHECKSUM_BYTES);
  const kind = encoded[0] === KINDS.utf8 ? KINDS.checkedUtf8 : KINDS.checkedUtf16;
  const body = encoded.subarray(1);
  head.writeUInt8(kind);
  head.writeUInt32LE(crc32(body, kind), 1);
  return Buffer.concat([head, body]);
}

/** Error if stored bytes have changed. */
export class DamagedText extends Error {}

/** Returns `undefined` for a `DamagedText` and throws every other error. */
export function unlessDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedText)) throw error;
}

/** Reads bytes that `sealText` wrote. Throws `DamagedText` for other bytes. */
export function unsealText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = buffer[0];
  const body = buffer.subarray(1 + CHECKSUM_BYTES);
  const isKnown = kind === KINDS.checkedUtf8 || kind === KINDS.checkedUtf16;
  if (!isKnown || buffer.length <= CHECKSUM_BYTES || buffer.readUInt32LE(1) !== crc32(body, kind))
    throw new DamagedText('the checksum of a stored text does not fit');
  return body.toString(kind === KINDS.checkedUtf8 ? 'utf8' : 'utf16le');
}

/** First byte of a deflated sealed text; not one of `KINDS`. */
const PACKED = 0x5a;

/** Minimum bytes of a sealed text that is compressed. For shorter ones, compressing costs more than it saves. */
const MIN_BYTES = 1024;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/**
 * Adds a checksum to a text and deflates it at the fastest level. For a shared Redis, which keeps texts for
 * days. Source code shrinks to a third, logs to a sixth.
 */
export async function packText(text: string): Promise<Buffer> {
  const sealed = sealText(text);
  if (sealed.length < MIN_BYTES) return sealed;
  const packed = await deflate(sealed, { level: 1 });
  return packed.length < sealed.length ? Buffer.concat([Buffer.of(PACKED), packed]) : sealed;
}

/** Reads bytes that `packText` wrote. Throws `DamagedText` for other bytes. */
export async function unpackText(bytes: Uint8Array): Promise<string> {
  if (bytes[0] !== PACKED) return unsealText(bytes);
  const sealed = await inflate(bytes.subarray(1)).catch(() => {
    throw new DamagedText('a stored text cannot be unpacked');
  });
  return unsealText(sealed);
}
