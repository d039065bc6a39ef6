import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { removeStaleFile } from '@secateur/base/runtime/writing-files.ts';
import { isNoteKey, type StoreUsage } from '../../store.ts';
import { DamagedText, packText, unpackText } from '../text-codec.ts';

/** Path of an entry: one of 256 folders, and in it a file named after the SHA-256 of the whole key. */
export interface EntryName {
  readonly folder: string;
  readonly file: string;
}

/** Suffix of the records about cuts. They do not count as stored texts. */
const NOTE_SUFFIX = '.note';

export function entryName(key: string): EntryName {
  const digest = hash('sha256', key);
  return { folder: digest.slice(0, 2), file: `${digest.slice(2)}${isNoteKey(key) ? NOTE_SUFFIX : ''}` };
}

const CHECKSUM_BYTES = 4;

/** Returns a CRC-32 of name and content, followed by the compressed text. A file that was renamed is then damaged too. */
export async function encodeEntry(name: EntryName, text: string): Promise<Buffer> {
  const packed = await packText(text);
  const head = Buffer.alloc(CHECKSUM_BYTES);
  head.writeUInt32LE(checksum(name, packed));
  return Buffer.concat([head, packed]);
}

export type FoundEntry =
  | { readonly kind: 'none' }
  | { readonly kind: 'damaged'; readonly cause: DamagedText }
  | { readonly kind: 'text'; readonly text: string; readonly expiresAt: number };

/** Reads the file of an entry. Its modification time is the time at which the entry expires. */
export async function readEntry(path: string, name: EntryName): Promise<FoundEntry> {
  const file = await openEntry(path);
  if ('kind' in file) return file;
  try {
    const found = await file.stat();
    if (!found.isFile()) return damaged('what has the name of an entry is not a file');
    const bytes = Buffer.allocUnsafe(found.size);
    const { bytesRead } = await file.read(bytes, 0, found.size, 0);
    const text = await decodeEntry(name, bytes.subarray(0, bytesRead));
    return { kind: 'text', text, expiresAt: Math.round(found.mtimeMs) };
  } catch (cause) {
    if (cause instanceof DamagedText) return { kind: 'damaged', cause };
    throw cause;
  } finally {
    await file.close();
  }
}

/** Without `O_NONBLOCK`, a pipe in the place of the file would block the call. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

async function openEntry(path: string): Promise<FileHandle | FoundEntry> {
  try {
    return await open(path, READ_FLAGS);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'none' };
    if (code === 'ELOOP' || code === 'ENXIO') return damaged('what has the name of an entry is not a file');
    throw error;
  }
}

async function decodeEntry(name: EntryName, bytes: Buffer): Promise<string> {
  const packed = bytes.subarray(CHECKSUM_BYTES);
  if (packed.length === 0 || bytes.readUInt32LE() !== checksum(name, packed))
    throw new DamagedText('the checksum of a stored file does not fit');
  return unpackText(packed);
}

function checksum({ folder, file }: EntryName, packed: Uint8Array): number {
  return crc32(packed, crc32(folder + file));
}

function damaged(words: string): FoundEntry {
  return { kind: 'damaged', cause: new DamagedText(words) };
}

export interface ListedEntry {
  readonly path: string;
  /** Size on disk in bytes. */
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly isNote: boolean;
}

const BLOCK_BYTES = 4096;

/** Returns the disk space of a file, which is counted in blocks. Thousands of short texts take more space than their length. */
export function bytesOnDisk(fileBytes: number): number {
  return Math.ceil(fileBytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/** Lists all entries, folder by folder, so that other events are handled in between. */
export async function listEntries(texts: string): Promise<ListedEntry[]> {
  const entries: ListedEntry[] = [];
  for (const folder of await namesIn(texts))
    for (const entry of await entriesOf(join(texts, folder))) entries.push(entry);
  return entries;
}

async function entriesOf(folder: string): Promise<ListedEntry[]> {
  const names = (await namesIn(folder)).filter((name) => ENTRY_FILE.test(name));
  const listed = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found === undefined) return undefined;
      const { size, mtimeMs } = found;
      return { path, bytes: bytesOnDisk(size), mtimeMs, isNote: name.endsWith(NOTE_SUFFIX) };
    }),
  );
  return listed.filter((entry) => entry !== undefined);
}

const ENTRY_FILE = /^[0-9a-f]{62}(?:\.note)?$/;

/** Returns the names in a folder. Empty if the path does not lead to a folder. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
}

export function usageOf(entries: readonly ListedEntry[], now: number): StoreUsage {
  let [texts, bytes, until] = [0, 0, 0];
  for (const entry of entries) {
    bytes += entry.bytes;
    const expiresAt = Math.round(entry.mtimeMs);
    if (entry.isNote || expiresAt <= now) continue;
    texts += 1;
    until = Math.max(until, expiresAt);
  }
  return { texts, bytes, ...(texts > 0 && { until }) };
}

export interface SweepLimits {
  readonly now: number;
  /** Time in ms for which expired entries are kept. A clock that is wrong by less then loses no entry. */
  readonly ttlMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Deletes entries that expired more than one time to live ago. Then deletes those that expire first, until
 * the others fit. Returns the remaining bytes. An entry that another process renews meanwhile is kept.
 */
export async function removeOldEntries(entries: ListedEntry[], limits: SweepLimits): Promise<number> {
  let held = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  entries.sort((left, right) => left.mtimeMs - right.mtimeMs);
  for (const { path, bytes, mtimeMs } of entries) {
    const isOld = mtimeMs + limits.ttlMs <= limits.now;
    if (limits.signal.aborted || !(isOld || held > limits.maxBytes)) break;
    if (await removeStaleFile(path, mtimeMs)) held -= bytes;
  }
  return held;
}

const LEFT_BEHIND_MS = 3_600_000;

/** Deletes files that a killed process left behind: drafts, and files that it was about to delete. */
export async function removeLeftovers(folders: readonly string[]): Promise<void> {
  for (const folder of folders)
    for (const name of await namesIn(folder)) {
      if (ENTRY_FILE.test(name)) continue;
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      // The modification time of a draft is in the future.
      if (found?.isFile() && Date.now() - found.ctimeMs > LEFT_BEHIND_MS) await rm(path, { force: true });
    }
}
