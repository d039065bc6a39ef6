import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import type { Brief } from './record.ts';
import { type ByteRange, fileSource, type RecordSource, type Slice } from './record-source.ts';
import type { FileStamp, StoredRecord } from './stored-facts.ts';

/**
 * A file of facts: one line that says whose they are, the records, an index of them, and where the index lies. Written
 * beside its name and renamed when it is whole, so a reader finds all of it or the one before.
 */
export interface KnownFacts {
  records: Map<string, KnownRecord>;
  /** When the files were looked at, before the first of them was. */
  lookedAt: number;
  /** The merged tail, when it is about the files of this key. */
  tail(key: string): Slice | undefined;
  close(): void;
}

export interface KnownRecord extends StoredRecord {
  stamp: FileStamp;
}

type IndexRow = [
  path: string,
  size: number,
  mtimeMs: number,
  ctimeMs: number,
  ino: number,
  offset: number,
  lengths: number[],
  brief: Brief,
];

interface Index {
  lookedAt: number;
  tail: TailPlace;
  rows: IndexRow[];
}

interface TailPlace extends ByteRange {
  key: string;
}

const FOOTER_BYTES = 32;

/** Nothing when there is no such file, it is somebody else's, or it is damaged: it is only ever a short cut. */
export function openFacts(path: string, head: string): KnownFacts | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    const index = readIndex(descriptor, head);
    if (index !== undefined) return known(descriptor, index);
  } catch {
    // As if it were not there.
  }
  if (descriptor !== undefined) closeSync(descriptor);
  return undefined;
}

function readIndex(descriptor: number, head: string): Index | undefined {
  const { size } = fstatSync(descriptor);
  const first = readText(descriptor, 0, Buffer.byteLength(head));
  if (first !== head) return undefined;
  const [offset = 0, length = 0] = readText(descriptor, size - FOOTER_BYTES, FOOTER_BYTES)
    .trim()
    .split(/\s+/)
    .map(Number);
  return JSON.parse(readText(descriptor, offset, length));
}

function readText(descriptor: number, offset: number, length: number): string {
  const bytes = Buffer.alloc(length);
  const count = readSync(descriptor, bytes, 0, length, offset);
  return bytes.toString('utf8', 0, count);
}

function known(descriptor: number, { lookedAt, tail, rows }: Index): KnownFacts {
  const source = fileSource(descriptor);
  const records = new Map<string, KnownRecord>();
  for (const [path, size, mtimeMs, ctimeMs, ino, offset, lengths, brief] of rows)
    records.set(path, { stamp: { size, mtimeMs, ctimeMs, ino }, brief, source, offset, lengths });
  return {
    records,
    lookedAt,
    tail: (key) => (key === tail.key ? { source, offset: tail.offset, length: tail.length } : undefined),
    close: () => closeSync(descriptor),
  };
}

export interface FinishedFacts {
  lookedAt: number;
  records: Iterable<[path: string, record: KnownRecord]>;
  tail: { key: string; text: string };
}

/** Takes records one after the other; they can be read back at once. */
export class FactFileWriter {
  readonly source: RecordSource;
  readonly #path: string;
  readonly #draft: string;
  readonly #descriptor: number;
  #end: number;

  constructor(path: string, head: string) {
    this.#path = path;
    this.#draft = `${path}.${randomBytes(6).toString('hex')}.draft`;
    this.#descriptor = openSync(this.#draft, 'wx+', 0o600);
    this.#end = writeSync(this.#descriptor, head);
    this.source = fileSource(this.#descriptor);
  }

  /** Where the bytes went. */
  append(bytes: Uint8Array): number {
    const offset = this.#end;
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#descriptor, bytes, done, bytes.length - done, offset + done);
    this.#end += bytes.length;
    return offset;
  }

  /** Writes the index and gives the file its name. */
  finish({ lookedAt, records, tail }: FinishedFacts): void {
    const rows: IndexRow[] = [];
    for (const [path, { stamp, offset, lengths, brief }] of records)
      rows.push([path, stamp.size, stamp.mtimeMs, stamp.ctimeMs, stamp.ino, offset, [...lengths], brief]);
    const tailText = Buffer.from(tail.text);
    const place = { key: tail.key, offset: this.append(tailText), length: tailText.length };
    const index = Buffer.from(JSON.stringify({ lookedAt, tail: place, rows } satisfies Index));
    const offset = this.append(index);
    this.append(Buffer.from(`${offset} ${index.length}`.padStart(FOOTER_BYTES)));
    renameSync(this.#draft, this.#path);
  }

  /** Forgets an unfinished file; what was appended can be read until `close`. */
  abandon(): void {
    unlinkSync(this.#draft);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
