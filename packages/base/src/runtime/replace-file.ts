import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * Writes whole files. A reader sees the old content or the new one, never a part, also after a power failure; of
 * several processes that write at the same time the last one wins and none fails.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  mode: number = OWNER_ONLY,
): Promise<void> {
  makeFolder(dirname(path));
  const draft = draftOf(path);
  try {
    await writeDraft(draft, content, mode);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/** Does what `replaceFile` does, for callers that cannot wait. */
export function replaceFileSync(path: string, content: string, mode: number = OWNER_ONLY): void {
  makeFolder(dirname(path));
  const draft = draftOf(path);
  try {
    writeDraftSync(draft, content, mode);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

const OWNER_ONLY = 0o600;

/** Names a file beside the target that no other writer uses. A long name of the target must not make it too long. */
function draftOf(path: string): string {
  return join(dirname(path), `.secateur-${randomBytes(9).toString('hex')}.tmp`);
}

async function writeDraft(draft: string, content: string | Uint8Array, mode: number): Promise<void> {
  const file = await open(draft, 'wx', mode);
  try {
    // The umask may have taken bits away.
    await file.chmod(mode);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

function writeDraftSync(draft: string, content: string, mode: number): void {
  const file = openSync(draft, 'wx', mode);
  try {
    fchmodSync(file, mode);
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
