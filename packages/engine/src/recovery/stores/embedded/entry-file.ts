import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { isNoteKey } from '../../store.ts';
import { packText, unpackText } from '../packed-text.ts';
import { DamagedText } from '../text-codec.ts';

/**
 * Path of an entry: one of 256 folders, and a file named after the SHA-256 of the key, owner and kind
 * included.
 */
export interface EntryName {
  readonly folder: string;
  readonly file: string;
}

/** Ends the names of records about cuts, which are not counted as stored texts. */
export const NOTE_SUFFIX = '.note';

export function entryName(key: string): EntryName {
  const digest = hash('sha256', key);
  return { folder: digest.slice(0, 2), file: `${digest.slice(2)}${isNoteKey(key) ? NOTE_SUFFIX : ''}` };
}

const CHECKSUM_BYTES = 4;

/** Returns a CRC-32 of name and content, then the compressed text: a file under another name is damage, too. */
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

/** Reads the file of an entry. Its modification time is the moment at which the entry expires. */
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

/** A pipe in the place of the file would keep a plain open waiting. */
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
