import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadingParts } from '../reading-parts.ts';
import type { Target } from '../target.ts';
import type { Piece } from './chunks.ts';
import type { KnownRecord } from './fact-file.ts';
import { type FactStore, openFactStore } from './fact-store.ts';
import { mergedTail, tailKey } from './merged.ts';
import type { RecordBatch } from './record.ts';
import type { SourceReader } from './source-reader.ts';
import type { FileStamp, StoredFacts, StoredRecord } from './stored-facts.ts';

/** What was read, in the order of the paths; its facts lie in the store until somebody asks. */
export interface StoredReading {
  files: StoredFacts[];
  /** Why a file that was listed gave no facts. */
  notes: Record<string, string>;
  /** The merged skeleton behind its exports. */
  mergedTail: Piece;
  close(): void;
}

/** Facts of every path: from the cache where nothing changed, from the parser elsewhere. */
export async function readStored(
  target: Target,
  paths: readonly string[],
  parts: ReadingParts,
): Promise<StoredReading> {
  const store = await openFactStore(cacheOf(target, parts));
  // Where nothing is known everything will be read: the threads start while the files are looked at.
  let reader = store.isEmpty ? await openReader(paths.length, parts) : undefined;
  try {
    const entries = paths.map((path) => entryFor(path, target.base, store));
    const unread = entries.filter((entry) => !entry.settled);
    if (unread.length > 0) {
      reader ??= await openReader(unread.length, parts);
      await readEntries(unread, { reader, store, parts });
    }
    // Threads take their time to end; meanwhile the rest is done.
    const closing = reader?.close();
    const reading = keep(entries, { store, base: target.base, changed: unread.length > 0 });
    await closing;
    return reading;
  } catch (error) {
    await reader?.close();
    store.close();
    throw error;
  }
}

function keep(
  entries: readonly Entry[],
  { store, base, changed }: { store: FactStore; base: string; changed: boolean },
): StoredReading {
  const { files, notes } = collect(entries);
  const key = tailKey(files);
  const tail = (changed ? undefined : store.tail(key)) ?? mergedTail(files);
  if (changed && store.isCached && typeof tail === 'string')
    store.save(recordsToKeep(entries, store, base), { key, text: tail });
  return { files, notes, mergedTail: tail, close: () => store.close() };
}

/** Where nothing changed nothing is read, and not even this is loaded. */
async function openReader(fileCount: number, { workerUrl, signal }: ReadingParts): Promise<SourceReader> {
  const { createSourceReader } = await import('./source-reader.ts');
  return createSourceReader({ workerUrl, fileCount, signal });
}

interface Entry {
  path: string;
  absolute: string;
  stamp: FileStamp | undefined;
  settled: boolean;
  record: StoredRecord | undefined;
}

function cacheOf(target: Target, { cacheDir, version, maxFileBytes, clock }: ReadingParts) {
  if (cacheDir === undefined || target.scope === 'file') return undefined;
  return {
    directory: cacheDir,
    target: target.absolute,
    version: `${version}/${maxFileBytes}`,
    now: clock.now,
  };
}

function entryFor(path: string, base: string, store: FactStore): Entry {
  const absolute = join(base, path);
  const record = store.get(path);
  const stamp = store.isCached ? stampOf(absolute) : undefined;
  const settled = record !== undefined && stamp !== undefined && store.isSettled(record, stamp);
  return { path, absolute, stamp, settled, record };
}

function stampOf(absolute: string): FileStamp | undefined {
  const found = statSync(absolute, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = found;
  return { size, mtimeMs, ctimeMs, ino };
}

interface Desk {
  reader: SourceReader;
  store: FactStore;
  parts: ReadingParts;
}

async function readEntries(entries: readonly Entry[], { reader, store, parts }: Desk): Promise<void> {
  let done = 0;
  const requests = entries.map(({ path, absolute, record }) => ({
    path,
    absolute,
    maxBytes: parts.maxFileBytes,
    ...(record !== undefined && record.brief.contentHash !== '' && { knownHash: record.brief.contentHash }),
  }));
  await reader.read(requests, (start, batch) => {
    for (const entry of takeBatch(entries, start, { batch, store })) {
      done += 1;
      parts.progress?.({ done, total: entries.length, message: entry.path });
    }
  });
}

function* takeBatch(
  entries: readonly Entry[],
  start: number,
  { batch, store }: { batch: RecordBatch; store: FactStore },
): Generator<Entry> {
  let from = 0;
  for (const [at, brief] of batch.briefs.entries()) {
    const lengths = batch.lengths[at] ?? [];
    const end = lengths.reduce((sum, each) => sum + each, from);
    const entry = entries[start + at];
    if (entry === undefined) return;
    if (brief !== undefined) entry.record = store.add(batch.bytes.subarray(from, end), { brief, lengths });
    from = end;
    yield entry;
  }
}

function recordsToKeep(
  entries: readonly Entry[],
  store: FactStore,
  base: string,
): ReadonlyMap<string, KnownRecord> {
  const records = new Map<string, KnownRecord>();
  for (const entry of entries) {
    const { path, stamp, record } = entry;
    if (stamp !== undefined && record !== undefined) records.set(path, { ...record, stamp });
  }
  // Another call on the same target may want files this one left out (tests, sub-folders).
  for (const [path, record] of store.known())
    if (!records.has(path) && stampOf(join(base, path)) !== undefined) records.set(path, record);
  return records;
}

function collect(entries: readonly Entry[]): Pick<StoredReading, 'files' | 'notes'> {
  const files: StoredFacts[] = [];
  const notes: Record<string, string> = {};
  for (const { path, record } of entries) {
    if (record === undefined) continue;
    const { brief } = record;
    if (brief.kind === 'note') notes[path] = brief.note;
    else files.push({ ...record, path, brief });
  }
  return { files, notes };
}
