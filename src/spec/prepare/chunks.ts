import type { Slice } from './record-source.ts';

/** A piece of an answer: text of our own, or bytes that lie in a store. */
export type Piece = string | Slice;

const CHUNK_BYTES = 512 * 1024;

/**
 * The pieces as UTF-8, some hundred kilobytes at a time: never more of them in memory than that. A chunk is good until
 * the next one is asked for, which is written over it.
 */
export function* inChunks(pieces: Iterable<Piece>): Generator<Buffer> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let used = 0;
  for (const piece of pieces) {
    const length = typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
    if (used + length > CHUNK_BYTES) {
      yield chunk.subarray(0, used);
      used = 0;
    }
    if (length > CHUNK_BYTES) yield bytesOf(piece);
    else used += put(piece, chunk, used);
  }
  yield chunk.subarray(0, used);
}

function put(piece: Piece, chunk: Buffer, at: number): number {
  if (typeof piece === 'string') return chunk.write(piece, at);
  piece.source.readInto(chunk, at, piece);
  return piece.length;
}

function bytesOf(piece: Piece): Buffer {
  if (typeof piece === 'string') return Buffer.from(piece);
  const bytes = Buffer.allocUnsafe(piece.length);
  piece.source.readInto(bytes, 0, piece);
  return bytes;
}
