import { randomBytes } from 'node:crypto';
import { link, rename, stat, unlink } from 'node:fs/promises';

/**
 * Deletes a file unless another process renewed it since its modification time was looked up. Returns whether it was
 * deleted. The file is moved away before its time is compared: a process that renews it later finds no file and
 * writes it again, so that nothing it was promised is lost.
 */
export async function removeStaleFile(path: string, seenMtimeMs: number): Promise<boolean> {
  const aside = `${path}.${randomBytes(6).toString('hex')}.old`;
  const isThere = await rename(path, aside).then(() => true, unlessMissing);
  if (!isThere) return false;
  const isStale = (await stat(aside)).mtimeMs === seenMtimeMs;
  // A file that another process has written in the meantime stays in its place.
  if (!isStale) await link(aside, path).catch(unlessThere);
  await unlink(aside);
  return isStale;
}

function unlessMissing(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT') return false;
  throw error;
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
