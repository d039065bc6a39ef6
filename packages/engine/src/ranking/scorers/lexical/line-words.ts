import { characterCodes } from '@secateur/base/text/characters.ts';
import {
  type CharText,
  enlarged,
  IDEOGRAPH,
  Interner,
  isStopWord,
  JOINER,
  KINDS,
  LOWER,
  MAX_LINE_CHARS,
  OTHER,
  UPPER,
  WordHash,
} from './words.ts';

const MAX_GOAL_CHARS = 16 * MAX_LINE_CHARS;

/** Words of a goal and of all lines, as numbers. The words of the goal have the lowest numbers. */
export interface LineWords {
  /** Number of different words in the goal. Words with smaller numbers belong to the goal. */
  goalWords: number;
  /** Words of the goal in the order of the goal. */
  goalSequence: Int32Array;
  /** Number of times that each word of the goal occurs in it. */
  goalCounts: Float64Array;
  /** Words of all lines, one line after another. Those of line `i` are from `starts[i]` to before `starts[i + 1]`. */
  words: Int32Array;
  starts: Int32Array;
  /** Number of lines in which each word occurs. */
  lineCounts: Int32Array;
  vocabulary: Interner;
}

/**
 * Called after each scan, first for the goal and then for each line. The next scan overwrites the data.
 * `identifiers` has a number per run, and equal runs always have equal numbers.
 */
export interface ScanObserver {
  goal(codes: Uint16Array, scanner: WordScanner, identifiers: Int32Array): void;
  line(codes: Uint16Array, scanner: WordScanner, identifiers: Int32Array): void;
}

const UNOBSERVED: ScanObserver = { goal: () => {}, line: () => {} };

export function readWords(text: CharText, goal: string, observer: ScanObserver = UNOBSERVED): LineWords {
  const reader = new WordReader(observer);
  const goalCounts = reader.readGoal(characterCodes(goal.slice(0, MAX_GOAL_CHARS)));
  const starts = new Int32Array(text.starts.length);
  for (let line = 0; line + 1 < starts.length; line += 1) {
    reader.readLine(text.codes, text.starts[line] as number, text.starts[line + 1] as number);
    starts[line + 1] = reader.length;
  }
  return {
    goalWords: goalCounts.length,
    goalSequence: reader.goalSequence,
    goalCounts,
    words: reader.words,
    starts,
    lineCounts: countLines(reader.words, starts, reader.vocabulary.size),
    vocabulary: reader.vocabulary,
  };
}

/** Converts scanned runs to word numbers. Splits each distinct run once, because most identifiers of a text are repeated. */
class WordReader {
  readonly vocabulary = new Interner();
  words = new Int32Array(1 << 14);
  length = 0;
  goalSequence = new Int32Array(0);
  readonly #scanner = new WordScanner();
  readonly #hash = new WordHash();
  readonly #known = new Interner();
  readonly #wordsOf: (readonly number[])[] = [];
  /** Identifiers of the runs scanned last. */
  readonly #identifiers = new Int32Array(MAX_LINE_CHARS);
  readonly #observer: ScanObserver;

  constructor(observer: ScanObserver) {
    this.#observer = observer;
  }

  readGoal(goal: Uint16Array): Float64Array {
    for (let start = 0; start < goal.length; start += MAX_LINE_CHARS) {
      this.#read(goal, start, goal.length);
      this.#observer.goal(goal, this.#scanner, this.#identifiers);
    }
    this.goalSequence = this.words.slice(0, this.length);
    const counts = new Float64Array(this.vocabulary.size);
    for (let at = 0; at < this.length; at += 1) {
      const word = this.words[at] as number;
      counts[word] = (counts[word] as number) + 1;
    }
    this.length = 0;
    return counts;
  }

  readLine(codes: Uint16Array, start: number, end: number): void {
    this.#read(codes, start, end);
    this.#observer.line(codes, this.#scanner, this.#identifiers);
  }

