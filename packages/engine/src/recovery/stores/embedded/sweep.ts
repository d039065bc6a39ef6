import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeStaleFile } from '@secateur/base/runtime/remove-stale-file.ts';
import type { StoreUsage } from '../../store.ts';
import { NOTE_SUFFIX } from './entry-file.ts';

export interface ListedEntry {
  readonly path: string;
  /** Size on the disk. */
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly isNote: boolean;
}

const BLOCK_BYTES = 4096;

/** Disks give space in blocks: thousands of short texts take more than their lengths add up to. */
export function bytesOnDisk(fileBytes: number): number {
  return Math.ceil(fileBytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/** Lists all entries, one folder after the other, so that the event loop runs in between. */
export async function listEntries(texts: string): Promise<ListedEntry[]> {
  const entries: ListedEntry[] = [];
  for (const folder of await namesIn(texts))
    for (const entry of await entriesOf(join(texts, folder))) entries.push(entry);
  return entries;
}

async function entriesOf(folder: string): Promise<ListedEntry[]> {
  const names = (await namesIn(folder)).filter((name) => ENTRY_FILE.test(name));
  const listed = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found === undefined) return undefined;
      const { size, mtimeMs } = found;
      return { path, bytes: bytesOnDisk(size), mtimeMs, isNote: name.endsWith(NOTE_SUFFIX) };
    }),
  );
  return listed.filter((entry) => entry !== undefined);
}

const ENTRY_FILE = /^[0-9a-f]{62}(?:\.note)?$/;

/** A folder that is missing, or is not a folder, has no entries. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
}

export function usageOf(entries: readonly ListedEntry[], now: number): StoreUsage {
  let [texts, bytes, until] = [0, 0, 0];
  for (const entry of entries) {
    bytes += entry.bytes;
    const expiresAt = Math.round(entry.mtimeMs);
    if (entry.isNote || expiresAt <= now) continue;
    texts += 1;
    until = Math.max(until, expiresAt);
  }
  return { texts, bytes, ...(texts > 0 && { until }) };
}

export interface SweepLimits {
  readonly now: number;
  /** Time for which expired entries are kept: a clock that was wrong for less loses nothing. */
  readonly ttlMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Deletes entries that expired a time to live ago, then those that expire first, until the rest fits. Returns how many
 * bytes are left. An entry that another process renews meanwhile stays.
 */
export async function removeOldEntries(entries: ListedEntry[], limits: SweepLimits): Promise<number> {
  let held = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  entries.sort((left, right) => left.mtimeMs - right.mtimeMs);
  for (const { path, bytes, mtimeMs } of entries) {
    const isOld = mtimeMs + limits.ttlMs <= limits.now;
    if (limits.signal.aborted || !(isOld || held > limits.maxBytes)) break;
    if (await removeStaleFile(path, mtimeMs)) held -= bytes;
  }
  return held;
}

const LEFT_BEHIND_MS = 3_600_000;

/** Deletes what a killed process left: drafts, and files on their way out. */
export async function removeLeftovers(folders: readonly string[]): Promise<void> {
  for (const folder of folders)
    for (const name of await namesIn(folder)) {
      if (ENTRY_FILE.test(name)) continue;
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      // The modification time of a draft is in the future already.
      if (found?.isFile() && Date.now() - found.ctimeMs > LEFT_BEHIND_MS) await rm(path, { force: true });
    }
}
