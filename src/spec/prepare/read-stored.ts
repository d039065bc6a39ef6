import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadingParts } from '../reading-parts.ts';
import type { Target } from '../target.ts';
import type { Piece } from './chunks.ts';
import type { KeptRow } from './fact-file.ts';
import { type FactStore, openFactStore } from './fact-store.ts';
import { mergedTail, tailKey } from './merged.ts';
import type { RecordBatch } from './record.ts';
import type { SourceReader, SourceRequests } from './source-reader.ts';
import type { FileStamp, StoredFacts, StoredFiles } from './stored-facts.ts';

/** What was read, in the order of the paths; its facts lie in the store until somebody asks. */
export interface StoredReading {
  files: StoredFiles;
  /** Why a file that was listed gave no facts. */
  notes: Record<string, string>;
  /** The merged skeleton behind its exports. */
  mergedTail: Piece;
  close(): void;
}

/** Facts of every path: from the cache where nothing changed, from the parser elsewhere. */
export async function readStored(
  target: Target,
  listing: readonly string[] | Promise<readonly string[]>,
  parts: ReadingParts,
): Promise<StoredReading> {
  const listed = Promise.resolve(listing);
  // It is waited for below, and may fail before that.
  listed.catch(() => {});
  const store = await openFactStore(cacheOf(target, parts));
  // Where nothing is known everything will be read: what that takes is loaded while the files are listed,
  // and the threads start while they are looked at.
  const loading = store.isEmpty ? loadReader() : undefined;
  let reader: SourceReader | undefined;
  try {
    const paths = await listed;
    if (loading !== undefined) reader = openReader(await loading, paths.length, parts);
    const desk: Desk = { ...lookAt(paths, target.base, store), base: target.base, store, parts };
    const { unread } = desk;
    if (unread.length === 0)
      parts.progress?.({ done: paths.length, total: paths.length, message: target.label });
    else {
      reader ??= openReader(await loadReader(), unread.length, parts);
      await readFiles(reader, desk);
    }
    // Threads take their time to end; meanwhile the rest is done.
    const closing = reader?.close();
    const reading = keep(desk);
    await closing;
    return reading;
  } catch (error) {
    await reader?.close();
    store.close();
    throw error;
  }
}

/** Where nothing changed nothing is read, and not even this is loaded. */
function loadReader() {
  return import('./source-reader.ts');
}

function openReader(
  { createSourceReader }: Awaited<ReturnType<typeof loadReader>>,
  fileCount: number,
  { workerUrl, signal, maxFileBytes }: ReadingParts,
): SourceReader {
  return createSourceReader({ workerUrl, fileCount, maxFileBytes, signal });
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

interface LookedAt {
  paths: readonly string[];
  /** The row of each path in the store's table. */
  rows: Int32Array;
  /** Places in `paths` of those that have to be read. */
  unread: Int32Array;
}

interface Desk extends LookedAt {
  base: string;
  store: FactStore;
  parts: ReadingParts;
}

/** Which files have to be read: those whose stamp does not prove that they are what they were. */
function lookAt(paths: readonly string[], base: string, store: FactStore): LookedAt {
  const rows = new Int32Array(paths.length);
  const unread = new Int32Array(paths.length);
  let count = 0;
  for (const [at, path] of paths.entries()) {
    const row = store.rowOf(path);
    rows[at] = row;
    const stamp = store.isCached ? stampOf(join(base, path)) : undefined;
    if (stamp !== undefined && store.isSettled(row, stamp)) continue;
    store.table.row(row).setStamp(stamp);
    unread[count] = at;
    count += 1;
  }
  return { paths, rows, unread: unread.slice(0, count) };
}

function stampOf(absolute: string): FileStamp | undefined {
  const found = statSync(absolute, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = found;
  return { size, mtimeMs, ctimeMs, ino };
}

async function readFiles(reader: SourceReader, desk: Desk): Promise<void> {
  const { paths, unread, parts } = desk;
  let done = 0;
  await reader.read(requestsFor(desk), (start, batch) => {
    takeBatch(start, batch, desk);
    for (const at of unread.subarray(start, start + batch.briefs.length)) {
      done += 1;
      parts.progress?.({ done, total: unread.length, message: paths[at] ?? '' });
    }
  });
}

/** Made when a thread is free to take them, not all at once. */
function requestsFor({ paths, rows, unread, base, store, parts }: Desk): SourceRequests {
  const request = (at: number) => {
    const path = paths[at] ?? '';
    const knownHash = store.table.row(rows[at] ?? 0).contentHash;
    const absolute = join(base, path);
    return { path, absolute, maxBytes: parts.maxFileBytes, ...(knownHash !== '' && { knownHash }) };
  };
  return {
    length: unread.length,
    slice: (start, end) => Array.from(unread.subarray(start, end), request),
  };
}

function takeBatch(start: number, batch: RecordBatch, { rows, unread, store }: Desk): void {
  const { source, offset } = store.add(batch.text);
  let from = offset;
  for (const [at, brief] of batch.briefs.entries()) {
    const lengths = batch.lengths[at] ?? [];
    const row = rows[unread[start + at] ?? -1];
    if (row === undefined) return;
    if (brief !== undefined) store.table.setRecord(row, { brief, lengths, source, offset: from });
    from += lengths.reduce((sum, each) => sum + each, 0);
  }
}

function keep(desk: Desk): StoredReading {
  const { store, unread } = desk;
  const changed = unread.length > 0;
  const files = filesOf(desk);
  const key = tailKey(files);
  const tail = (changed ? undefined : store.tail(key)) ?? mergedTail(files);
  if (changed && store.isCached && typeof tail === 'string')
    store.save(rowsToKeep(desk), { key, text: tail });
  return { files, notes: notesOf(desk, files), mergedTail: tail, close: () => store.close() };
}

function filesOf({ paths, rows, store: { table } }: Desk): StoredFiles {
  let length = 0;
  for (const row of rows) if (table.row(row).hasFacts) length += 1;
  return {
    length,
    *[Symbol.iterator](): Generator<StoredFacts> {
      for (let at = 0; at < rows.length; at += 1) {
        const facts = table.facts(rows[at] ?? -1, paths[at] ?? '');
        if (facts !== undefined) yield facts;
      }
    },
  };
}

function notesOf({ paths, rows, store: { table } }: Desk, files: StoredFiles): Record<string, string> {
  const notes: Record<string, string> = {};
  if (files.length === rows.length) return notes;
  for (const [at, number] of rows.entries()) {
    const row = table.row(number);
    if (row.hasRecord && !row.hasFacts) notes[paths[at] ?? ''] = row.note;
  }
  return notes;
}

/** What the cache is made of: the files looked at, as far as they exist, and those another call will want. */
function rowsToKeep({ paths, rows, store, base }: Desk): Iterable<KeptRow> {
  const { table } = store;
  const taken = new Set(rows);
  const others: KeptRow[] = [];
  // Another call on the same target may want files this one left out (tests, sub-folders).
  for (const [path, row] of store.known())
    if (!taken.has(row) && stampOf(join(base, path)) !== undefined) others.push({ path, row });
  return {
    *[Symbol.iterator]() {
      for (const [at, row] of rows.entries()) {
        const { hasStamp, hasRecord } = table.row(row);
        if (hasStamp && hasRecord) yield { path: paths[at] ?? '', row };
      }
      yield* others;
    },
  };
}
