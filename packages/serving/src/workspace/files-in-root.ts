import { isUtf8 } from 'node:buffer';
import { type FileHandle, lstat, mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { replaceFile } from '@secateur/base/runtime/writing-files.ts';
import { boundaryBefore } from '@secateur/base/text/characters.ts';
import { bytesThatFitNumbered } from '@secateur/base/text/lines.ts';
import {
  fileFailure,
  type OpenedDirectory,
  openDirectory,
  openInside,
  requireInRoot,
  type WorkspaceRoot,
} from './root.ts';

export type FileText = Awaited<ReturnType<typeof readFileInside>>;

export interface ReadLimit {
  /** Maximum bytes of the text as UTF-8. Includes line numbers if `numbered` is set. */
  maxBytes: number;
  /** Whether the caller will add line numbers. Default: false. */
  numbered?: boolean;
}

/** Reads the text of a regular file up to `limit`, without splitting a character, and no bytes beyond. */
export async function readFileInside(root: WorkspaceRoot, path: string, limit: ReadLimit) {
  const { handle } = await openInside(root, path);
  try {
    const { size } = await regularFile(handle, path);
    const bytes = await readUpTo(handle, limit.maxBytes + 1, size);
    // As in git and grep, a file with a NUL near its beginning is not text.
    if (bytes.subarray(0, 8_000).includes(0)) {
      throw new DomainError('io_error', `${path}: is a binary file; only text can be read`);
    }
    return { ...decode(bytes, limit), fileBytes: Math.max(size, bytes.length) };
  } catch (cause) {
    throw fileFailure(path, cause);
  } finally {
    await handle.close();
  }
}

async function regularFile(handle: FileHandle, path: string): Promise<{ size: number }> {
  const found = await handle.stat();
  if (found.isFile()) return found;
  const kind = found.isDirectory() ? 'a directory' : 'not a regular file';
  throw new DomainError('invalid_path', `${path}: is ${kind}`);
}

/** Reads up to `maxBytes`. `sizeHint` may be wrong: files can grow, and some files report a size of 0. */
async function readUpTo(handle: FileHandle, maxBytes: number, sizeHint: number): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(Math.min(maxBytes, sizeHint + 1));
  let length = 0;
  for (;;) {
    if (length === buffer.length) {
      if (length === maxBytes) return buffer;
      buffer = Buffer.concat([buffer], Math.min(maxBytes, Math.max(65_536, length * 2)));
    }
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
}

function decode(read: Buffer, { maxBytes, numbered = false }: ReadLimit) {
  const raw = read.subarray(0, boundaryBefore(read, maxBytes));
  const hasInvalidUtf8 = !isUtf8(raw);
  // U+FFFD has three bytes, so the text may be longer than the bytes it replaces.
  const valid = hasInvalidUtf8 ? Buffer.from(raw.toString('utf8')) : raw;
  const fit = numbered ? bytesThatFitNumbered(valid, maxBytes) : maxBytes;
  const end = boundaryBefore(valid, fit);
  return {
    text: valid.toString('utf8', 0, end),
    /** Whether the file continues after `text`. */
    truncated: raw.length < read.length || end < valid.length,
    /** Whether bytes that are not valid UTF-8 were replaced by U+FFFD. */
    hasInvalidUtf8,
  };
}

/** Mode of new directories. Existing ones keep their mode. */
const OWNERS_FOLDER = 0o700;
const OWNERS_FILE = 0o600;

/**
 * Writes a whole file: a reader sees the old or the new text, never a part. Creates missing folders. Follows
 * a symlink that stays inside the root and refuses one that leads out of it.
 */
export async function writeFileInside(root: WorkspaceRoot, path: string, text: string): Promise<void> {
  const target = await followLink(root, path);
  const folder = await openFolder(root, dirname(target));
  try {
    const file = join(folder.cwd, basename(target));
    const found = await lstat(file).catch(() => undefined);
    await replaceFile(file, text, found === undefined ? OWNERS_FILE : found.mode & 0o7777);
  } catch (cause) {
    throw fileFailure(path, cause);
  } finally {
    await folder.close();
  }
}

async function followLink(root: WorkspaceRoot, path: string): Promise<string> {
  const placed = requireInRoot(root, path);
  if (placed.path === '.') throw new DomainError('invalid_path', `${path}: is a directory`);
  const found = await lstat(placed.absolute).catch(() => undefined);
  if (found?.isFile() === false && !found.isSymbolicLink()) {
    throw new DomainError('invalid_path', `${path}: is not a regular file`);
  }
  if (!found?.isSymbolicLink()) return placed.path;
  const real = await realpath(placed.absolute).catch((cause) => {
    throw fileFailure(path, cause);
  });
  return requireInRoot(root, real).path;
}

/** Opens a folder, creating missing ones. Each step of the path is checked before the next. */
async function openFolder(root: WorkspaceRoot, path: string): Promise<OpenedDirectory> {
  let folder = await openDirectory(root, '.');
  let walked = '.';
  for (const name of path.split(sep).filter((part) => part !== '.')) {
    walked = join(walked, name);
    const parent = folder;
    try {
      await mkdir(join(parent.cwd, name), OWNERS_FOLDER).catch((cause: NodeJS.ErrnoException) => {
        if (cause.code !== 'EEXIST') throw cause;
      });
      folder = await openDirectory(root, walked);
    } catch (cause) {
      throw fileFailure(walked, cause);
    } finally {
      await parent.close();
    }
  }
  return folder;
}