  #read(codes: Uint16Array, start: number, end: number): void {
    this.#scanner.scan(codes, start, end);
    for (let run = 0; run < this.#scanner.runs; run += 1) {
      const identifier = this.#identify(codes, run);
      this.#identifiers[run] = identifier;
      const words = this.#wordsOf[identifier] as readonly number[];
      this.#makeRoom(words.length);
      for (let at = 0; at < words.length; at += 1) this.words[this.length++] = words[at] as number;
    }
  }

  #identify(codes: Uint16Array, run: number): number {
    this.#hash.ofWhole(codes, this.#scanner.runStarts[run] as number, this.#scanner.runEnds[run] as number);
    const identifier = this.#known.intern(this.#hash.first, this.#hash.second);
    if (identifier === this.#wordsOf.length) this.#wordsOf.push(this.#wordsIn(codes, run));
    return identifier;
  }

  /** Returns the words of a run: its pieces except stop words and single letters and, if there are several, the whole run. */
  #wordsIn(codes: Uint16Array, run: number): number[] {
    this.#scanner.cut(codes, run);
    const { pieces, pieceStarts, pieceEnds, runStarts, runEnds } = this.#scanner;
    const words: number[] = [];
    for (let piece = 0; piece < pieces; piece += 1) {
      const start = pieceStarts[piece] as number;
      if (pieceEnds[piece] === start + 1 && (codes[start] as number) < 128) continue;
      this.#hash.ofPiece(codes, start, pieceEnds[piece] as number);
      if (!isStopWord(this.#hash.first)) words.push(this.#wordOfHash());
    }
    if (pieces < 2) return words;
    this.#hash.ofCompound(codes, runStarts[run] as number, runEnds[run] as number);
    words.push(this.#wordOfHash());
    return words;
  }

  #wordOfHash(): number {
    return this.vocabulary.intern(this.#hash.first, this.#hash.second);
  }

  #makeRoom(more: number): void {
    if (this.length + more <= this.words.length) return;
    this.words = enlarged(this.words, Math.max(this.words.length * 2, this.length + more));
  }
}

export function countLines(words: Int32Array, starts: Int32Array, vocabulary: number): Int32Array {
  const counts = new Int32Array(vocabulary);
  const lastLine = new Int32Array(vocabulary).fill(-1);
  for (let line = 0; line + 1 < starts.length; line += 1) {
    const end = starts[line + 1] as number;
    for (let at = starts[line] as number; at < end; at += 1) {
      const word = words[at] as number;
      if (lastLine[word] === line) continue;
      lastLine[word] = line;
      counts[word] = (counts[word] as number) + 1;
    }
  }
  return counts;
}

/**
 * Splits a line into identifiers ("runs"), and runs into pieces. `parseHTTPHeader_v2` is one run with the
 * pieces parse, HTTP, Header, v and 2. The arrays hold the last scan and are reused, so that scanning
 * allocates no memory.
 */
export class WordScanner {
  runs = 0;
  readonly runStarts = new Int32Array(MAX_LINE_CHARS);
  readonly runEnds = new Int32Array(MAX_LINE_CHARS);
  /** Number of pieces of the run that was split last. */
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

  /** Splits a run of the last scan into its pieces. */
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

/** Returns the end of a capitalised piece, such as `Header`, the `HTTP` of `HTTPHeader`, or `URLs`. */
function capitalisedEnd(codes: Uint16Array, start: number, limit: number): number {
  const upperEnd = sameKindEnd(codes, start, limit);
  if (upperEnd === limit || KINDS[codes[upperEnd] as number] !== LOWER) return upperEnd;
  const lowerEnd = sameKindEnd(codes, upperEnd, limit);
  const plural = lowerEnd - upperEnd === 1 && codes[upperEnd] === LETTER_S;
  return plural || upperEnd - start === 1 ? lowerEnd : upperEnd - 1;
}

const LETTER_S = 115;
