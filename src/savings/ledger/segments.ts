import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../runtime/make-folder.ts';

export interface SegmentLimits {
  /** All files together; the oldest go first. */
  maxBytes: number;
  maxAgeDays: number;
}

/** So many files share the bound: dropping one of them forgets little. */
const SHARES = 16;
const DAY_MS = 86_400_000;

/** Appends to the newest file of the day. What cannot be written is given up. */
export function openSegments(directory: string, limits: SegmentLimits): (day: string, text: string) => void {
  const segmentBytes = Math.ceil(limits.maxBytes / SHARES);
  let newest = { day: '', number: 0 };
  return (day, text) => {
    if (newest.day !== day) newest = { day, number: 0 };
    try {
      let size = appendWithin(pathOf(directory, newest), text, segmentBytes);
      while (size === undefined) {
        newest = { day, number: newest.number + 1 };
        size = appendWithin(pathOf(directory, newest), text, segmentBytes);
      }
      if (size === 0) void dropOld(directory, day, limits);
    } catch {
      // Accounting gives way; the cut it tells of stands.
    }
  };
}

/** The segments in the folder, oldest first. */
export async function segmentNames(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => SEGMENT_NAME.test(name)).sort();
}

/** Files of a month are what earlier versions wrote. */
const SEGMENT_NAME = /^savings-\d{4}-\d{2}(?:-\d{2}-\d{4,})?\.jsonl$/;

function pathOf(directory: string, { day, number }: { day: string; number: number }): string {
  return join(directory, `savings-${day}-${String(number).padStart(4, '0')}.jsonl`);
}

/** The size before, or nothing where the file is full: others may have filled it meanwhile. */
function appendWithin(path: string, text: string, maxBytes: number): number | undefined {
  const file = openToAppend(path);
  try {
    const { size } = fstatSync(file);
    if (size >= maxBytes) return undefined;
    writeSync(file, text);
    return size;
  } finally {
    closeSync(file);
  }
}

function openToAppend(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    makeFolder(join(path, '..'));
    return openSync(path, 'a', 0o600);
  }
}

/** Once for each new file: what is too old goes, and of the rest the oldest until there is room for the new one. */
async function dropOld(
  directory: string,
  today: string,
  { maxBytes, maxAgeDays }: SegmentLimits,
): Promise<void> {
  const oldestDay = new Date(Date.parse(today) - maxAgeDays * DAY_MS).toISOString().slice(0, 10);
  const room = maxBytes - Math.ceil(maxBytes / SHARES);
  let held = 0;
  for (const name of (await segmentNames(directory)).reverse()) {
    const path = join(directory, name);
    held += (await stat(path).catch(() => undefined))?.size ?? 0;
    const isOld = name.slice('savings-'.length, 'savings-'.length + 10) < oldestDay;
    if (isOld || held > room) await rm(path, { force: true }).catch(() => undefined);
  }
}
