import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { FileFacts } from './facts.ts';
import { type CachedReading, type FactCache, type FileStamp, openFactCache } from './prepare/fact-cache.ts';
import type { SourceReading } from './prepare/read-source.ts';
import { createSourceReader } from './prepare/source-reader.ts';
import type { ReadingParts } from './reading-parts.ts';
import type { Target } from './target.ts';

export interface FactsReading {
  files: FileFacts[];
  /** Why a file that was listed gave no facts. */
  notes: Record<string, string>;
}

/** Facts of every path, in the order given: from the cache where nothing changed, from the parser elsewhere. */
export async function readFacts(
  target: Target,
  paths: readonly string[],
  parts: ReadingParts,
): Promise<FactsReading> {
  const cache = await cacheOf(target, parts);
  const entries = paths.map((path) => entryFor(path, target.base, cache));
  const unread = entries.filter((entry) => !entry.settled);
  await readEntries(unread, parts);
  if (cache !== undefined && unread.length > 0) await saveQuietly(cache, entries, target.base);
  return collect(entries);
}

interface Entry {
  path: string;
  absolute: string;
  stamp: FileStamp | undefined;
  cached: CachedReading | undefined;
  settled: boolean;
  json: string;
  /** Parsed already, when it was just read. */
  reading?: SourceReading;
  contentHash: string;
}

async function cacheOf(target: Target, parts: ReadingParts): Promise<FactCache | undefined> {
  if (parts.cacheDir === undefined || target.scope === 'file') return undefined;
  const { cacheDir: directory, version, clock } = parts;
  return openFactCache({
    directory,
    target: target.absolute,
    version: `${version}/${parts.maxFileBytes}`,
    now: clock.now,
  });
}

function entryFor(path: string, base: string, cache: FactCache | undefined): Entry {
  const absolute = join(base, path);
  const cached = cache?.get(path);
  const stamp = cache === undefined ? undefined : stampOf(absolute);
  const settled = cached !== undefined && stamp !== undefined && cache?.isSettled(cached, stamp) === true;
  return {
    path,
    absolute,
    stamp,
    cached,
    settled,
    json: cached?.json ?? '',
    contentHash: cached?.contentHash ?? '',
  };
}

function stampOf(absolute: string): FileStamp | undefined {
  const found = statSync(absolute, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = found;
  return { size, mtimeMs, ctimeMs, ino };
}

async function readEntries(entries: readonly Entry[], parts: ReadingParts): Promise<void> {
  if (entries.length === 0) return;
  const reader = createSourceReader({
    workerUrl: parts.workerUrl,
    fileCount: entries.length,
    signal: parts.signal,
  });
  let done = 0;
  try {
    const requests = entries.map(({ path, absolute, cached }) => ({
      path,
      absolute,
      maxBytes: parts.maxFileBytes,
      ...(cached !== undefined && cached.contentHash !== '' && { knownHash: cached.contentHash }),
    }));
    await reader.read(requests, (at, json) => {
      const entry = entries[at];
      if (entry !== undefined) takeReading(entry, json, parts.cacheDir !== undefined);
      done += 1;
      parts.progress?.({ done, total: entries.length, message: entry?.path ?? '' });
    });
  } finally {
    await reader.close();
  }
}

/** The text is kept only where it will be saved: of a large tree it is as large as the facts themselves. */
function takeReading(entry: Entry, json: string, keepText: boolean): void {
  const reading = JSON.parse(json) as SourceReading;
  if (reading.kind === 'unchanged') return;
  if (keepText) entry.json = json;
  entry.reading = reading;
  entry.contentHash = reading.kind === 'facts' ? reading.facts.contentHash : (reading.contentHash ?? '');
}

async function saveQuietly(cache: FactCache, entries: readonly Entry[], base: string): Promise<void> {
  const readings = new Map<string, CachedReading>();
  for (const { path, stamp, json, contentHash } of entries) {
    if (stamp !== undefined) readings.set(path, { stamp, contentHash, json });
  }
  // Another call on the same target may want files this one left out (tests, sub-folders).
  for (const [path, reading] of cache.entries()) {
    if (!readings.has(path) && stampOf(join(base, path)) !== undefined) readings.set(path, reading);
  }
  // A cache that cannot be written costs time at the next run and nothing else.
  await cache.save(readings).catch(() => {});
}

function collect(entries: readonly Entry[]): FactsReading {
  const files: FileFacts[] = [];
  const notes: Record<string, string> = {};
  for (const { path, json, reading = JSON.parse(json) as SourceReading } of entries) {
    if (reading.kind === 'facts') files.push(reading.facts);
    if (reading.kind === 'note') notes[path] = reading.note;
  }
  return { files, notes };
}
