const NEWLINE = 0x0a;

/** Gets a line that is too long to be held, piece by piece from its start. */
export interface LongLine {
  push(piece: Buffer): void;
  end?(): void;
}

export interface LineSink {
  line(bytes: Buffer): void;
  /** Called once for a line over the limit, as soon as it is. */
  tooLong?(): LongLine | undefined;
}

/** Cuts a byte stream into lines and never holds more than `maxBytes` of one. Pieces are joined once. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #sink: LineSink;
  #pieces: Buffer[] = [];
  #held = 0;
  #long: LongLine | undefined;

  constructor(maxBytes: number, sink: LineSink) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#hold(chunk.subarray(start, end));
      this.#finishLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /** A last line may lack its newline. */
  end(): void {
    if (this.#held > 0) this.#finishLine();
  }

  #hold(piece: Buffer): void {
    const wasTooLong = this.#held > this.#maxBytes;
    this.#held += piece.length;
    this.#pieces.push(piece);
    if (this.#held <= this.#maxBytes) return;
    if (!wasTooLong) this.#long = this.#sink.tooLong?.();
    for (const each of this.#pieces.splice(0)) this.#long?.push(each);
  }

  #finishLine(): void {
    const [first = Buffer.alloc(0)] = this.#pieces;
    const line = this.#pieces.length > 1 ? Buffer.concat(this.#pieces) : first;
    const isTooLong = this.#held > this.#maxBytes;
    this.#pieces = [];
    this.#held = 0;
    if (isTooLong) this.#long?.end?.();
    else this.#sink.line(line);
  }
}
