import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@secateur/base/runtime/time.ts';
import { makeFolder } from '@secateur/base/runtime/writing-files.ts';
import { plainName } from '@secateur/base/text/characters.ts';

/** One cut, one masking, or one recovery of what was removed. Sizes and names only: no text, no goal, no path. */
export interface SavingsEntry {
  /** ISO time. */
  at: string;
  kind: 'cut' | 'masked' | 'recovered';
  system: SavingsSystem;
  /** The MCP server behind the gateway; elsewhere the system itself is the server. */
  server?: string | undefined;
  /** Name from the client's `clientInfo`, or the client a hook serves. */
  client?: string | undefined;
  /** The name of the token the call came with, where callers have tokens. */
  user?: string | undefined;
  tool: string;
  sourceType?: string | undefined;
  pruneId?: string | undefined;
  /** For a recovery without `recover_text`: the agent made the same call again, or read the file of the cut again (A19). */
  by?: 'repeated_call' | 'second_read' | undefined;
  /** For a cut: what the answer would have cost, and what it cost. For a recovery: 0 and what came back. */
  tokensBefore: number;
  tokensAfter: number;
  /** Time the cut added to the call. */
  durationMs?: number | undefined;
  /** Reason why the text was returned unchanged, or ranked by less than was asked for. */
  fallback?: string | undefined;
}

export type SavingsSystem = 'pruner' | 'focus' | 'gateway' | 'cli' | 'hook';
export type NewEntry = Omit<SavingsEntry, 'at'>;

/** Takes note of savings. Never throws and keeps its caller for microseconds: accounting must not break pruning. */
export interface Ledger {
  record(entry: NewEntry): void;
}

export const noLedger: Ledger = { record: () => {} };

export interface FileLedgerDeps extends SegmentLimits {
  directory: string;
  clock: Clock;
}

/**
 * JSON lines in files of a day, bounded in age and size. Each entry is one append, made immediately: a killed
 * process loses the entry it was writing and no other, and several processes may share the folder.
 */
export function fileLedger({ directory, clock, ...limits }: FileLedgerDeps): Ledger {
  const append = openSegments(directory, limits);
  return {
    record: (entry) => {
      const at = new Date(clock.now()).toISOString();
      // The first line break parts it from an entry that was torn by a crash.
      append(at.slice(0, 10), `\n${JSON.stringify({ at, ...inPlainNames(entry) })}\n`);
    },
  };
}

/** Names of tools, clients and servers come from outside. */
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
  /** All files together; the oldest go first. */
  maxBytes: number;
  maxAgeDays: number;
}

/** The bound is shared by at least so many files: dropping one of them forgets little. */
const MIN_SEGMENTS = 16;
/** A reader parses one file without a pause: this much takes it some 30 ms. */
const MAX_SEGMENT_BYTES = 2 * 1024 * 1024;
const DAY_MS = 86_400_000;

/** Appends to the newest file of the day. What cannot be written is given up. */
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
      // The cut stays valid if it cannot be recorded.
    }
  };
}

/** Returns the segments in the folder, oldest first. A folder that is not there yet has none; rejects for other faults. */
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

/** Files of a month are what earlier versions wrote. */
const SEGMENT_NAME = /^savings-\d{4}-\d{2}(?:-\d{2}-\d{4,})?\.jsonl$/;

function pathOf(directory: string, { day, number }: { day: string; number: number }): string {
  return join(directory, `savings-${day}-${String(number).padStart(4, '0')}.jsonl`);
}

/** Returns the size before, or `undefined` if the file is full, or is not a file: the next one is then tried. */
function appendWithin(path: string, text: string, maxBytes: number): number | undefined {
  const file = openToAppend(path);
  if (file === undefined) return undefined;
  try {
    const found = fstatSync(file);
    const { size } = found;
    if (!found.isFile() || size >= maxBytes) return undefined;
    writeSync(file, text);
    return size;
  } finally {
    closeSync(file);
  }
}

/** A pipe in the place of the file would keep a plain open waiting. */
const APPEND_FLAGS =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOFOLLOW ?? 0);

/** Error codes of opening a directory, a link, or a pipe or device without a reader. */
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
 * Deletes, once for each new file, what is too old, and of the rest the oldest until the new one fits. The oldest file
 * goes first, so that a reader never finds a gap between two files.
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
