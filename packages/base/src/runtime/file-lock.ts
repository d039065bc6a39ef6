import { randomBytes } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { removeStaleFile } from './remove-stale-file.ts';

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
