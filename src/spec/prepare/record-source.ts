import { readSync } from 'node:fs';

/** Bytes that can be read at any place: a file's, or some that are held. */
export interface RecordSource {
  /** Reads exactly `length` bytes from `offset` to `at` in `target`. */
  readInto(target: Buffer, at: number, range: ByteRange): void;
}

export interface ByteRange {
  offset: number;
  length: number;
}

const WINDOW_BYTES = 512 * 1024;

/** Reads ahead: an answer asks for a part of each record in turn, and a call a part costs more than its bytes. */
export function fileSource(descriptor: number): RecordSource {
  let window: Buffer | undefined;
  let from = 0;
  let end = 0;
  return {
    readInto: (target, at, { offset, length }) => {
      if (length > WINDOW_BYTES) {
        readFully(descriptor, target.subarray(at, at + length), offset);
        return;
      }
      window ??= Buffer.allocUnsafe(WINDOW_BYTES);
      if (offset < from || offset + length > end) {
        from = offset;
        end = offset + readSync(descriptor, window, 0, WINDOW_BYTES, offset);
      }
      if (offset + length > end)
        readFully(descriptor, window.subarray(end - from, offset + length - from), end);
      window.copy(target, at, offset - from, offset + length - from);
    },
  };
}

function readFully(descriptor: number, target: Buffer, offset: number): void {
  for (let done = 0; done < target.length; ) {
    const count = readSync(descriptor, target, done, target.length - done, offset + done);
    if (count === 0) throw new Error('the facts ended before their record did');
    done += count;
  }
}

export function heldSource(bytes: Uint8Array): RecordSource {
  return {
    readInto: (target, at, { offset, length }) => {
      target.set(bytes.subarray(offset, offset + length), at);
    },
  };
}

/** A stretch of a source; what answers are made of. */
export interface Slice extends ByteRange {
  source: RecordSource;
}

export function readSlice({ source, offset, length }: Slice): string {
  const bytes = Buffer.allocUnsafe(length);
  source.readInto(bytes, 0, { offset, length });
  return bytes.toString('utf8');
}
