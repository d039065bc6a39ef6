import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { attempt } from './domain-error.ts';

/**
 * Opens files whose path or content comes from untrusted input: hook events, client settings, the files of a cloned
 * repository. Links, pipes, devices, folders and the kernel's own files (`/proc`, `/sys`) are refused, and no call
 * waits for another process.
 *
 *     const file = openRegularFile(path, { below: [folder] });
 *     if (file.kind === 'refused') return undefined;
 */
export function openRegularFile(path: string, options: OpenOptions = {}): RegularFile | FileRefusal {
  const target = options.below === undefined ? resolve(path) : placeBelow(path, options.below);
  if (target === undefined || target.includes('\0')) return refused(OUTSIDE);
  const linkFlag = options.followLinks ? 0 : (constants.O_NOFOLLOW ?? 0);
  let fd: number | undefined;
  try {
    fd = openSync(target, constants.O_RDONLY | NON_BLOCKING | linkFlag);
    const refusal = refusalOf(fd, target, options);
    if (refusal === undefined) return regularFile(fd);
    closeSync(fd);
    return refusal;
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    return refusalFor(error);
  }
}

export interface OpenOptions {
  /** Folders that must contain the file. A link between the folder and the file is refused too. */
  readonly below?: readonly string[];
  /** Whether links are followed. Only for paths that the user chose, never for paths from an event or a repository. Default: false. */
  readonly followLinks?: boolean;
}

export interface FileRefusal {
  readonly kind: 'refused';
  /** `missing`: the file does not exist. */
  readonly code: 'missing' | 'not_regular' | 'outside' | 'too_large' | 'unreadable';
  /** End of a sentence that begins with the path, such as `is a folder, not a regular file`. */
  readonly reason: string;
}

const readOnce = promisify(read);

/** A regular file that is open for reading. The caller closes it. */
export type RegularFile = ReturnType<typeof regularFile>;

function regularFile(fd: number) {
  return {
    kind: 'opened' as const,
    fd,
    /** Size in bytes when the file was opened. */
    size: fstatSync(fd).size,
    /** Reads at most `length` bytes from `start` on, without blocking the event loop. */
    readAt: async (start: number, length: number): Promise<Buffer> => {
      const buffer = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await readOnce(fd, buffer, filled, length - filled, start + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    },
    close: () => closeSync(fd),
  };
}

/** Reads a whole regular file of at most `maxBytes`. Refuses a larger file, even if it grows during the read. */
export function readRegularFile(
  path: string,
  { maxBytes, ...options }: OpenOptions & { readonly maxBytes: number },
): { readonly kind: 'read'; readonly bytes: Buffer } | FileRefusal {
  const file = openRegularFile(path, options);
  if (file.kind === 'refused') return file;
  try {
    const buffer = Buffer.allocUnsafe(Math.min(file.size, maxBytes) + 1);
    let filled = 0;
    for (let bytesRead = -1; bytesRead !== 0 && filled < buffer.length; filled += bytesRead)
      bytesRead = readSync(file.fd, buffer, filled, buffer.length - filled, null);
    if (filled > maxBytes) return refused({ code: 'too_large', reason: `is larger than ${maxBytes} bytes` });
    if (filled > file.size) return refused({ code: 'unreadable', reason: 'changed while it was read' });
    return { kind: 'read', bytes: buffer.subarray(0, filled) };
  } catch (error) {
    return refusalFor(error);
  } finally {
    file.close();
  }
}

/** Without these flags, opening a FIFO could block, and a terminal would become the controlling terminal. */
const NON_BLOCKING = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

const OUTSIDE = { code: 'outside', reason: 'is outside the folders that may be read' } as const;

function refused({ code, reason }: Omit<FileRefusal, 'kind'>): FileRefusal {
  return { kind: 'refused', code, reason };
}

/** Returns the real path of a file in a folder. The folder may be a link; the path from it must not contain one. */
function placeBelow(path: string, folders: readonly string[]): string | undefined {
  const absolute = resolve(path);
  for (const folder of folders) {
    const real = attempt(() => realpathSync(folder));
    if (real === undefined) continue;
    for (const base of [resolve(folder), real]) {
      const way = relative(base, absolute);
      if (way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(base, way) === absolute)
        return join(real, way);
    }
  }
  return undefined;
}

/** Checks the file that was opened instead of its path. A link that is swapped in between then has no effect. */
function refusalOf(fd: number, target: string, { below, followLinks }: OpenOptions): FileRefusal | undefined {
  const found = fstatSync(fd);
  if (!found.isFile())
    return refused({ code: 'not_regular', reason: `is ${kindOf(found)}, not a regular file` });
  const real = openedPath(fd, target);
  if (real === undefined) return refused({ code: 'unreadable', reason: 'was replaced while it was opened' });
  if (/^\/(?:proc|sys)\//.test(real))
    return refused({ code: 'not_regular', reason: 'is a file of the kernel, not a regular file' });
  if (below !== undefined && real !== target) return refused(OUTSIDE);
  // Windows has no O_NOFOLLOW.
  if (!followLinks && lstatSync(target).isSymbolicLink()) return refused(LINK);
  return undefined;
}

const LINK = { code: 'not_regular', reason: 'is a link, not a regular file' } as const;

/** Returns the real path of an open file. Outside Linux, the path is resolved again and must lead to that file. */
function openedPath(fd: number, target: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    const folder = attempt(() => realpathSync(dirname(target))) ?? '';
    const real = join(folder, relative(dirname(target), target));
    const [named, opened] = [statSync(real, { throwIfNoEntry: false }), fstatSync(fd)];
    return named?.ino === opened.ino && named.dev === opened.dev ? real : undefined;
  }
}

function kindOf(found: ReturnType<typeof fstatSync>): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe';
  if (found.isSocket()) return 'a socket';
  return 'a device';
}

