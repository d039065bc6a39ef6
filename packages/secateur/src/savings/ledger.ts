import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@secateur/base/runtime/time.ts';
import { makeFolder } from '@secateur/base/runtime/writing-files.ts';
import { plainName } from '@secateur/base/text/characters.ts';

/** A cut, a masking or a recovery. It contains only sizes and names: no text, goal or path. */
export interface SavingsEntry {
  /** Time of the entry, as an ISO string. */
  at: string;
  kind: 'cut' | 'masked' | 'recovered';
  system: SavingsSystem;
  /** Name of the MCP server behind the gateway. Absent if the call went to `system` itself. */
  server?: string | undefined;
  /** Name of the client: from its `clientInfo`, or of the client whose hook was called. */
  client?: string | undefined;
  /** Name of the token of the call; absent if calls have no tokens. */
  user?: string | undefined;
  tool: string;
  sourceType?: string | undefined;
  pruneId?: string | undefined;
  /** Set for a recovery without `recover_text`: the agent repeated the call, or read the file of the cut again (A19). */
  by?: 'repeated_call' | 'second_read' | undefined;
  /** Cut: tokens before and after it. Recovery: 0, and the recovered tokens. */
  tokensBefore: number;
  tokensAfter: number;
  /** Time in ms by which the cut delayed the call. */
  durationMs?: number | undefined;
  /** Reason why the text was returned unchanged, or ranked by a simpler scorer than requested. */
  fallback?: string | undefined;
}

export type SavingsSystem = 'pruner' | 'focus' | 'gateway' | 'cli' | 'hook';
export type NewEntry = Omit<SavingsEntry, 'at'>;

/** Records savings. Never throws and hardly delays a call, so that it does not affect pruning. */
export interface Ledger {
  record(entry: NewEntry): void;
}

export const noLedger: Ledger = { record: () => {} };

/**
 * Stores JSON lines in one or more files per day, limited by age and size. Each entry is appended
 * immediately: a killed process loses at most the entry it was writing, and several processes can share the
 * folder.
 */
export function fileLedger({
  directory,
  clock,
  ...limits
}: SegmentLimits & { directory: string; clock: Clock }): Ledger {
  const append = openSegments(directory, limits);
  return {
    record: (entry) => {
      const at = new Date(clock.now()).toISOString();
      // The line break at the start ends an earlier entry that a crash cut short.
      append(at.slice(0, 10), `\n${JSON.stringify({ at, ...inPlainNames(entry) })}\n`);
    },
  };
}

/** Replaces unusual characters in the names of tools, clients and servers, because other programs choose these names. */
function inPlainNames(entry: NewEntry): NewEntry {
  const { server, client, fallback } = entry;
  return {
    ...entry,
    tool: plainName(entry.tool),
    ...(server !== undefined && { server: plainName(server) }),
    ...(client !== undefined && { client: plainName(client) }),
    ...(fallback !== undefined && { fallback: plainName(fallback) }),
  };
}

export interface SegmentLimits {
  /** Maximum bytes of all files together. The oldest files are deleted first. */
  maxBytes: number;
  maxAgeDays: number;
}

/** Minimum number of files that together have the maximum size. Deleting one then loses few entries. */
const MIN_SEGMENTS = 16;
/** Maximum bytes per file. Parsing a file of this size blocks a reader for about 30 ms. */
const MAX_SEGMENT_BYTES = 2 * 1024 * 1024;
const DAY_MS = 86_400_000;

/** Appends to the newest file of the day. A text that cannot be written is dropped. */
function openSegments(directory: string, limits: SegmentLimits): (day: string, text: string) => void {
  const segmentBytes = segmentBytesOf(limits);
  let newest = { day: '', number: 0 };
  return (day, text) => {
    if (newest.day !== day) newest = { day, number: 0 };
    try {
      let size = appendWithin(pathOf(directory, newest), text, segmentBytes);
      while (size === undefined) {
        newest = { day, number: newest.number + 1 };
        size = appendWithin(pathOf(directory, newest), text, segmentBytes);
      }
      if (size === 0) dropOld(directory, day, limits).catch(() => {});
    } catch {
      // A cut is valid even if it cannot be recorded.
    }
  };
}

/** Returns the files of the folder, oldest first; none if it does not exist. Rejects for other errors. */
export async function segmentNames(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => SEGMENT_NAME.test(name)).sort();
}

function segmentBytesOf({ maxBytes }: SegmentLimits): number {
  return Math.min(Math.ceil(maxBytes / MIN_SEGMENTS), MAX_SEGMENT_BYTES);
}

/** Also matches the monthly files that earlier versions wrote. */
const SEGMENT_NAME = /^savings-\d{4}-\d{2}(?:-\d{2}-\d{4,})?\.jsonl$/;

function pathOf(directory: string, { day, number }: { day: string; number: number }): string {
  return join(directory, `savings-${day}-${String(number).padStart(4, '0')}.jsonl`);
}

/** Appends a text and returns the previous size. `undefined` if the file is full or not a regular file. */
function appendWithin(path: string, text: string, maxBytes: number): number | undefined {
  const file = openToAppend(path);
  if (file === undefined) return undefined;
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size >= maxBytes) return undefined;
    writeSync(file, text);
    return found.size;
  } finally {
    closeSync(file);
  }
}

/** Opens without blocking. Opening a pipe would otherwise wait for a reader. */
const APPEND_FLAGS =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOFOLLOW ?? 0);

/** Error codes when a directory, a symlink, or a pipe or device without a reader is opened. */
const NOT_A_FILE: ReadonlySet<unknown> = new Set(['EISDIR', 'ELOOP', 'ENXIO']);

function openToAppend(path: string): number | undefined {
  try {
    return openSync(path, APPEND_FLAGS, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (NOT_A_FILE.has(code)) return undefined;
    if (code !== 'ENOENT') throw error;
    makeFolder(join(path, '..'));
    return openSync(path, APPEND_FLAGS, 0o600);
  }
}

/**
 * Deletes old files, once per new file: first those that are too old, then the oldest until the new one fits.
 * In this order, no file between two others is deleted.
 */
async function dropOld(directory: string, today: string, limits: SegmentLimits): Promise<void> {
  const oldestDay = new Date(Date.parse(today) - limits.maxAgeDays * DAY_MS).toISOString().slice(0, 10);
  const room = limits.maxBytes - segmentBytesOf(limits);
  const dropped: string[] = [];
  let held = 0;
  for (const name of (await segmentNames(directory)).reverse()) {
    const path = join(directory, name);
    held += (await stat(path).catch(() => undefined))?.size ?? 0;
    const isOld = name.slice('savings-'.length, 'savings-'.length + 10) < oldestDay;
    if (isOld || held > room) dropped.push(path);
  }
  for (const path of dropped.reverse()) await rm(path, { force: true }).catch(() => undefined);
}
