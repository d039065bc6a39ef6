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
 * Writes a whole file. Readers see the old or the new content, never a part, even after a power failure. If
 * several processes write concurrently, all succeed and the last one wins.
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

/** Like `replaceFile`, for callers that cannot wait. */
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

/** Returns a name for a draft next to the target that no other writer uses and that is not too long. */
function draftOf(path: string): string {
  return join(dirname(path), `.secateur-${randomBytes(9).toString('hex')}.tmp`);
}

async function writeDraft(draft: string, content: string | Uint8Array, mode: number): Promise<void> {
  const file = await open(draft, 'wx', mode);
  try {
    // The umask may have removed permissions.
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
 * Deletes a file unless another process has renewed it since its modification time was read. Returns whether
 * it was deleted. First moves the file away and then compares the time, so a process that renews it meanwhile
 * writes a new file and no data is lost.
 */
export async function removeStaleFile(path: string, seenMtimeMs: number): Promise<boolean> {
  const aside = `${path}.${randomBytes(6).toString('hex')}.old`;
  const isThere = await rename(path, aside).then(() => true, unlessMissing);
  if (!isThere) return false;
  const isStale = (await stat(aside)).mtimeMs === seenMtimeMs;
  // Another process renewed the file: it is moved back.
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

/** Runs `work` while holding a lock file. Takes over a lock that a killed process left behind. */
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
 * Takes a lock file. Returns the function that releases it, or `undefined` if another process holds it.
 * `staleMs` must be longer than any process works: an older lock was left behind by a killed process.
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

/** Releases a lock, unless another process has taken it over. */
async function release(path: string, holder: string): Promise<void> {
  const current = await readFile(path, 'utf8').catch(() => undefined);
  if (current === holder) await rm(path, { force: true });
}

const OWNERS_FOLDER = 0o700;

/**
 * Creates a folder and its parents, which only the owner can access. Node's recursive `mkdir` is not used: it
 * never returns if a parent cannot contain folders (`/proc`, some network mounts).
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: OWNERS_FOLDER });
    // The umask may have removed permissions.
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
