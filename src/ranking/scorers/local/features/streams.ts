import type { TermStream } from '../../lexical/bm25.ts';
import type { ScanObserver } from '../../lexical/line-words.ts';
import { isStopWord } from '../../lexical/stop-words.ts';
import { WordHash } from '../../lexical/word-hash.ts';
import type { WordScanner } from '../../lexical/word-scanner.ts';
import { GoalTerms } from './goal-terms.ts';
import { leadingBits } from './keywords.ts';
import { voiceOf } from './voice.ts';

const LEADING_RUNS = 4;
const SHORTEST_IDENTIFIER = 3;

/**
 * Reads, beside the words, three more views of goal and lines: identifiers letter by letter, five-letter prefixes,
 * and those identifiers of the goal that look like code; and what the first words of each line say it is.
 */
export class StreamReader implements ScanObserver {
  readonly #identifiers = new GoalTerms();
  readonly #prefixes = new GoalTerms();
  readonly #code = new GoalTerms();
  readonly #hash = new WordHash();
  /** Bits of the first word, and of the first four together. */
  readonly firstBits: Uint8Array;
  readonly leadBits: Uint8Array;
  /** How loudly the line speaks of failure: bits of `voice.ts`. */
  readonly voices: Uint8Array;
  #line = 0;

  constructor(lineTotal: number) {
    this.firstBits = new Uint8Array(lineTotal);
    this.leadBits = new Uint8Array(lineTotal);
    this.voices = new Uint8Array(lineTotal);
  }

  goal(codes: Uint16Array, scanner: WordScanner): void {
    for (let run = 0; run < scanner.runs; run += 1) this.#readGoalRun(codes, scanner, run);
    for (let piece = 0; piece < scanner.pieces; piece += 1) {
      if (this.#hashPrefix(codes, scanner, piece))
        this.#prefixes.addGoalTerm(this.#hash.first, this.#hash.second);
    }
  }

  line(codes: Uint16Array, scanner: WordScanner): void {
    for (let run = 0; run < scanner.runs; run += 1) this.#readRun(codes, scanner, run);
    for (let piece = 0; piece < scanner.pieces; piece += 1) {
      if (this.#hashPrefix(codes, scanner, piece)) this.#prefixes.see(this.#hash.first, this.#hash.second);
    }
    this.#identifiers.endLine();
    this.#prefixes.endLine();
    this.#code.endLine();
    this.#line += 1;
  }

  streams(): { identifiers: TermStream; prefixes: TermStream; code: TermStream } {
    return {
      identifiers: this.#identifiers.stream(),
      prefixes: this.#prefixes.stream(),
      code: this.#code.stream(),
    };
  }

  #readGoalRun(codes: Uint16Array, scanner: WordScanner, run: number): void {
    const start = scanner.runStarts[run] as number;
    const end = scanner.runEnds[run] as number;
    if (end - start < SHORTEST_IDENTIFIER) return;
    const pieces = (scanner.firstPieces[run + 1] as number) - (scanner.firstPieces[run] as number);
    this.#hash.ofPiece(codes, start, end);
    if (pieces === 1 && isStopWord(this.#hash.first)) return;
    this.#hash.ofExact(codes, start, end);
    this.#identifiers.addGoalTerm(this.#hash.first, this.#hash.second);
    if (pieces === 1 && !looksLikeCode(codes, start, end)) return;
    this.#hash.ofCompound(codes, start, end);
    this.#code.addGoalTerm(this.#hash.first, this.#hash.second);
  }

  #readRun(codes: Uint16Array, scanner: WordScanner, run: number): void {
    const start = scanner.runStarts[run] as number;
    const end = scanner.runEnds[run] as number;
    this.#hash.ofCompound(codes, start, end);
    if (run < LEADING_RUNS) this.#noteLead(run);
    const voice = voiceOf(codes, { start, end, run, hash: this.#hash.first });
    if (voice !== 0) this.voices[this.#line] = (this.voices[this.#line] as number) | voice;
    if (end - start < SHORTEST_IDENTIFIER) return;
    this.#code.see(this.#hash.first, this.#hash.second);
    this.#hash.ofExact(codes, start, end);
    this.#identifiers.see(this.#hash.first, this.#hash.second);
  }

  #noteLead(run: number): void {
    const bits = leadingBits(this.#hash.first);
    if (run === 0) this.firstBits[this.#line] = bits;
    this.leadBits[this.#line] = (this.leadBits[this.#line] as number) | bits;
  }

  /** Whether the piece is long enough to have a prefix that means something; its hash is left in `#hash`. */
  #hashPrefix(codes: Uint16Array, scanner: WordScanner, piece: number): boolean {
    const start = scanner.pieceStarts[piece] as number;
    const end = scanner.pieceEnds[piece] as number;
    if (end - start < SHORTEST_IDENTIFIER) return false;
    this.#hash.ofPrefix(codes, start, end);
    return true;
  }
}

const QUOTES: ReadonlySet<number> = new Set([34, 39, 96]);
const DOT = 46;
const OPEN = 40;

/** Quoted, dotted or called. */
function looksLikeCode(codes: Uint16Array, start: number, end: number): boolean {
  const before = codes[start - 1] ?? 32;
  const after = codes[end] ?? 32;
  if (QUOTES.has(before) || QUOTES.has(after) || after === OPEN || before === DOT) return true;
  return after === DOT && (codes[end + 1] ?? 32) > 64;
}
