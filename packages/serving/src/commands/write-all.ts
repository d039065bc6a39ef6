import type { Writable } from 'node:stream';

/** Writes the pieces in turn, each when the one before has gone: a slow reader does not pile them up in memory. */
export async function writeAll(output: Writable, pieces: Iterable<Uint8Array | string>): Promise<void> {
  for (const piece of pieces) {
    await new Promise<void>((resolve, reject) => {
      output.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  }
}
