import { DIGIT, IDEOGRAPH, JOINER, kindOf, LOWER, OTHER, UPPER } from './characters.ts';

/** What follows the first characters of a line is not read: a line of megabytes costs no more than a long one. */
export const MAX_SCANNED_CHARS = 4096;

/**
 * Cuts a text into identifiers ("runs") and those into pieces: `parseHTTPHeader_v2` is one run with the pieces
 * parse, HTTP, Header, v and 2. The arrays hold the last scan and are reused, so that scanning allocates nothing.
 */
export class WordScanner {
  runs = 0;
  readonly runStarts = new Int32Array(MAX_SCANNED_CHARS);
  readonly runEnds = new Int32Array(MAX_SCANNED_CHARS);
  /** Pieces of run `r` are numbered from `firstPieces[r]` up to `firstPieces[r + 1]`. */
  readonly firstPieces = new Int32Array(MAX_SCANNED_CHARS + 1);
  pieces = 0;
  readonly pieceStarts = new Int32Array(MAX_SCANNED_CHARS);
  readonly pieceEnds = new Int32Array(MAX_SCANNED_CHARS);

  /** Reads at most `MAX_SCANNED_CHARS` characters from `start`. */
  scan(text: string, start = 0): void {
    this.runs = 0;
    this.pieces = 0;
    const limit = Math.min(text.length, start + MAX_SCANNED_CHARS);
    let at = start;
    while (at < limit) {
      const kind = kindOf(text.charCodeAt(at));
      if (kind === OTHER) {
        at += 1;
        continue;
      }
      const end = kind === IDEOGRAPH ? at + 1 : runEnd(text, at, limit);
      this.#addRun(text, at, end);
      at = end;
    }
    this.firstPieces[this.runs] = this.pieces;
  }

  #addRun(text: string, start: number, end: number): void {
    this.runStarts[this.runs] = start;
    this.runEnds[this.runs] = end;
    this.firstPieces[this.runs] = this.pieces;
    this.runs += 1;
    let at = start;
    while (at < end) {
      const kind = kindOf(text.charCodeAt(at));
      const next = kind === UPPER ? capitalisedEnd(text, at, end) : sameKindEnd(text, at, end);
      if (kind !== JOINER) this.#addPiece(at, next);
      at = next;
    }
  }

  #addPiece(start: number, end: number): void {
    this.pieceStarts[this.pieces] = start;
    this.pieceEnds[this.pieces] = end;
    this.pieces += 1;
  }
}

function runEnd(text: string, start: number, limit: number): number {
  let at = start + 1;
  while (at < limit) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === OTHER || kind === IDEOGRAPH) return at;
    at += 1;
  }
  return at;
}

function sameKindEnd(text: string, start: number, limit: number): number {
  const kind = kindOf(text.charCodeAt(start));
  let at = start + 1;
  while (at < limit && kindOf(text.charCodeAt(at)) === kind) at += 1;
  return at;
}

/** The end of `Header`, of `HTTP` in `HTTPHeader`, and of `URLs`. */
function capitalisedEnd(text: string, start: number, limit: number): number {
  const upperEnd = sameKindEnd(text, start, limit);
  if (upperEnd === limit || kindOf(text.charCodeAt(upperEnd)) !== LOWER) return upperEnd;
  const lowerEnd = sameKindEnd(text, upperEnd, limit);
  const capitals = upperEnd - start;
  if (capitals === 1 || isPluralS(text, upperEnd, lowerEnd)) return lowerEnd;
  return upperEnd - 1;
}

function isPluralS(text: string, start: number, end: number): boolean {
  return end - start === 1 && text.charCodeAt(start) === 115;
}

/** A piece that is a number, judged by its first character. */
export function isNumber(text: string, start: number): boolean {
  return kindOf(text.charCodeAt(start)) === DIGIT;
}
