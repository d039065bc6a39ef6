import { hash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readRegularFile } from '@secateur/base/runtime/bounded-reading.ts';
import { makeFolder, replaceFile, replaceFileSync } from '@secateur/base/runtime/writing-files.ts';
import type { SourceReading } from './read-source.ts';

/** Path and content of a file. Facts depend on both, for example on the file extension. */
export interface FileVersion {
  path: string;
  contentHash: string;
}

export interface KnownStamps {
  /** Time in ms directly before the first file was examined. */
  lookedAt: number;
  files: Record<string, FileStamp>;
}

/** Metadata of a file at the time when its content had `hash`. */
export interface FileStamp {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
  contentHash: string;
}

/** Maximum size of a cache file in bytes; a larger file is discarded. Facts of 1,000 files take about 5 MB. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;

/** Maximum bytes of new records in memory. At this size a first run writes them to the file. */
const MAX_HELD_BYTES = 8 * 1024 * 1024;

export interface FactCachePlace {
  readonly directory: string;
  /** Folder of the project. Each project has its own cache file. */
  readonly project: string;
  /** Version of the program. Another version starts a new cache file, because it may read sources differently. */
  readonly version: string;
}

/** Opens the cache of a project. Returns undefined if it cannot be opened. Damaged records are ignored. */
export async function openFactCache(place: FactCachePlace): Promise<FactCache | undefined> {
  try {
    const folder = join(place.directory, 'facts');
    makeFolder(folder);
    const path = join(folder, `${hash('sha256', place.project).slice(0, 32)}.jsonl`);
    return new FactCache(path, `${FORMAT} ${JSON.stringify(place.version)}\n`);
  } catch {
    return undefined;
  }
}

const FORMAT = 'secateur-facts 8';

/**
 * Caches facts by path and content, and the stamps that a target's files had when they were read. The first
 * line of the cache file is the version; each other line is a record of checksum, slot, content hash and
 * JSON. New records are appended, and only the last record of a slot is valid. If most of the file is
 * outdated, it is rewritten.
 */
export class FactCache {
  /** Whether the cache file had no records, so that lookups can be skipped. */
  readonly isEmpty: boolean;
  readonly #path: string;
  readonly #header: string;
  readonly #bytes: Buffer;
  readonly #records: Map<string, RecordPlace>;
  readonly #added = new Map<string, Buffer>();
  #addedBytes = 0;
  /** Whether `#begin` has already written some of the new records. */
  #isBegun = false;

  constructor(path: string, header: string) {
    this.#path = path;
    this.#header = header;
    this.#bytes = readFacts(path, header);
    this.#records = indexOf(this.#bytes);
    this.isEmpty = this.#records.size === 0;
  }

  stamps(target: string): KnownStamps {
    return this.#read<KnownStamps>(this.#slot('target', target), NO_CONTENT) ?? { lookedAt: 0, files: {} };
  }

  saveStamps(target: string, stamps: KnownStamps): void {
    this.#add(this.#slot('target', target), NO_CONTENT, stamps);
  }

  get({ path, contentHash }: FileVersion): SourceReading | undefined {
    return this.#read(this.#slot('file', path), contentHash);
  }

  put({ path, contentHash }: FileVersion, reading: SourceReading): void {
    this.#add(this.#slot('file', path), contentHash, reading);
  }

