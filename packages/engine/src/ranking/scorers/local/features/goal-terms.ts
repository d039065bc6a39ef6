import type { TermStream } from '../../lexical/bm25.ts';
import { rarity } from '../../lexical/bm25.ts';
import { enlarged, Interner } from '../../lexical/interner.ts';

/** Collects where the goal's terms of one kind occur: filled from the goal first, then line by line. */
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

  /** The number of a term of the goal; -1 for any other. */
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

/** A term weighs its rarity among the lines. */
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
