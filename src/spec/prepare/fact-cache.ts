import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../runtime/make-folder.ts';
import { openRoot } from '../../workspace/root.ts';
import { writeFileInside } from '../../workspace/write-file.ts';

/** What a file looked like from outside when it was read. */
export interface FileStamp {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
}

export interface CachedReading {
  stamp: FileStamp;
  contentHash: string;
  /** A `SourceReading` as JSON. */
  json: string;
}

/** Readings of one target by path. A reading is used again while the file's stamp or its content is the same. */
export interface FactCache {
  get(path: string): CachedReading | undefined;
  entries(): Iterable<[path: string, reading: CachedReading]>;
  /** Whether the stamp alone proves that the file did not change. */
  isSettled(cached: CachedReading, stamp: FileStamp): boolean;
  save(readings: ReadonlyMap<string, CachedReading>): Promise<void>;
}

export interface CacheOptions {
  directory: string;
  /** The tree the readings belong to. */
  target: string;
  /** Of the program: another one may read the same file differently. */
  version: string;
  now(): number;
}

const FORMAT = 1;
/** A file written in the same tick as its reading may have changed after it without a new time. */
const RACE_MS = 2_000;

export async function openFactCache(options: CacheOptions): Promise<FactCache> {
  const name = `${createHash('sha256').update(options.target).digest('hex').slice(0, 32)}.jsonl`;
  const head = JSON.stringify({ format: FORMAT, version: options.version, target: options.target });
  const { readings, savedAt } = await load(join(options.directory, name), head);
  return {
    get: (path) => readings.get(path),
    entries: () => readings,
    isSettled: (cached, stamp) => sameStamp(cached.stamp, stamp) && stamp.mtimeMs + RACE_MS < savedAt,
    save: async (next) => {
      await makeFolder(options.directory);
      const lines = [...next].map(
        ([path, { stamp, contentHash, json }]) =>
          `${JSON.stringify([path, stamp.size, stamp.mtimeMs, stamp.ctimeMs, stamp.ino, contentHash])}\t${json}`,
      );
      const text = [head, String(options.now()), ...lines, ''].join('\n');
      await writeFileInside(await openRoot(options.directory), name, text);
    },
  };
}

interface Loaded {
  readings: Map<string, CachedReading>;
  savedAt: number;
}

/** A cache that cannot be read is an empty one: it is only ever a short cut. */
async function load(file: string, head: string): Promise<Loaded> {
  const readings = new Map<string, CachedReading>();
  const text = await readFile(file, 'utf8').catch(() => '');
  const [first, second, ...lines] = text.split('\n');
  if (first !== head) return { readings, savedAt: 0 };
  try {
    for (const line of lines) if (line !== '') addLine(readings, line);
  } catch {
    return { readings: new Map(), savedAt: 0 };
  }
  return { readings, savedAt: Number(second) };
}

type LineHead = [path: string, size: number, mtimeMs: number, ctimeMs: number, ino: number, hash: string];

/** Neither half can hold a raw tab: both are JSON. The reading stays text until somebody asks for it. */
function addLine(readings: Map<string, CachedReading>, line: string): void {
  const tab = line.indexOf('\t');
  const [path, size, mtimeMs, ctimeMs, ino, contentHash] = JSON.parse(line.slice(0, tab)) as LineHead;
  readings.set(path, { stamp: { size, mtimeMs, ctimeMs, ino }, contentHash, json: line.slice(tab + 1) });
}

function sameStamp(one: FileStamp, other: FileStamp): boolean {
  return (
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.ino === other.ino
  );
}
