import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the beginning of a command line whose rest runs with a disk of a few bytes in a folder. The disk exists for
 * that process alone and ends with it.
 */
export function onSmallDisk(folder: string, bytes: number): string[] {
  // Root needs no user namespace, which containers often forbid.
  const unshare = process.getuid?.() === 0 ? ['unshare', '-m'] : ['unshare', '-rm'];
  const mount = `mount -t tmpfs -o size=${bytes},mode=0700 none "$0" && exec "$@"`;
  return [...unshare, 'sh', '-c', mount, folder];
}

/** Returns whether this machine lets us mount one. */
export function canMountSmallDisk(): boolean {
  if (process.platform !== 'linux') return false;
  const folder = mkdtempSync(join(tmpdir(), 'secateur-disk-'));
  const [file = '', ...args] = onSmallDisk(folder, 65_536);
  const { status } = spawnSync(file, [...args, 'true'], { stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true });
  return status === 0;
}
