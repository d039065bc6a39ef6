import { rarity, type TermStream } from '../../../lexical-scorer.ts';
import { countLines, type ScanObserver, type WordScanner } from '../../lexical/line-words.ts';
import { isStopWord, WordHash } from '../../lexical/words.ts';
import { failureCuesOf, isFailureCue, leadingBits } from './keywords.ts';

const LEADING_RUNS = 4;
const MIN_IDENTIFIER = 3;

/** Properties of an identifier that are the same wherever it occurs. */
interface KnownIdentifier {
  /** Hash of the whole identifier, ignoring case. */
  hash: number;
  /** Kinds, as bits, of a line that begins with this word. */
  leadBits: number;
  isFailureCue: boolean;
  isShort: boolean;
  isOfGoal: boolean;
}

/** Reads the identifiers of goal and lines, and finds the kinds of each line from its first words. */
export class StreamReader implements ScanObserver {
  readonly #hash = new WordHash();
  readonly #known: KnownIdentifier[] = [];
  /** Kinds of each line, as bits: by its first word (`firstBits`), and by its first four words (`leadBits`). */
  readonly firstBits: Uint8Array;
  readonly leadBits: Uint8Array;
  /** Failure cues of each line: bits of `keywords.ts`. */
  readonly voices: Uint8Array;
  /** Identifiers of the goal, without short and common ones. */
  readonly #ofGoal = new Set<number>();
  readonly #terms: number[] = [];
  readonly #starts: Int32Array;
  readonly #lengths: Int32Array;
  #line = 0;

  constructor(lineTotal: number) {
    this.firstBits = new Uint8Array(lineTotal);
    this.leadBits = new Uint8Array(lineTotal);
    this.voices = new Uint8Array(lineTotal);
    this.#starts = new Int32Array(lineTotal + 1);
    this.#lengths = new Int32Array(lineTotal);
  }

  goal(codes: Uint16Array, scanner: WordScanner, identifiers: Int32Array): void {
    for (let run = 0; run < scanner.runs; run += 1)
      if (this.#isTerm(codes, scanner, run)) this.#ofGoal.add(identifiers[run] as number);
  }

  line(codes: Uint16Array, scanner: WordScanner, identifiers: Int32Array): void {
    let length = 0;
    for (let run = 0; run < scanner.runs; run += 1) {
      const identifier = identifiers[run] as number;
      const known = this.#known[identifier] ?? this.#read(codes, scanner, { run, identifier });
      if (run === 0) this.firstBits[this.#line] = known.leadBits;
      if (run < LEADING_RUNS)
        this.leadBits[this.#line] = (this.leadBits[this.#line] as number) | known.leadBits;
      if (known.isFailureCue) {
        const start = scanner.runStarts[run] as number;
        const end = scanner.runEnds[run] as number;
        const cues = failureCuesOf(codes, { start, end, run, hash: known.hash });
        this.voices[this.#line] = (this.voices[this.#line] as number) | cues;
      }
      if (known.isShort) continue;
      length += 1;
      if (known.isOfGoal) this.#terms.push(identifier);
    }
    this.#lengths[this.#line] = length;
    this.#line += 1;
    this.#starts[this.#line] = this.#terms.length;
  }

  /** Returns the goal's identifiers in each line. They have the lowest numbers, because the goal is read first. */
  identifiers(): TermStream {
    return {
      goalTerms: 1 + Math.max(-1, ...this.#ofGoal),
      terms: new Int32Array(this.#terms),
      starts: this.#starts,
      lengths: this.#lengths,
    };
  }

  #isTerm(codes: Uint16Array, scanner: WordScanner, run: number): boolean {
    const start = scanner.runStarts[run] as number;
    const end = scanner.runEnds[run] as number;
    if (end - start < MIN_IDENTIFIER) return false;
    scanner.cut(codes, run);
    this.#hash.ofPiece(codes, start, end);
    return scanner.pieces !== 1 || !isStopWord(this.#hash.first);
  }

  #read(
    codes: Uint16Array,
    scanner: WordScanner,
    { run, identifier }: { run: number; identifier: number },
  ): KnownIdentifier {
    const start = scanner.runStarts[run] as number;
    const end = scanner.runEnds[run] as number;
    this.#hash.ofCompound(codes, start, end);
    const hash = this.#hash.first;
    const known = {
      hash,
      leadBits: leadingBits(hash),
      isFailureCue: isFailureCue(codes, { start, end, hash }),
      isShort: end - start < MIN_IDENTIFIER,
      isOfGoal: this.#ofGoal.has(identifier),
    };
    this.#known[identifier] = known;
    return known;
  }
}

/** Returns the IDF of each term in the lines. */
export function rarityWeights({ terms, starts, goalTerms, lengths }: TermStream): Float64Array {
  return Float64Array.from(countLines(terms, starts, goalTerms), (seen) => rarity(seen, lengths.length));
}
