import { lstat, mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { replaceFile } from '@secateur/base/runtime/replace-file.ts';
import {
  fileFailure,
  type OpenedDirectory,
  openDirectory,
  requirePlaced,
  type WorkspaceRoot,
} from './root.ts';

/** New directories and files are their owner's only; existing ones keep their mode. */
const OWNERS_FOLDER = 0o700;
const OWNERS_FILE = 0o600;

/**
 * Writes a whole file or nothing: a reader sees the old text or the new one, never a part. Missing folders are
 * made. A symlink that stays inside the root is written through; one that leads out is refused.
 */
export async function writeFileInside(root: WorkspaceRoot, path: string, text: string): Promise<void> {
  const target = await followLink(root, path);
  const folder = await openFolder(root, dirname(target));
  try {
    const file = join(folder.cwd, basename(target));
    await replaceFile(file, text, await modeOf(file));
  } catch (cause) {
    throw fileFailure(path, cause);
  } finally {
    await folder.close();
  }
}

async function followLink(root: WorkspaceRoot, path: string): Promise<string> {
  const placed = requirePlaced(root, path);
  if (placed.path === '.') throw new DomainError('invalid_path', `${path}: is a directory`);
  const found = await lstat(placed.absolute).catch(() => undefined);
  if (found?.isFile() === false && !found.isSymbolicLink()) {
    throw new DomainError('invalid_path', `${path}: is not a regular file`);
  }
  if (!found?.isSymbolicLink()) return placed.path;
  const real = await realpath(placed.absolute).catch((cause) => {
    throw fileFailure(path, cause);
  });
  return requirePlaced(root, real).path;
}

/** Walks down from the root, making what is missing; every step is opened and checked before the next. */
async function openFolder(root: WorkspaceRoot, path: string): Promise<OpenedDirectory> {
  let folder = await openDirectory(root, '.');
  let walked = '.';
  for (const name of path.split(sep).filter((part) => part !== '.')) {
    walked = join(walked, name);
    const parent = folder;
    try {
      await mkdir(join(parent.cwd, name), OWNERS_FOLDER).catch(unlessExists);
      folder = await openDirectory(root, walked);
    } catch (cause) {
      throw fileFailure(walked, cause);
    } finally {
      await parent.close();
    }
  }
  return folder;
}

function unlessExists(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'EEXIST') throw cause;
}

function modeOf(path: string): Promise<number> {
  return lstat(path).then(
    (found) => found.mode & 0o7777,
    () => OWNERS_FILE,
  );
}
