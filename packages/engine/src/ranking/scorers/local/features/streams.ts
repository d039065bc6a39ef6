import { rarity, type TermStream } from '../../../lexical-scorer.ts';
import type { ScanObserver, WordScanner } from '../../lexical/line-words.ts';
import { enlarged, Interner, isStopWord, WordHash } from '../../lexical/words.ts';
import { failureCuesOf, isFailureCue, leadingBits, type Run } from './keywords.ts';

const LEADING_RUNS = 4;
const MIN_IDENTIFIER = 3;

/** Properties of an identifier that do not depend on its place. */
interface KnownIdentifier {
  /** Hash of the whole identifier, case ignored. */
  hash: number;
  /** Kinds of a line that begins with this word, as bits. */
  leadBits: number;
  isFailureCue: boolean;
  isShort: boolean;
  /** Number among the exact identifiers of the goal; -1 for none. So for `code` and each of `prefixes`. */
  exact: number;
  code: number;
  prefixes: readonly number[];
}

/**
 * Reads three kinds of terms besides words from goal and lines: exact identifiers, five-letter prefixes, and identifiers
 * that look like code in the goal. Also reads the kind of each line from its first words.
 */
export class StreamReader implements ScanObserver {
  readonly #identifiers: GoalTerms;
  readonly #prefixes: GoalTerms;
  readonly #code: GoalTerms;
  readonly #hash = new WordHash();
  readonly #known: KnownIdentifier[] = [];
  /** Kinds of each line by its first word (`firstBits`) and by its first four (`leadBits`), as bits. */
  readonly firstBits: Uint8Array;
  readonly leadBits: Uint8Array;
  /** Failure cues of each line: bits of `keywords.ts`. */
  readonly voices: Uint8Array;
  #line = 0;

  constructor(lineTotal: number) {
    this.#identifiers = new GoalTerms(lineTotal);
    this.#prefixes = new GoalTerms(lineTotal);
    this.#code = new GoalTerms(lineTotal);
    this.firstBits = new Uint8Array(lineTotal);
    this.leadBits = new Uint8Array(lineTotal);
    this.voices = new Uint8Array(lineTotal);
  }

