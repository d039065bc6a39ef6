import { createHash } from 'node:crypto';
import { readdirSync, statSync, unlinkSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../runtime/make-folder.ts';
import { FactFileWriter, type FinishedFacts, type KeptRow, type KnownFacts, openFacts } from './fact-file.ts';
import { FactTable, type RecordPlace } from './fact-table.ts';
import { heldSource, type Slice } from './record-source.ts';
import type { FileStamp } from './stored-facts.ts';

export interface CacheOptions {
  directory: string;
  /** The tree the facts belong to. */
  target: string;
  /** Of the program: another one may read the same file differently. */
  version: string;
  now(): number;
}

const FORMAT = 5;
/** A file written in the same tick as its reading may have changed after it without a new time. */
const RACE_MS = 2_000;
const FORGOTTEN_MS = 3_600_000;

/** Without a cache everything is held in memory; with one nothing is, and the next run finds it. */
export async function openFactStore(cache: CacheOptions | undefined): Promise<FactStore> {
  if (cache === undefined) return new FactStore(undefined);
  const { directory, target, version, now } = cache;
  const name = `${createHash('sha256').update(target).digest('hex').slice(0, 32)}.facts`;
  const head = `${JSON.stringify({ format: FORMAT, order: endianness(), version, target })}\n`;
  const place = { directory, path: join(directory, name), head, lookedAt: now() };
  const known = openFacts(place.path, head);
  // A cache that cannot be written costs time at the next run and nothing else.
  if (known === undefined) await makeFolder(directory).catch(() => {});
  return new FactStore({ ...place, known });
}

interface CachePlace {
  directory: string;
  path: string;
  head: string;
  lookedAt: number;
  known: KnownFacts | undefined;
}

/** Facts of one target. A record is used again while the file's stamp or its content is the same. */
export class FactStore {
  /** Of the files known before and of those added since. */
  readonly table: FactTable;
  readonly #place: CachePlace | undefined;
  #writer: FactFileWriter | undefined;
  #isBroken = false;
  #isFinished = false;

  constructor(place: CachePlace | undefined) {
    this.#place = place;
    this.table = place?.known?.table ?? new FactTable();
  }

  get isCached(): boolean {
    return this.#place !== undefined;
  }

  /** Nothing is known of any file. */
  get isEmpty(): boolean {
    return this.#place?.known === undefined;
  }

  /** The row of a file: the one that was known, or a new one. */
  rowOf(path: string): number {
    return this.#place?.known?.rows.get(path) ?? this.table.add();
  }

  /** Files known before, with their rows. */
  known(): Iterable<[path: string, row: number]> {
    return this.#place?.known?.rows ?? [];
  }

  /** The merged tail of the run before, if it was about the same files. */
  tail(key: string): Slice | undefined {
    return this.#place?.known?.tail(key);
  }

  /** Whether the stamp alone proves that the file did not change since its record was made. */
  isSettled(row: number, stamp: FileStamp): boolean {
    const known = this.table.row(row);
    const lookedAt = this.#place?.known?.lookedAt ?? 0;
    return known.hasRecord && known.isStamped(stamp) && stamp.mtimeMs + RACE_MS < lookedAt;
  }

  /** Where the text lies from now on. */
  add(text: string): RecordPlace {
    const writer = this.#openWriter();
    const offset = writer === undefined ? undefined : this.#quietly(() => writer.append(text));
    if (writer === undefined || offset === undefined)
      return { source: heldSource(Buffer.from(text)), offset: 0 };
    return { source: writer.source, offset };
  }

  /** Makes these the cache; records of the cache before are moved over. */
  save(kept: Iterable<KeptRow>, tail: FinishedFacts['tail']): void {
    const writer = this.#openWriter();
    if (writer === undefined || this.#place === undefined) return;
    const { lookedAt } = this.#place;
    this.#quietly(() => {
      for (const { row } of kept) this.#moveTo(writer, row);
      writer.finish({ lookedAt, table: this.table, kept, tail });
      this.#isFinished = true;
    });
  }

  /** After this no record can be read any more. */
  close(): void {
    const writer = this.#writer;
    if (writer !== undefined && !this.#isFinished) this.#quietly(() => writer.abandon());
    this.#writer?.close();
    this.#place?.known?.close();
  }

  #moveTo(writer: FactFileWriter, number: number): void {
    const row = this.table.row(number);
    const source = this.table.sourceOf(row);
    if (source === writer.source) return;
    const bytes = Buffer.allocUnsafe(row.totalLength);
    source.readInto(bytes, 0, { offset: row.offset, length: bytes.length });
    this.table.move(number, { source: writer.source, offset: writer.append(bytes) });
  }

  #openWriter(): FactFileWriter | undefined {
    const place = this.#place;
    if (this.#isBroken || place === undefined) return undefined;
    this.#writer ??= this.#quietly(() => {
      sweepDrafts(place);
      return new FactFileWriter(place.path, place.head);
    });
    return this.#writer;
  }

  /** Trouble with the cache is no trouble: what it cannot take is held in memory. */
  #quietly<Value>(act: () => Value): Value | undefined {
    try {
      return act();
    } catch {
      this.#isBroken = true;
      return undefined;
    }
  }
}

/** What a run that was killed left behind. */
function sweepDrafts({ directory, lookedAt }: CachePlace): void {
  for (const name of readdirSync(directory)) {
    if (!name.endsWith('.draft')) continue;
    const path = join(directory, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && found.mtimeMs + FORGOTTEN_MS < lookedAt) unlinkSync(path);
  }
}
