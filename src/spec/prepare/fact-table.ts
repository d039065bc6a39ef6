import { FactRow, ROW_BYTES, type RowChunk, Words } from './fact-row.ts';
import type { Brief } from './record.ts';
import type { RecordSource } from './record-source.ts';
import type { StoredFacts } from './stored-facts.ts';

/** A record to be kept, as it came from where its file was read. */
export interface NewRecord extends RecordPlace {
  brief: Brief;
  /** Bytes of each of its parts. */
  lengths: readonly number[];
}

export interface RecordPlace {
  source: RecordSource;
  offset: number;
}

const ROWS_A_CHUNK = 512;

/** A row a file, and where the records of all of them lie. */
export class FactTable {
  readonly words: Words;
  readonly #chunks: RowChunk[] = [];
  readonly #sources: RecordSource[] = [];
  #size = 0;

  constructor(words: readonly string[] = []) {
    this.words = new Words(words);
  }

  /** The number of a new row, empty as yet. */
  add(): number {
    if (this.#size === this.#chunks.length * ROWS_A_CHUNK) this.#chunks.push(emptyChunk());
    this.#size += 1;
    return this.#size - 1;
  }

  /** Takes the rows of an index; `read` fills one stretch of them after the other. */
  load(count: number, source: RecordSource, read: (target: Buffer) => void): void {
    this.#sources.push(source);
    for (let left = count; left > 0; left -= ROWS_A_CHUNK) {
      const chunk = emptyChunk();
      read(chunk.bytes.subarray(0, Math.min(left, ROWS_A_CHUNK) * ROW_BYTES));
      this.#chunks.push(chunk);
    }
    this.#size = count;
  }

  row(number: number): FactRow {
    const chunk = this.#chunks[(number / ROWS_A_CHUNK) | 0];
    if (chunk === undefined) throw new RangeError(`no row ${number} in a table of ${this.#size}`);
    return new FactRow(chunk, number % ROWS_A_CHUNK, this.words);
  }

  /** The facts of a row; they are looked up in it when somebody asks. */
  facts(number: number, path: string): StoredFacts | undefined {
    const row = this.row(number);
    return row.hasFacts ? new TableFacts(path, this.sourceOf(row), row) : undefined;
  }

  sourceOf({ sourceNumber }: FactRow): RecordSource {
    const source = this.#sources[sourceNumber];
    if (source === undefined) throw new RangeError(`no source ${sourceNumber} of facts`);
    return source;
  }

  setRecord(number: number, { brief, lengths, ...place }: NewRecord): void {
    const row = this.row(number);
    row.setBrief(brief);
    row.setLengths(lengths);
    this.move(number, place);
  }

  move(number: number, { source, offset }: RecordPlace): void {
    this.row(number).setPlace(this.#numberOf(source), offset);
  }

  /** Many records in a row lie in the same one. */
  #numberOf(source: RecordSource): number {
    if (this.#sources.at(-1) === source) return this.#sources.length - 1;
    const known = this.#sources.indexOf(source);
    return known === -1 ? this.#sources.push(source) - 1 : known;
  }
}

/** A row as everybody else knows it: two small objects, which live while somebody looks at them. */
class TableFacts implements StoredFacts {
  readonly path: string;
  readonly source: RecordSource;
  readonly brief: FactRow;

  constructor(path: string, source: RecordSource, row: FactRow) {
    this.path = path;
    this.source = source;
    this.brief = row;
  }

  get offset(): number {
    return this.brief.offset;
  }

  lengthOf(part: number): number {
    return this.brief.lengthOf(part);
  }
}

function emptyChunk(): RowChunk {
  const memory = new ArrayBuffer(ROWS_A_CHUNK * ROW_BYTES);
  return { bytes: Buffer.from(memory), whole: new Uint32Array(memory), real: new Float64Array(memory) };
}
