/** Collects the bytes of one source that is not trusted to be short. */
export class BoundedBytes {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns `false`, and drops what was collected, once the source is longer than the limit. */
  add(chunk: Uint8Array): boolean {
    this.#size += chunk.byteLength;
    if (this.#size <= this.#maxBytes) this.#chunks.push(chunk);
    else this.#chunks = [];
    return this.#size <= this.#maxBytes;
  }

  bytes(): Buffer {
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(this.#chunks);
  }
}

/** Reads a source to its end. Returns `undefined`, and closes the source, if it is longer than `maxBytes`. */
export async function readAtMost(
  source: AsyncIterable<Uint8Array | string> | null,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const read = new BoundedBytes(maxBytes);
  for await (const chunk of source ?? []) {
    if (!read.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)) return undefined;
  }
  return read.bytes();
}