  goal(codes: Uint16Array, scanner: WordScanner): void {
    for (let run = 0; run < scanner.runs; run += 1) {
      scanner.cut(codes, run);
      this.#readGoalRun(codes, scanner, run);
      for (let piece = 0; piece < scanner.pieces; piece += 1) {
        if (this.#hashPrefix(codes, scanner, piece))
          this.#prefixes.addGoalTerm(this.#hash.first, this.#hash.second);
      }
    }
  }

  line(codes: Uint16Array, scanner: WordScanner, identifiers: Int32Array): void {
    for (let run = 0; run < scanner.runs; run += 1) {
      const identifier = identifiers[run] as number;
      const known = this.#known[identifier] ?? this.#read(codes, scanner, run);
      this.#known[identifier] = known;
      if (run < LEADING_RUNS) this.#noteLead(run, known.leadBits);
      if (known.isFailureCue) {
        const start = scanner.runStarts[run] as number;
        this.#noteVoice(codes, { start, end: scanner.runEnds[run] as number, run, hash: known.hash });
      }
      this.#noteTerms(known);
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
    if (end - start < MIN_IDENTIFIER) return;
    const { pieces } = scanner;
    this.#hash.ofPiece(codes, start, end);
    if (pieces === 1 && isStopWord(this.#hash.first)) return;
    this.#hash.ofExact(codes, start, end);
    this.#identifiers.addGoalTerm(this.#hash.first, this.#hash.second);
    if (pieces === 1 && !looksLikeCode(codes, start, end)) return;
    this.#hash.ofCompound(codes, start, end);
    this.#code.addGoalTerm(this.#hash.first, this.#hash.second);
  }

  #noteLead(run: number, bits: number): void {
    if (run === 0) this.firstBits[this.#line] = bits;
    this.leadBits[this.#line] = (this.leadBits[this.#line] as number) | bits;
  }

  #noteVoice(codes: Uint16Array, run: Run): void {
    this.voices[this.#line] = (this.voices[this.#line] as number) | failureCuesOf(codes, run);
  }

  #noteTerms(known: KnownIdentifier): void {
    for (let at = 0; at < known.prefixes.length; at += 1) this.#prefixes.see(known.prefixes[at] as number);
    if (known.isShort) return;
    this.#code.see(known.code);
    this.#identifiers.see(known.exact);
  }

  #read(codes: Uint16Array, scanner: WordScanner, run: number): KnownIdentifier {
    const start = scanner.runStarts[run] as number;
    const end = scanner.runEnds[run] as number;
    this.#hash.ofCompound(codes, start, end);
    const hash = this.#hash.first;
    const code = this.#numberIn(this.#code);
    this.#hash.ofExact(codes, start, end);
    return {
      hash,
      leadBits: leadingBits(hash),
      isFailureCue: isFailureCue(codes, { start, end, hash }),
      isShort: end - start < MIN_IDENTIFIER,
      exact: this.#numberIn(this.#identifiers),
      code,
      prefixes: this.#prefixesOf(codes, scanner, run),
    };
  }

  #prefixesOf(codes: Uint16Array, scanner: WordScanner, run: number): number[] {
    const prefixes: number[] = [];
    scanner.cut(codes, run);
    for (let piece = 0; piece < scanner.pieces; piece += 1) {
      if (this.#hashPrefix(codes, scanner, piece)) prefixes.push(this.#numberIn(this.#prefixes));
    }
    return prefixes;
  }

  #numberIn(terms: GoalTerms): number {
    return terms.numberOf(this.#hash.first, this.#hash.second);
  }

  /** Puts the hash of a piece's prefix into `#hash`. Returns `false` if the piece is too short for a prefix. */
  #hashPrefix(codes: Uint16Array, scanner: WordScanner, piece: number): boolean {
    const start = scanner.pieceStarts[piece] as number;
    const end = scanner.pieceEnds[piece] as number;
    if (end - start < MIN_IDENTIFIER) return false;
    this.#hash.ofPrefix(codes, start, end);
    return true;
  }
}

const QUOTES: ReadonlySet<number> = new Set([34, 39, 96]);
const DOT = 46;
const OPEN = 40;

/** Whether an identifier is quoted, called, or has a dot beside it. */
function looksLikeCode(codes: Uint16Array, start: number, end: number): boolean {
  const before = codes[start - 1] ?? 32;
  const after = codes[end] ?? 32;
  if (QUOTES.has(before) || QUOTES.has(after) || after === OPEN || before === DOT) return true;
  return after === DOT && (codes[end + 1] ?? 32) > 64;
}

/** Collects the occurrences of the goal's terms of one kind. Filled from the goal first, then line by line. */
export class GoalTerms {
  readonly #known = new Interner();
  #terms = new Int32Array(1024);
  #length = 0;
  readonly #starts: Int32Array;
  readonly #lengths: Int32Array;
  #line = 0;

  constructor(lineTotal: number) {
    this.#starts = new Int32Array(lineTotal + 1);
    this.#lengths = new Int32Array(lineTotal);
  }

  addGoalTerm(first: number, second: number): void {
    this.#known.intern(first, second);
  }

  /** Returns the number of a term of the goal, or -1 for any other. */
  numberOf(first: number, second: number): number {
    return this.#known.lookUp(first, second);
  }

  /** Notes a term of the current line. */
  see(term: number): void {
    this.#lengths[this.#line] = (this.#lengths[this.#line] as number) + 1;
    if (term < 0) return;
    if (this.#length === this.#terms.length) this.#terms = enlarged(this.#terms, this.#length * 2);
    this.#terms[this.#length] = term;
    this.#length += 1;
  }

  endLine(): void {
    this.#line += 1;
    this.#starts[this.#line] = this.#length;
  }

  stream(): TermStream {
    return {
      goalTerms: this.#known.size,
      terms: this.#terms,
      starts: this.#starts,
      lengths: this.#lengths,
    };
  }
}

/** Returns the IDF of each term in the lines. */
export function rarityWeights(stream: TermStream): Float64Array {
  const lineTotal = stream.lengths.length;
  const lineCounts = new Int32Array(stream.goalTerms);
  const lastLine = new Int32Array(stream.goalTerms).fill(-1);
  for (let line = 0; line < lineTotal; line += 1) {
    const end = stream.starts[line + 1] as number;
    for (let at = stream.starts[line] as number; at < end; at += 1) {
      const term = stream.terms[at] as number;
      if (lastLine[term] === line) continue;
      lastLine[term] = line;
      lineCounts[term] = (lineCounts[term] as number) + 1;
    }
  }
  const weights = new Float64Array(lineCounts.length);
  for (let term = 0; term < weights.length; term += 1)
    weights[term] = rarity(lineCounts[term] as number, lineTotal);
  return weights;
}
