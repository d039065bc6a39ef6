import type { Slice } from './record-source.ts';

/** A piece of an answer: text of our own, or bytes that lie in a store. */
export type Piece = string | Slice;

const CHUNK_BYTES = 512 * 1024;

/** The pieces as UTF-8, some hundred kilobytes at a time: never more of them in memory than that. */
export function* inChunks(pieces: Iterable<Piece>): Generator<Buffer> {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let used = 0;
  for (const piece of pieces) {
    const length = typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
    if (used + length > chunk.length) {
      yield chunk.subarray(0, used);
      chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, length));
      used = 0;
    }
    if (typeof piece === 'string') chunk.write(piece, used);
    else piece.source.readInto(chunk, used, piece);
    used += length;
  }
  yield chunk.subarray(0, used);
}
