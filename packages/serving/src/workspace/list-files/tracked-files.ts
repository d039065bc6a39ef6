import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openRegularFile } from '@secateur/base/runtime/open-regular-file.ts';

const HEADER_BYTES = 12;
/** Times, device, inode, mode, owner, size and a SHA-1, then the flags. */
const [MODE_AT, FLAGS_AT, PATH_AT] = [24, 60, 62];
const EXTENDED = 0x4000;
const REGULAR_FILE = 8;

/**
 * Files git tracks, relative to the top of the repository: ignore files say nothing about those. Read from the index
 * itself, so that no program of the repository's choice is run. Nothing when the index is missing or of a kind unknown
 * to us.
 */
export async function trackedFiles(top: string): Promise<string[]> {
  try {
    return readIndex(await readPlainFile(join(await gitFolder(top), 'index'), MAX_INDEX_BYTES));
  } catch {
    return [];
  }
}

/** An index of a million files has about 100 MB. */
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
const MAX_POINTER_BYTES = 8192;

/** Reads a file of the repository, which may be anything: a pipe, a device, a file without end. */
async function readPlainFile(path: string, maxBytes: number): Promise<Buffer> {
  const file = openRegularFile(path, { followLinks: true });
  if (file.kind === 'refused') throw new Error(file.reason);
  try {
    if (file.size > maxBytes) throw new Error('too large');
    return await file.readAt(0, file.size);
  } finally {
    file.close();
  }
}

/** A worktree and a submodule have a file that tells where theirs is. */
async function gitFolder(top: string): Promise<string> {
  const place = join(top, '.git');
  const text = await readPlainFile(place, MAX_POINTER_BYTES).then(String, () => '');
  const prefix = 'gitdir: ';
  return text.startsWith(prefix) ? resolve(top, text.slice(prefix.length).trimEnd()) : place;
}

function readIndex(index: Buffer): string[] {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return [];
  const paths: string[] = [];
  let [at, previous] = [HEADER_BYTES, Buffer.alloc(0)];
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const isExtended = (index.readUInt16BE(at + FLAGS_AT) & EXTENDED) !== 0;
    const start = at + PATH_AT + (isExtended ? 2 : 0);
    const entry = version === 4 ? readShortened(index, start, previous) : readPadded(index, { at, start });
    if (index.readUInt32BE(at + MODE_AT) >>> 12 === REGULAR_FILE) paths.push(entry.path.toString('utf8'));
    [at, previous] = [entry.end, entry.path];
  }
  return paths;
}

interface IndexEntry {
  path: Buffer<ArrayBuffer>;
  end: number;
}

/** Ends with one to eight NULs, so that the next entry begins at a multiple of eight. */
function readPadded(index: Buffer, { at, start }: { at: number; start: number }): IndexEntry {
  const stop = index.indexOf(0, start);
  return { path: Buffer.from(index.subarray(start, stop)), end: at + (Math.floor((stop - at) / 8) + 1) * 8 };
}

/** Says how much of the path before it is left out, then the rest. */
function readShortened(index: Buffer, start: number, previous: Buffer): IndexEntry {
  let at = start;
  let cut = index.readUInt8(at) & 0x7f;
  while ((index.readUInt8(at) & 0x80) !== 0) {
    at += 1;
    cut = (cut + 1) * 128 + (index.readUInt8(at) & 0x7f);
  }
  const stop = index.indexOf(0, at + 1);
  const kept = previous.subarray(0, previous.length - cut);
  return { path: Buffer.concat([kept, index.subarray(at + 1, stop)]), end: stop + 1 };
}

/** Whether it is there and nothing on the way to it is a link: an index can hold any name. */
export async function isPlainlyThere(folder: string, path: string): Promise<boolean> {
  const wanted = join(folder, path);
  return realpath(wanted).then(
    (real) => real === wanted,
    () => false,
  );
}
