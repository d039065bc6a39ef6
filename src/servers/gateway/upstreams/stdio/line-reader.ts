const LF = 10;
const EDGE_BYTES = 512;

export interface LineSink {
  line(text: string): void;
  /** A line beyond the limit was thrown away; its first and last bytes may still tell whose it was. */
  tooLong(edges: string): void;
}

/** Cuts a child's stdout into lines; never holds more than `maxBytes` of one. */
export class LineReader {
  #parts: Buffer[] = [];
  #size = 0;
  #tail = Buffer.alloc(0);
  readonly #maxBytes: number;
  readonly #sink: LineSink;

  constructor(maxBytes: number, sink: LineSink) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let lf = chunk.indexOf(LF); lf !== -1; lf = chunk.indexOf(LF, from)) {
      this.#keep(chunk.subarray(from, lf));
      this.#complete();
      from = lf + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size <= this.#maxBytes) this.#parts.push(part);
    else this.#tail = Buffer.concat([this.#tail, part]).subarray(-EDGE_BYTES);
  }

  #complete(): void {
    const [first = Buffer.alloc(0)] = this.#parts;
    const text = this.#parts.length > 1 ? Buffer.concat(this.#parts).toString() : first.toString();
    if (this.#size <= this.#maxBytes) this.#sink.line(text);
    else this.#sink.tooLong(`${text.slice(0, EDGE_BYTES)} ${this.#tail.toString()}`);
    this.#parts = [];
    this.#size = 0;
    this.#tail = Buffer.alloc(0);
  }
}
