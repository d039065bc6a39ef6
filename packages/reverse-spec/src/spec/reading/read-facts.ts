import { hash } from 'node:crypto';
import { readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadingParts } from '../parts.ts';
import type { FactCache, FileStamp, KnownStamps } from '../prepare/fact-cache.ts';
import type { SourceReading } from '../prepare/read-source.ts';
import type { FileFacts, FileNote } from './facts.ts';
import type { Target } from './target.ts';

export interface FactsReading {
  files: FileFacts[];
  /** Reasons why listed files have no facts, by path. */
  notes: Record<string, FileNote>;
}

/** Returns the facts of all paths, in the same order. Unchanged files come from the cache, others are parsed. */
export async function readFacts(
  target: Target,
  paths: readonly string[],
  parts: ReadingParts,
): Promise<FactsReading> {
  const cache = await openCache(target, parts);
  try {
    const looking = new Looking(
      target,
      paths,
      cache && {
        cache,
        now: parts.clock.now(),
        maxBytes: parts.maxFileBytes,
        withBodies: parts.withBodies ?? false,
      },
    );
    const unread = looking.unread();
    if (unread.length === 0)
      parts.progress?.({ done: paths.length, total: paths.length, message: target.label });
    else await readUnread(unread, looking, parts);
    looking.save();
    return looking.result();
  } finally {
    await cache?.close();
  }
}

/** Opens the cache. Undefined if none is configured, or for a single file, which is parsed faster than a cache is opened. */
async function openCache(target: Target, { cacheDir, version, maxFileBytes }: ReadingParts) {
  if (cacheDir === undefined || target.scope === 'file') return undefined;
  const { openFactCache } = await import('../prepare/fact-cache.ts');
  const place = { directory: cacheDir, project: target.base, version: `${version}/${maxFileBytes}` };
  return openFactCache(place);
}

async function readUnread(unread: readonly number[], looking: Looking, parts: ReadingParts): Promise<void> {
  const { maxFileBytes: maxBytes, workerUrl, signal, withBodies = false } = parts;
  const requests = unread.map((at) => ({
    path: looking.pathAt(at),
    absolute: looking.fileAt(at),
    maxBytes,
    withBodies,
  }));
  const { readSources } = await import('../prepare/source-reader.ts');
  let done = 0;
  await readSources(requests, { workerUrl, maxFileBytes: maxBytes, signal }, (at, reading) => {
    looking.take(unread[at] ?? -1, reading);
    done += 1;
    parts.progress?.({ done, total: requests.length, message: requests[at]?.path ?? '' });
  });
}

interface Cached {
  cache: FactCache;
  now: number;
  maxBytes: number;
  /** Whether only cached records with facts of function bodies can be used. */
  withBodies: boolean;
}

/** Minimum age in ms of a file for its stamp to be trusted. A newer file may have changed again with the same modification time. */
const RACE_MS = 2_000;

/** Looks up the files of a target in the cache, and collects the results. */
class Looking {
  readonly #base: string;
  readonly #target: string;
  readonly #paths: readonly string[];
  readonly #cached: Cached | undefined;
  readonly #known: KnownStamps;
  readonly #readings: (SourceReading | undefined)[];
  readonly #stamps: Record<string, FileStamp> = {};
  #isChanged = false;

  constructor({ base, absolute }: Target, paths: readonly string[], cached: Cached | undefined) {
    this.#base = base;
    this.#target = absolute;
    this.#paths = paths;
    this.#cached = cached;
    this.#known = cached?.cache.stamps(absolute) ?? { lookedAt: 0, files: {} };
    this.#readings = new Array(paths.length);
  }

  pathAt(at: number): string {
    return this.#paths[at] ?? '';
  }

  fileAt(at: number): string {
    return join(this.#base, this.pathAt(at));
  }

  /** Returns the indexes of the files without a usable record in the cache. */
  unread(): number[] {
    const unread: number[] = [];
    for (const at of this.#paths.keys()) {
      const known = this.#cached && this.#lookUp(at, this.#cached);
      if (known === undefined) unread.push(at);
      else this.#readings[at] = known;
    }
    return unread;
  }

  take(at: number, reading: SourceReading): void {
    this.#readings[at] = reading;
    const path = this.pathAt(at);
    const contentHash = reading.kind === 'facts' ? reading.facts.contentHash : reading.contentHash;
    if (contentHash === undefined || contentHash === '') return;
    this.#cached?.cache.put({ path, contentHash }, reading);
    const stamp = this.#stamps[path];
    if (stamp !== undefined) stamp.contentHash = contentHash;
  }

  save(): void {
    if (!this.#isChanged || this.#cached === undefined) return;
    const { cache, now } = this.#cached;
    cache.saveStamps(this.#target, { lookedAt: now, files: this.#stamps });
  }

  result(): FactsReading {
    const files: FileFacts[] = [];
    const notes: Record<string, FileNote> = {};
    for (const [at, reading] of this.#readings.entries()) {
      if (reading?.kind === 'facts') files.push(reading.facts);
      else if (reading?.kind === 'note') notes[this.pathAt(at)] = reading.note;
    }
    return { files, notes };
  }

  /** Looks up a file by its stamp, which proves that it did not change, else by the hash of its content. */
  #lookUp(at: number, { cache, maxBytes, withBodies }: Cached): SourceReading | undefined {
    const path = this.pathAt(at);
    const stats = statSync(this.fileAt(at), { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (stats.size > maxBytes)
      return { kind: 'note', note: { code: 'too-large', bytes: stats.size, maxBytes } };
    const known = this.#known.files[path];
    const isSettled = known !== undefined && isSame(known, stats) && this.#wasOld(known);
    const contentHash = isSettled ? known.contentHash : this.#hashOf(at, cache);
    this.#stamps[path] = {
      size: stats.size,
      mtimeMs: stats.mtimeMs,
      ctimeMs: stats.ctimeMs,
      ino: stats.ino,
      contentHash,
    };
    const kept = contentHash === '' ? undefined : cache.get({ path, contentHash });
    const isEnough = !withBodies || kept?.kind === 'note' || kept?.facts.packedBodies !== undefined;
    const found = isEnough ? kept : undefined;
    this.#isChanged ||= !isSettled || found === undefined;
    return found;
  }

  #wasOld({ mtimeMs }: FileStamp): boolean {
    return mtimeMs + RACE_MS < this.#known.lookedAt;
  }

  #hashOf(at: number, cache: FactCache): string {
    if (cache.isEmpty) return '';
    try {
      return hash('sha256', readFileSync(this.fileAt(at)));
    } catch {
      return '';
    }
  }
}

function isSame(known: FileStamp, { size, mtimeMs, ctimeMs, ino }: Stats): boolean {
  return known.size === size && known.mtimeMs === mtimeMs && known.ctimeMs === ctimeMs && known.ino === ino;
}
