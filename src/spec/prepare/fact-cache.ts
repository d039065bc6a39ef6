import { hash } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Database, open, type RootDatabase } from 'lmdb';
import { DATA_FILE, damageOf, LOCK_FILE, requireDatabaseFiles } from '../../runtime/database-damage.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import type { SourceReading } from './read-source.ts';

/** What was read of files, kept by their content; and what the files of a target looked like when they were read. */
export interface FactCache {
  /** Nothing was ever kept: no need to look for anything. */
  readonly isEmpty: boolean;
  stamps(target: string): KnownStamps;
  get(file: FileVersion): SourceReading | undefined;
  put(file: FileVersion, reading: SourceReading): void;
  saveStamps(target: string, stamps: KnownStamps): void;
  /** Waits for what was put. */
  close(): Promise<void>;
}

/** A file at its place with its content: what a parser makes of it depends on its name too. */
export interface FileVersion {
  path: string;
  contentHash: string;
}

export interface KnownStamps {
  /** When the files were looked at, before the first of them was. */
  lookedAt: number;
  files: Record<string, FileStamp>;
}

/** What a file looked like from outside when its content had this hash. */
export interface FileStamp {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
  contentHash: string;
}

/** Beyond this everything is forgotten; facts of a thousand files take about five megabytes. */
const MOST_BYTES = 512 * 1024 * 1024;

/**
 * Opens the cache in a folder. Another version of the program finds nothing in it: it may read the same file differently. A cache
 * that cannot be opened is none; a damaged one is replaced.
 */
export async function openFactCache(directory: string, version: string): Promise<FactCache | undefined> {
  try {
    const folder = join(directory, 'facts');
    makeFolder(folder);
    await requireDatabaseFiles(folder);
    if ((await damageOf(join(folder, DATA_FILE))) !== undefined) {
      await rm(folder, { recursive: true });
      makeFolder(folder);
    }
    const root = open({ path: folder, maxDbs: 2, encoding: 'binary' });
    for (const name of [DATA_FILE, LOCK_FILE]) await chmod(join(folder, name), 0o600);
    return new LmdbFactCache(root, version);
  } catch {
    return undefined;
  }
}

class LmdbFactCache implements FactCache {
  readonly isEmpty: boolean;
  readonly #root: RootDatabase;
  readonly #facts: Database<Buffer, string>;
  readonly #targets: Database<Buffer, string>;
  readonly #version: string;
  #lastPut: Promise<unknown> | undefined;

  constructor(root: RootDatabase, version: string) {
    this.#root = root;
    this.#version = version;
    this.#facts = root.openDB({ name: 'facts', encoding: 'binary' });
    this.#targets = root.openDB({ name: 'targets', encoding: 'binary' });
    if (bytesIn(this.#facts) > MOST_BYTES) this.#facts.clearSync();
    this.isEmpty = this.#facts.getCount() === 0;
  }

  stamps(target: string): KnownStamps {
    const known = decode<KnownStamps>(this.#targets.get(this.#key(target)));
    return known ?? { lookedAt: 0, files: {} };
  }

  saveStamps(target: string, stamps: KnownStamps): void {
    this.#write(this.#targets, this.#key(target), stamps);
  }

  get({ path, contentHash }: FileVersion): SourceReading | undefined {
    return decode(this.#facts.get(this.#key(path, contentHash)));
  }

  put({ path, contentHash }: FileVersion, reading: SourceReading): void {
    this.#write(this.#facts, this.#key(path, contentHash), reading);
  }

  async close(): Promise<void> {
    // A disk that takes nothing more costs the next run its time, and this one nothing.
    await this.#lastPut?.catch(() => {});
    await this.#root.close();
  }

  #write(database: Database<Buffer, string>, key: string, value: unknown): void {
    const put = database.put(key, encode(value));
    put.catch(() => {});
    this.#lastPut = put;
  }

  #key(...parts: readonly string[]): string {
    return hash('sha256', [this.#version, ...parts].join('\0'));
  }
}

/** A checksum before each record: an answer is made from it, and a byte that fell over on the disk must not be in it. */
function encode(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(crc32(text));
  return Buffer.concat([sum, text]);
}

const SUM_BYTES = 4;

function decode<Value>(bytes: Buffer | undefined): Value | undefined {
  if (bytes === undefined || bytes.length <= SUM_BYTES) return undefined;
  const text = bytes.subarray(SUM_BYTES);
  return crc32(text) === bytes.readUInt32LE() ? JSON.parse(text.toString('utf8')) : undefined;
}

function bytesIn(database: Database<Buffer, string>): number {
  const { pageSize, treeLeafPageCount, overflowPages } = database.getStats() as Record<string, number>;
  return (pageSize ?? 0) * ((treeLeafPageCount ?? 0) + (overflowPages ?? 0));
}
