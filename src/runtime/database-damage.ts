import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';

export const DATA_FILE = 'data.mdb';
export const LOCK_FILE = 'lock.mdb';

/** Throws where something else is in the place of LMDB's files: a folder for its lock ends the process with a signal, a pipe is waited for without end. */
export async function requireDatabaseFiles(folder: string): Promise<void> {
  for (const path of [join(folder, DATA_FILE), join(folder, LOCK_FILE)]) {
    const found = await stat(path).catch(() => lstat(path).catch(() => undefined));
    if (found !== undefined && !found.isFile()) throw new Error(`${path} is not a file: move it away`);
  }
}

/**
 * What is wrong with a data file, if it must not be opened: LMDB maps it into memory as it is, and one that was cut
 * short or overwritten ends the process with a signal instead of an error.
 */
export async function damageOf(path: string): Promise<string | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    return await judge(file);
  } finally {
    await file.close();
  }
}

async function judge(file: FileHandle): Promise<string | undefined> {
  if ((await file.stat()).size === 0) return undefined;
  const first = await readMeta(file, 0);
  const second = first === undefined ? undefined : await readMeta(file, first.pageSize);
  if (first === undefined || second === undefined) return 'it is not a file of this store';
  const newest = second.transaction > first.transaction ? second : first;
  // The size is read last: another process may be writing, and pages come before what counts them.
  const { size } = await file.stat();
  return size < newest.pages * first.pageSize ? 'its end is missing' : undefined;
}

interface Meta {
  readonly pageSize: number;
  /** How many pages the file has to have. */
  readonly pages: number;
  readonly transaction: bigint;
}

/** Where LMDB keeps what it says about the whole file, in each of its first two pages. */
const META = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152, end: 160 };
const MAGIC = 0xbeefc0de;
const PAGE_SIZES: ReadonlySet<number> = new Set([4096, 8192, 16_384, 32_768, 65_536]);
const IS_LITTLE = endianness() === 'LE';

async function readMeta(file: FileHandle, at: number): Promise<Meta | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(META.end), 0, META.end, at);
  const view = new DataView(buffer.buffer, buffer.byteOffset, bytesRead);
  if (bytesRead < META.end || view.getUint32(META.magic, IS_LITTLE) !== MAGIC) return undefined;
  const pageSize = view.getUint32(META.pageSize, IS_LITTLE);
  if (!PAGE_SIZES.has(pageSize)) return undefined;
  const pages = Number(view.getBigUint64(META.lastPage, IS_LITTLE)) + 1;
  return { pageSize, pages, transaction: view.getBigUint64(META.transaction, IS_LITTLE) };
}