const REASONS: Readonly<Record<string, Omit<FileRefusal, 'kind'>>> = {
  ENOENT: { code: 'missing', reason: 'does not exist' },
  ENOTDIR: { code: 'missing', reason: 'does not exist' },
  ELOOP: LINK,
  ENXIO: { code: 'not_regular', reason: 'is a socket or a device, not a regular file' },
  EISDIR: { code: 'not_regular', reason: 'is a folder, not a regular file' },
};

function refusalFor(error: unknown): FileRefusal {
  const errno = String((error as NodeJS.ErrnoException).code ?? 'unknown');
  return refused(REASONS[errno] ?? { code: 'unreadable', reason: `cannot be read (${errno})` });
}

/** Collects the bytes of a source, up to a limit. */
export class BoundedBytes {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a chunk. Returns `false`, and drops all collected bytes, if the source is longer than the limit. */
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

/** Reads a source to its end. If it is longer than `maxBytes`, closes it and returns `undefined`. */
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

const NEWLINE = 0x0a;

/** Receives the pieces of a line above the limit, in order. */
export interface LongLine {
  push(piece: Buffer): void;
  end?(): void;
}

export interface LineSink {
  line(bytes: Buffer): void;
  /** Called once per line above the limit, as soon as the limit is exceeded. */
  tooLong?(): LongLine | undefined;
}

/** Splits a byte stream into lines. Holds at most `maxBytes` of a line, and joins its pieces only once. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #sink: LineSink;
  #pieces: Buffer[] = [];
  #held = 0;
  #long: LongLine | undefined;

  constructor(maxBytes: number, sink: LineSink) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#hold(chunk.subarray(start, end));
      this.#finishLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /** Ends the stream. Reports a last line without a line break. */
  end(): void {
    if (this.#held > 0) this.#finishLine();
  }

  #hold(piece: Buffer): void {
    const wasTooLong = this.#held > this.#maxBytes;
    this.#held += piece.length;
    this.#pieces.push(piece);
    if (this.#held <= this.#maxBytes) return;
    if (!wasTooLong) this.#long = this.#sink.tooLong?.();
    for (const each of this.#pieces.splice(0)) this.#long?.push(each);
  }

  #finishLine(): void {
    const [first = Buffer.alloc(0)] = this.#pieces;
    const line = this.#pieces.length > 1 ? Buffer.concat(this.#pieces) : first;
    const isTooLong = this.#held > this.#maxBytes;
    this.#pieces = [];
    this.#held = 0;
    if (isTooLong) this.#long?.end?.();
    else this.#sink.line(line);
  }
}
