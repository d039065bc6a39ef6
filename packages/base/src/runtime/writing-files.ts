import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { link, open, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

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

const LOCK_PAUSE_MS = 25;
const DEFAULT_STALE_MS = 30_000;

/** Runs `work` while no other process holds the lock file. A lock that a killed process left is taken over. */
export async function withFileLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  let release = await tryFileLock(path);
  while (release === undefined) {
    await setTimeout(LOCK_PAUSE_MS);
    release = await tryFileLock(path);
  }
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * Takes the lock file and returns the function that releases it, or `undefined` if another process holds it.
 * `staleMs`: longer than any holder works; an older lock counts as left behind.
 */
export async function tryFileLock(
  path: string,
  staleMs: number = DEFAULT_STALE_MS,
): Promise<(() => Promise<void>) | undefined> {
  const holder = randomBytes(9).toString('hex');
  try {
    await writeFile(path, holder, { flag: 'wx', mode: 0o600 });
    return () => release(path, holder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > staleMs)
      await removeStaleFile(path, found.mtimeMs);
    return undefined;
  }
}

/** A lock that was taken over belongs to another process by now. */
async function release(path: string, holder: string): Promise<void> {
  const current = await readFile(path, 'utf8').catch(() => undefined);
  if (current === holder) await rm(path, { force: true });
}

const OWNERS_FOLDER = 0o700;

/**
 * Makes a folder and those above it, open to their owner only. Node's own recursive `mkdir` never returns where a
 * parent exists but takes no folders (`/proc`, some network mounts).
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: OWNERS_FOLDER });
    // The umask may have taken bits away.
    chmodSync(path, OWNERS_FOLDER);
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
