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

/** Read or checked at a time. */
export const WINDOW_BYTES = 512 * 1024;

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

const TEXTS_AT_ONCE = 64 * 1024;

/** The texts of a stretch, each with a zero behind it, without one as long as all of them. */
export function* textsIn(source: RecordSource, { offset, length }: ByteRange): Generator<string, undefined> {
  let rest = Buffer.alloc(0);
  for (let done = 0; done < length; done += TEXTS_AT_ONCE) {
    const count = Math.min(TEXTS_AT_ONCE, length - done);
    const bytes = Buffer.allocUnsafe(rest.length + count);
    rest.copy(bytes);
    source.readInto(bytes, rest.length, { offset: offset + done, length: count });
    const end = bytes.lastIndexOf(0) + 1;
    yield* bytes.toString('utf8', 0, end).split('\0').slice(0, -1);
    rest = bytes.subarray(end);
  }
}
