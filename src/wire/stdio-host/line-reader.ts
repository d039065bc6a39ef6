export interface LineReaderOptions {
  readonly maxBytes: number;
  line(bytes: Buffer): void;
  /** Called once for a line over the limit; the rest of it is skipped. */
  tooLong(): void;
}

const NEWLINE = 0x0a;
const BLANK = /^\s*$/;

/** Cuts a byte stream into lines. Pieces of a long line are joined once, when it is complete. */
export class LineReader {
  readonly #options: LineReaderOptions;
  #pieces: Buffer[] = [];
  #held = 0;
  #skipping = false;

  constructor(options: LineReaderOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#hold(chunk.subarray(start, end));
      this.#finishLine();
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
  }

  /** A last line may lack its newline. */
  end(): void {
    this.#finishLine();
  }

  #hold(piece: Buffer): void {
    if (this.#skipping || piece.length === 0) return;
    this.#held += piece.length;
    if (this.#held <= this.#options.maxBytes) {
      this.#pieces.push(piece);
      return;
    }
    this.#skipping = true;
    this.#pieces = [];
    this.#options.tooLong();
  }

  #finishLine(): void {
    const pieces = this.#pieces;
    const [first] = pieces;
    this.#pieces = [];
    this.#held = 0;
    this.#skipping = false;
    if (first === undefined) return;
    const line = pieces.length === 1 ? first : Buffer.concat(pieces);
    if (line.length > 8 || !BLANK.test(line.toString('latin1'))) this.#options.line(line);
  }
}
