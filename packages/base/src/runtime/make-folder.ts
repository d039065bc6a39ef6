import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o700;

/**
 * Makes a folder and those above it, open to their owner only. Node's own recursive `mkdir` never returns where a
 * parent exists but takes no folders (`/proc`, some network mounts).
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: OWNER_ONLY });
    // The umask may have taken bits away.
    chmodSync(path, OWNER_ONLY);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' && !isFolder(dirname(path))) {
      makeFolder(dirname(path));
      makeFolder(path);
    } else if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
