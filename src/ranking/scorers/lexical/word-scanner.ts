import { MAX_LINE_CHARS } from './char-text.ts';
import { IDEOGRAPH, JOINER, KINDS, LOWER, OTHER, UPPER } from './characters.ts';

/**
 * Cuts a line into identifiers ("runs") and those into pieces: `parseHTTPHeader_v2` is one run with the pieces
 * parse, HTTP, Header, v and 2. The arrays hold the last scan and are reused, so that scanning allocates nothing.
 */
export class WordScanner {
  runs = 0;
  readonly runStarts = new Int32Array(MAX_LINE_CHARS);
  readonly runEnds = new Int32Array(MAX_LINE_CHARS);
  /** Pieces of run `r` are numbered from `firstPieces[r]` up to `firstPieces[r + 1]`. */
  readonly firstPieces = new Int32Array(MAX_LINE_CHARS + 1);
  pieces = 0;
  readonly pieceStarts = new Int32Array(MAX_LINE_CHARS);
  readonly pieceEnds = new Int32Array(MAX_LINE_CHARS);

  /** Reads at most `MAX_LINE_CHARS` characters from `start`. */
  scan(codes: Uint16Array, start: number, end: number): void {
    this.runs = 0;
    this.pieces = 0;
    const limit = Math.min(end, start + MAX_LINE_CHARS);
    let at = start;
    while (at < limit) {
      const kind = KINDS[codes[at] as number];
      if (kind === OTHER) {
        at += 1;
      } else {
        at = kind === IDEOGRAPH ? this.#readIdeograph(at) : this.#readRun(codes, at, limit);
      }
    }
    this.firstPieces[this.runs] = this.pieces;
  }

  #readIdeograph(at: number): number {
    this.firstPieces[this.runs] = this.pieces;
    this.#addPiece(at, at + 1);
    this.#addRun(at, at + 1);
    return at + 1;
  }

  /** Reads one identifier piece by piece; returns where it ends. */
  #readRun(codes: Uint16Array, start: number, limit: number): number {
    this.firstPieces[this.runs] = this.pieces;
    let at = start;
    while (at < limit) {
      const kind = KINDS[codes[at] as number];
      if (kind === OTHER || kind === IDEOGRAPH) break;
      const next = kind === UPPER ? capitalisedEnd(codes, at, limit) : sameKindEnd(codes, at, limit);
      if (kind !== JOINER) this.#addPiece(at, next);
      at = next;
    }
    this.#addRun(start, at);
    return at;
  }

  #addRun(start: number, end: number): void {
    this.runStarts[this.runs] = start;
    this.runEnds[this.runs] = end;
    this.runs += 1;
  }

  #addPiece(start: number, end: number): void {
    this.pieceStarts[this.pieces] = start;
    this.pieceEnds[this.pieces] = end;
    this.pieces += 1;
  }
}

function sameKindEnd(codes: Uint16Array, start: number, limit: number): number {
  const kind = KINDS[codes[start] as number];
  let at = start + 1;
  while (at < limit && KINDS[codes[at] as number] === kind) at += 1;
  return at;
}

/** The end of `Header`, of `HTTP` in `HTTPHeader`, and of `URLs`. */
function capitalisedEnd(codes: Uint16Array, start: number, limit: number): number {
  const upperEnd = sameKindEnd(codes, start, limit);
  if (upperEnd === limit || KINDS[codes[upperEnd] as number] !== LOWER) return upperEnd;
  const lowerEnd = sameKindEnd(codes, upperEnd, limit);
  const plural = lowerEnd - upperEnd === 1 && codes[upperEnd] === LETTER_S;
  return plural || upperEnd - start === 1 ? lowerEnd : upperEnd - 1;
}

const LETTER_S = 115;
