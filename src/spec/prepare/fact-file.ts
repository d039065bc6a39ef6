import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { ROW_BYTES } from './fact-row.ts';
import { FactTable } from './fact-table.ts';
import {
  type ByteRange,
  fileSource,
  type RecordSource,
  type Slice,
  textsIn,
  WINDOW_BYTES,
} from './record-source.ts';

/**
 * A file of facts: one line that says whose they are, the records, an index of them, and where the index lies. Written
 * beside its name and renamed when it is whole, so a reader finds all of it or the one before.
 */
export interface KnownFacts {
  table: FactTable;
  /** Rows of the table by the path of their file. */
  rows: Map<string, number>;
  /** When the files were looked at, before the first of them was. */
  lookedAt: number;
  /** The merged tail, when it is about the files of this key. */
  tail(key: string): Slice | undefined;
  close(): void;
}

/** What an index begins with, as JSON; its rows follow, and the paths, each with a zero behind it. */
interface IndexHead {
  lookedAt: number;
  tail: TailPlace;
  words: readonly string[];
}

interface TailPlace extends ByteRange {
  key: string;
}

/** What stands at the very end of a file: where its index lies, and checksums of it and of all before it. */
interface Footer {
  offset: number;
  records: number;
  headBytes: number;
  rows: number;
  pathBytes: number;
  digest: string;
}

const FOOTER_BYTES = 200;

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
  const footer = readFooter(descriptor);
  if (checksumOf(descriptor, footer.offset) !== footer.records) throw new Error('damaged');
  const digest = createHash('sha256');
  const headText = readText(descriptor, { offset: footer.offset, length: footer.headBytes });
  const { lookedAt, tail, words }: IndexHead = JSON.parse(headText);
  digest.update(headText);
  const table = new FactTable(words);
  let at = footer.offset + footer.headBytes;
  table.load(footer.rows, source, (target) => {
    source.readInto(target, 0, { offset: at, length: target.length });
    digest.update(target);
    at += target.length;
  });
  const rows = new Map<string, number>();
  for (const path of textsIn(source, { offset: at, length: footer.pathBytes })) {
    rows.set(path, rows.size);
    digest.update(`${path}\0`);
  }
  if (rows.size !== footer.rows || digest.digest('hex') !== footer.digest) throw new Error('damaged');
  return {
    ...{ table, rows, lookedAt },
    tail: (key) => (key === tail.key ? { source, offset: tail.offset, length: tail.length } : undefined),
  };
}

function readFooter(descriptor: number): Footer {
  const { size } = fstatSync(descriptor);
  const footer: Footer = JSON.parse(
    readText(descriptor, { offset: size - FOOTER_BYTES, length: FOOTER_BYTES }),
  );
  const { offset, headBytes, rows, pathBytes } = footer;
  if (offset + headBytes + rows * ROW_BYTES + pathBytes + FOOTER_BYTES !== size) throw new Error('damaged');
  return footer;
}

/** Of the first `length` bytes: an answer copies records as they are, and a damaged one would be damage in the answer. */
function checksumOf(descriptor: number, length: number): number {
  const window = Buffer.allocUnsafe(WINDOW_BYTES);
  let sum = 0;
  for (let at = 0; at < length; ) {
    const count = readSync(descriptor, window, 0, Math.min(WINDOW_BYTES, length - at), at);
    if (count === 0) throw new Error('damaged');
    sum = crc32(window.subarray(0, count), sum);
    at += count;
  }
  return sum;
}

function readText(descriptor: number, { offset, length }: ByteRange): string {
  const bytes = Buffer.alloc(length);
  const count = readSync(descriptor, bytes, 0, length, offset);
  return bytes.toString('utf8', 0, count);
}

export interface FinishedFacts {
  lookedAt: number;
  table: FactTable;
  /** Looked at twice. */
  kept: Iterable<KeptRow>;
  tail: { key: string; text: string };
}

export interface KeptRow {
  path: string;
  row: number;
}

/** Takes records one after the other; they can be read back at once. */
export class FactFileWriter {
  readonly source: RecordSource;
  readonly #path: string;
  readonly #draft: string;
  readonly #descriptor: number;
  #end: number;
  #sum: number;
  #scratch = Buffer.allocUnsafe(WINDOW_BYTES);

  constructor(path: string, head: string) {
    this.#path = path;
    this.#draft = `${path}.${randomBytes(6).toString('hex')}.draft`;
    this.#descriptor = openSync(this.#draft, 'wx+', 0o600);
    this.#end = writeSync(this.#descriptor, head);
    this.#sum = crc32(head);
    this.source = fileSource(this.#descriptor);
  }

  /** Where it went. */
  append(content: Uint8Array | string): number {
    const bytes = typeof content === 'string' ? this.#encoded(content) : content;
    const offset = this.#end;
    if (writeSync(this.#descriptor, bytes, 0, bytes.length, offset) !== bytes.length)
      throw new Error('the disk took a part only');
    this.#end += bytes.length;
    this.#sum = crc32(bytes, this.#sum);
    return offset;
  }

  /** Written and summed up from one place, used again for the next text. */
  #encoded(text: string): Uint8Array {
    const most = text.length * 3;
    if (this.#scratch.length < most) this.#scratch = Buffer.allocUnsafe(most);
    return this.#scratch.subarray(0, this.#scratch.write(text));
  }

  /** Writes the index and gives the file its name. */
  finish({ lookedAt, table, kept, tail }: FinishedFacts): void {
    const place = { key: tail.key, offset: this.append(tail.text), length: Buffer.byteLength(tail.text) };
    const digest = createHash('sha256');
    const add = (content: Uint8Array | string): number => {
      digest.update(content);
      return this.append(content);
    };
    const offset = this.#end;
    const records = this.#sum;
    add(JSON.stringify({ lookedAt, tail: place, words: table.words.list } satisfies IndexHead));
    const headBytes = this.#end - offset;
    for (const rows of rowsInBatches(kept, table)) add(rows);
    const rows = (this.#end - offset - headBytes) / ROW_BYTES;
    const pathsAt = this.#end;
    for (const paths of pathsInBatches(kept)) add(paths);
    const pathBytes = this.#end - pathsAt;
    const footer: Footer = { offset, records, headBytes, rows, pathBytes, digest: digest.digest('hex') };
    this.append(JSON.stringify(footer).padEnd(FOOTER_BYTES));
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

function* rowsInBatches(kept: Iterable<KeptRow>, table: FactTable): Generator<Buffer> {
  const batch = Buffer.alloc(ROWS_A_BATCH * ROW_BYTES);
  let used = 0;
  for (const { row } of kept) {
    table.row(row).copyTo(batch, used);
    used += ROW_BYTES;
    if (used < batch.length) continue;
    yield batch;
    used = 0;
  }
  yield batch.subarray(0, used);
}

function* pathsInBatches(kept: Iterable<KeptRow>): Generator<string> {
  let paths: string[] = [];
  for (const { path } of kept) {
    if (paths.push(`${path}\0`) < ROWS_A_BATCH) continue;
    yield paths.join('');
    paths = [];
  }
  yield paths.join('');
}