  /** Writes the new records. Never rejects: if writing fails, the next run is only slower. */
  async close(): Promise<void> {
    if (this.#added.size === 0) return;
    const added = Buffer.concat([...this.#added.values()]);
    await (this.#isMostlyOutdated() ? this.#rewrite(added) : this.#append(added)).catch(() => {});
    // Earlier versions stored facts in these files.
    for (const name of ['data.mdb', 'lock.mdb'])
      await rm(join(dirname(this.#path), name), { force: true }).catch(() => {});
    this.#added.clear();
  }

  /** Appends records after a line break, which ends a record that a killed process did not complete. */
  async #append(added: Buffer): Promise<void> {
    await appendFile(this.#path, Buffer.concat([LINE_BREAK, added]), { mode: 0o600 });
  }

  async #rewrite(added: Buffer): Promise<void> {
    await replaceFile(this.#path, Buffer.concat([Buffer.from(this.#header), ...this.#live(), added]));
  }

  #isMostlyOutdated(): boolean {
    if (this.#bytes.length === 0) return !this.#isBegun;
    const liveBytes = this.#live().reduce((sum, { length }) => sum + length, 0);
    return this.#bytes.length - liveBytes > this.#bytes.length / 2;
  }

  /** Returns the records of the file that no new record replaces. */
  #live(): Buffer[] {
    return [...this.#records]
      .filter(([slot]) => !this.#added.has(slot))
      .map(([, { start, end }]) => this.#bytes.subarray(start, end));
  }

  #read<Value>(slot: string, contentHash: string): Value | undefined {
    const place = this.#records.get(slot);
    return place && decode<Value>(this.#bytes.subarray(place.start, place.end), contentHash);
  }

  /** Returns the key of a record. It contains the version, because another version may have restarted the file meanwhile. */
  #slot(kind: 'file' | 'target', name: string): string {
    return hash('sha256', `${this.#header}${kind}\0${name}`).slice(0, SLOT_CHARACTERS);
  }

  #add(slot: string, contentHash: string, value: unknown): void {
    const record = encode(slot, contentHash, value);
    this.#added.set(slot, record);
    this.#addedBytes += record.length;
    if (this.#addedBytes > MAX_HELD_BYTES && this.#bytes.length === 0) this.#begin();
  }

  /** Writes the new records so far. In a large project they would take most of the memory. */
  #begin(): void {
    try {
      if (!this.#isBegun) replaceFileSync(this.#path, this.#header);
      appendFileSync(this.#path, Buffer.concat([...this.#added.values()]));
    } catch {
      // A failed write only makes the next run slower.
    }
    this.#isBegun = true;
    this.#added.clear();
    this.#addedBytes = 0;
  }
}

type RecordPlace = { readonly start: number; readonly end: number };

const LINE_BREAK = Buffer.from('\n');
const LINE_BREAK_CODE = 0x0a;
const NO_CONTENT = '-';
const SUM_CHARACTERS = 8;
const SLOT_CHARACTERS = 32;
const SLOT_START = SUM_CHARACTERS + 1;
const CONTENT_START = SLOT_START + SLOT_CHARACTERS + 1;

/** Reads a cache file; empty if it belongs to another version, is too large or is not a regular file. */
function readFacts(path: string, header: string): Buffer {
  const file = readRegularFile(path, { maxBytes: MAX_FILE_BYTES });
  if (file.kind === 'refused') return Buffer.alloc(0);
  const isOurs = file.bytes.subarray(0, Buffer.byteLength(header)).equals(Buffer.from(header));
  return isOurs ? file.bytes : Buffer.alloc(0);
}

/** Returns the position of each slot's last record. Records are decoded later, if they are needed. */
function indexOf(bytes: Buffer): Map<string, RecordPlace> {
  const records = new Map<string, RecordPlace>();
  let start = bytes.indexOf(LINE_BREAK_CODE) + 1;
  for (let end = bytes.indexOf(LINE_BREAK_CODE, start) + 1; end > 0; ) {
    if (end - start > CONTENT_START)
      records.set(bytes.toString('latin1', start + SLOT_START, start + SLOT_START + SLOT_CHARACTERS), {
        start,
        end,
      });
    start = end;
    end = bytes.indexOf(LINE_BREAK_CODE, start) + 1;
  }
  return records;
}

function encode(slot: string, contentHash: string, value: unknown): Buffer {
  const rest = Buffer.from(` ${slot} ${contentHash} ${JSON.stringify(value)}`);
  const sum = crc32(rest).toString(16).padStart(SUM_CHARACTERS, '0');
  return Buffer.concat([Buffer.from(sum), rest, LINE_BREAK]);
}

/** Decodes a record; undefined if its content hash differs or it is damaged. */
function decode<Value>(line: Buffer, contentHash: string): Value | undefined {
  const rest = line.subarray(SUM_CHARACTERS, line.length - 1);
  const json = CONTENT_START - SUM_CHARACTERS + contentHash.length + 1;
  const isWanted = rest.toString('latin1', CONTENT_START - SUM_CHARACTERS, json) === `${contentHash} `;
  if (!isWanted || Number.parseInt(line.toString('latin1', 0, SUM_CHARACTERS), 16) !== crc32(rest))
    return undefined;
  return JSON.parse(rest.toString('utf8', json)) as Value;
}
