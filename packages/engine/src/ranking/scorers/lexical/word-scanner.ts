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
  /** Number of pieces of the run that was cut last. */
  pieces = 0;
  readonly pieceStarts = new Int32Array(MAX_LINE_CHARS);
  readonly pieceEnds = new Int32Array(MAX_LINE_CHARS);

  /** Reads at most `MAX_LINE_CHARS` characters from `start`. */
  scan(codes: Uint16Array, start: number, end: number): void {
    this.runs = 0;
    const limit = Math.min(end, start + MAX_LINE_CHARS);
    let at = start;
    while (at < limit) {
      const kind = KINDS[codes[at] as number];
      if (kind === OTHER) {
        at += 1;
        continue;
      }
      this.runStarts[this.runs] = at;
      at = kind === IDEOGRAPH ? at + 1 : runEnd(codes, at, limit);
      this.runEnds[this.runs] = at;
      this.runs += 1;
    }
  }

  /** Cuts a run of the last scan into its pieces. */
  cut(codes: Uint16Array, run: number): void {
    this.pieces = 0;
    const end = this.runEnds[run] as number;
    let at = this.runStarts[run] as number;
    while (at < end) {
      const kind = KINDS[codes[at] as number];
      const next = kind === UPPER ? capitalisedEnd(codes, at, end) : sameKindEnd(codes, at, end);
      if (kind !== JOINER) {
        this.pieceStarts[this.pieces] = at;
        this.pieceEnds[this.pieces] = next;
        this.pieces += 1;
      }
      at = next;
    }
  }
}

function runEnd(codes: Uint16Array, start: number, limit: number): number {
  let at = start + 1;
  while (at < limit) {
    const kind = KINDS[codes[at] as number];
    if (kind === OTHER || kind === IDEOGRAPH) break;
    at += 1;
  }
  return at;
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
