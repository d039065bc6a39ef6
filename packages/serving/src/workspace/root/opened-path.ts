import { type FileHandle, readlink, realpath, stat } from 'node:fs/promises';

/**
 * Where the file behind an open handle really lies. Linux tells; elsewhere the path is resolved again and must
 * still name the very file that was opened, else `undefined`: it was swapped in between.
 */
export async function openedPath(handle: FileHandle, path: string): Promise<string | undefined> {
  const told = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  return told ?? resolveAgain(handle, path);
}

export async function resolveAgain(handle: FileHandle, path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const [named, opened] = await Promise.all([
    stat(real, { bigint: true }).catch(() => undefined),
    handle.stat({ bigint: true }),
  ]);
  const same = named !== undefined && named.dev === opened.dev && named.ino === opened.ino;
  return same ? real : undefined;
}
