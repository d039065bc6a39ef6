import { rarity, type TermStream } from '../../../lexical-scorer.ts';
import type { ScanObserver, WordScanner } from '../../lexical/line-words.ts';
import { enlarged, Interner, isStopWord, WordHash } from '../../lexical/words.ts';
import { failureCuesOf, isFailureCue, leadingBits, type Run } from './keywords.ts';

const LEADING_RUNS = 4;
const MIN_IDENTIFIER = 3;

/** Properties of an identifier that do not depend on its position. */
interface KnownIdentifier {
  /** Hash of the whole identifier, ignoring case. */
  hash: number;
  /** Kinds of a line that begins with this word, as bits. */
  leadBits: number;
  isFailureCue: boolean;
  isShort: boolean;
  /** Number of the identifier in the goal, or -1. */
  exact: number;
}

/** Reads the exact identifiers of goal and lines, and finds the kind of each line from its first words. */
export class StreamReader implements ScanObserver {
  readonly #identifiers: GoalTerms;
  readonly #hash = new WordHash();
  readonly #known: KnownIdentifier[] = [];
  /** Kinds of each line, as bits: by its first word (`firstBits`) and by its first four words (`leadBits`). */
  readonly firstBits: Uint8Array;
  readonly leadBits: Uint8Array;
  /** Failure cues of each line: bits of `keywords.ts`. */
  readonly voices: Uint8Array;
  #line = 0;

  constructor(lineTotal: number) {
    this.#identifiers = new GoalTerms(lineTotal);
    this.firstBits = new Uint8Array(lineTotal);
    this.leadBits = new Uint8Array(lineTotal);
    this.voices = new Uint8Array(lineTotal);
  }

  goal(codes: Uint16Array, scanner: WordScanner): void {
    for (let run = 0; run < scanner.runs; run += 1) {
      scanner.cut(codes, run);
      this.#readGoalRun(codes, scanner, run);
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
      if (!known.isShort) this.#identifiers.see(known.exact);
    }
    this.#identifiers.endLine();
    this.#line += 1;
  }

  identifiers(): TermStream {
    return this.#identifiers.stream();
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
  }

  #noteLead(run: number, bits: number): void {
    if (run === 0) this.firstBits[this.#line] = bits;
    this.leadBits[this.#line] = (this.leadBits[this.#line] as number) | bits;
  }

  #noteVoice(codes: Uint16Array, run: Run): void {
    this.voices[this.#line] = (this.voices[this.#line] as number) | failureCuesOf(codes, run);
  }

  #read(codes: Uint16Array, scanner: WordScanner, run: number): KnownIdentifier {
    const start = scanner.runStarts[run] as number;
    const end = scanner.runEnds[run] as number;
    this.#hash.ofCompound(codes, start, end);
    const hash = this.#hash.first;
    this.#hash.ofExact(codes, start, end);
    return {
      hash,
      leadBits: leadingBits(hash),
      isFailureCue: isFailureCue(codes, { start, end, hash }),
      isShort: end - start < MIN_IDENTIFIER,
      exact: this.#identifiers.numberOf(this.#hash.first, this.#hash.second),
    };
  }
}

/** Collects the occurrences of the goal's terms of one kind. First filled from the goal, then line by line. */
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

  /** Returns the number of a term of the goal, or -1 for any other term. */
  numberOf(first: number, second: number): number {
    return this.#known.lookUp(first, second);
  }

  /** Records a term of the current line. */
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
