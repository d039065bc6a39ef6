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
import { type FileStamp, hasFacts, type StoredFacts, type StoredRecord } from './stored-facts.ts';

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
    if (unread.length === 0)
      parts.progress?.({ done: paths.length, total: paths.length, message: target.label });
    else {
      reader ??= await openReader(unread.length, parts);
      await readEntries(unread, { base: target.base, reader, store, parts });
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
async function openReader(
  fileCount: number,
  { workerUrl, signal, maxFileBytes }: ReadingParts,
): Promise<SourceReader> {
  const { createSourceReader } = await import('./source-reader.ts');
  return createSourceReader({ workerUrl, fileCount, maxFileBytes, signal });
}

interface Entry {
  path: string;
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
  const record = store.get(path);
  const stamp = store.isCached ? stampOf(join(base, path)) : undefined;
  const settled = record !== undefined && stamp !== undefined && store.isSettled(record, stamp);
  return { path, stamp: settled ? record.stamp : stamp, settled, record };
}

function stampOf(absolute: string): FileStamp | undefined {
  const found = statSync(absolute, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = found;
  return { size, mtimeMs, ctimeMs, ino };
}

interface Desk {
  base: string;
  reader: SourceReader;
  store: FactStore;
  parts: ReadingParts;
}

async function readEntries(entries: readonly Entry[], { base, reader, store, parts }: Desk): Promise<void> {
  let done = 0;
  const requests = entries.map(({ path, record }) => ({
    path,
    absolute: join(base, path),
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
  const { source, offset } = store.add(batch.text);
  let from = offset;
  for (const [at, brief] of batch.briefs.entries()) {
    const lengths = batch.lengths[at] ?? [];
    const entry = entries[start + at];
    if (entry === undefined) return;
    if (brief !== undefined) entry.record = { path: entry.path, brief, lengths, source, offset: from };
    from += lengths.reduce((sum, each) => sum + each, 0);
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
  for (const record of store.known())
    if (!records.has(record.path) && stampOf(join(base, record.path)) !== undefined)
      records.set(record.path, record);
  return records;
}

function collect(entries: readonly Entry[]): Pick<StoredReading, 'files' | 'notes'> {
  const files: StoredFacts[] = [];
  const notes: Record<string, string> = {};
  for (const { path, record } of entries) {
    if (record === undefined) continue;
    if (hasFacts(record)) files.push(record);
    else if (record.brief.kind === 'note') notes[path] = record.brief.note;
  }
  return { files, notes };
}
