import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import type { Brief } from './record.ts';
import { type ByteRange, fileSource, linesIn, type RecordSource, type Slice } from './record-source.ts';
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
  lengths: readonly number[],
  brief: Brief,
];

/** The first line of the index; a row a line follows. */
interface IndexHead {
  lookedAt: number;
  tail: TailPlace;
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
    const opened = descriptor;
    if (readText(opened, { offset: 0, length: Buffer.byteLength(head) }) === head)
      return { ...readIndex(opened), close: () => closeSync(opened) };
  } catch {
    // As if it were not there.
  }
  if (descriptor !== undefined) closeSync(descriptor);
  return undefined;
}

function readIndex(descriptor: number): Omit<KnownFacts, 'close'> {
  const source = fileSource(descriptor);
  const lines = linesIn(source, indexPlace(descriptor));
  const { lookedAt, tail }: IndexHead = JSON.parse(lines.next().value ?? '');
  const records = new Map<string, KnownRecord>();
  for (const line of lines) {
    const [path, size, mtimeMs, ctimeMs, ino, offset, lengths, brief]: IndexRow = JSON.parse(line);
    records.set(path, { path, stamp: { size, mtimeMs, ctimeMs, ino }, brief, source, offset, lengths });
  }
  return {
    records,
    lookedAt,
    tail: (key) => (key === tail.key ? { source, offset: tail.offset, length: tail.length } : undefined),
  };
}

function indexPlace(descriptor: number): ByteRange {
  const { size } = fstatSync(descriptor);
  const footer = readText(descriptor, { offset: size - FOOTER_BYTES, length: FOOTER_BYTES });
  const [offset = 0, length = 0] = footer.trim().split(/\s+/).map(Number);
  return { offset, length };
}

function readText(descriptor: number, { offset, length }: ByteRange): string {
  const bytes = Buffer.alloc(length);
  const count = readSync(descriptor, bytes, 0, length, offset);
  return bytes.toString('utf8', 0, count);
}

export interface FinishedFacts {
  lookedAt: number;
  records: Iterable<KnownRecord>;
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

  /** Where it went. */
  append(content: Uint8Array | string): number {
    const offset = this.#end;
    const length = Buffer.byteLength(content);
    const written =
      typeof content === 'string'
        ? writeSync(this.#descriptor, content, offset)
        : writeSync(this.#descriptor, content, 0, length, offset);
    if (written !== length) throw new Error('the disk took a part only');
    this.#end += length;
    return offset;
  }

  /** Writes the index and gives the file its name. */
  finish({ lookedAt, records, tail }: FinishedFacts): void {
    const place = { key: tail.key, offset: this.append(tail.text), length: Buffer.byteLength(tail.text) };
    const offset = this.#end;
    this.append(`${JSON.stringify({ lookedAt, tail: place } satisfies IndexHead)}\n`);
    for (const rows of inBatches(records)) this.append(rows);
    this.append(`${offset} ${this.#end - offset}`.padStart(FOOTER_BYTES));
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

const ROWS_A_BATCH = 500;

function* inBatches(records: Iterable<KnownRecord>): Generator<string> {
  let lines: string[] = [];
  for (const { path, stamp, offset, lengths, brief } of records) {
    const { size, mtimeMs, ctimeMs, ino } = stamp;
    const row: IndexRow = [path, size, mtimeMs, ctimeMs, ino, offset, lengths, brief];
    if (lines.push(`${JSON.stringify(row)}\n`) < ROWS_A_BATCH) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}
