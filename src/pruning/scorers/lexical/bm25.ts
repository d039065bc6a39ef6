import type { LineWords } from './line-words.ts';

const K1 = 1.2;
const B = 0.75;

/** Okapi BM25 of every line against the goal; a word the goal repeats weighs a little more. */
export function bm25(text: LineWords): Float64Array {
  const lineTotal = text.starts.length - 1;
  const scores = new Float64Array(lineTotal);
  if (lineTotal === 0) return scores;
  const meanLength = Math.max(1, (text.starts[lineTotal] as number) / lineTotal);
  const weights = goalWeights(text, lineTotal);
  const tally = new Tally(text.goalWords);
  for (let line = 0; line < lineTotal; line += 1) {
    const length = (text.starts[line + 1] as number) - (text.starts[line] as number);
    tally.count(text, line);
    scores[line] = tally.weigh(weights, K1 * (1 - B + (B * length) / meanLength));
  }
  return scores;
}

/** Rarity among the lines, times how much the goal insists. */
export function goalWeights(text: LineWords, lineTotal: number): Float64Array {
  return Float64Array.from(text.goalCounts, (said, word) => {
    const seen = text.lineCounts[word] as number;
    return rarity(seen, lineTotal) * (1 + Math.log(said));
  });
}

export function rarity(seen: number, lineTotal: number): number {
  return Math.log(1 + (lineTotal - seen + 0.5) / (seen + 0.5));
}

/** How often one line says each word of the goal. */
class Tally {
  readonly #counts: Float64Array;
  readonly #touched: Int32Array;
  #distinct = 0;

  constructor(goalWords: number) {
    this.#counts = new Float64Array(goalWords);
    this.#touched = new Int32Array(goalWords);
  }

  count(text: LineWords, line: number): void {
    const end = text.starts[line + 1] as number;
    for (let at = text.starts[line] as number; at < end; at += 1) {
      const word = text.words[at] as number;
      if (word >= text.goalWords) continue;
      if (this.#counts[word] === 0) this.#touched[this.#distinct++] = word;
      this.#counts[word] = (this.#counts[word] as number) + 1;
    }
  }

  /** The line's score; empties the tally. */
  weigh(weights: Float64Array, damping: number): number {
    let score = 0;
    for (let at = 0; at < this.#distinct; at += 1) {
      const word = this.#touched[at] as number;
      const count = this.#counts[word] as number;
      score += ((weights[word] as number) * count * (K1 + 1)) / (count + damping);
      this.#counts[word] = 0;
    }
    this.#distinct = 0;
    return score;
  }
}
