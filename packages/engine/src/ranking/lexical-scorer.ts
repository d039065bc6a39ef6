import { goalText, type LineScores, type ScoreRequest } from './scorer.ts';
import { type LineWords, readWords } from './scorers/lexical/line-words.ts';
import { readCharacters } from './scorers/lexical/words.ts';
import { smoothed } from './scorers/local/features/columns.ts';

/** Scores lines by BM25, and adds half the score of each adjacent line and a quarter of those at distance two. */
export function scoreLexically(request: Pick<ScoreRequest, 'lines' | 'focus'>): LineScores {
  const words = readWords(readCharacters(request.lines), goalText(request.focus));
  return { scores: Float64Array.from(smoothed(bm25(words))), areLogOdds: false, tier: 'lexical' };
}

const K1 = 1.2;

/** The goal's terms in each line. Other terms are omitted, because most lines contain only these and each line is read many times. */
export interface TermStream {
  goalTerms: number;
  terms: Int32Array;
  /** The terms of line `i` are `terms[starts[i]]` to before `terms[starts[i + 1]]`. */
  starts: Int32Array;
  /** Number of all terms in each line, including terms of the goal. */
  lengths: Int32Array;
}

/** Weight of each goal term, and `b` of BM25: how much the length of a line reduces its score. */
export interface Weighting {
  weights: Float64Array;
  b: number;
}

/** Returns the Okapi BM25 score of each line against the whole goal. Words that occur repeatedly in the goal weigh slightly more. */
function bm25(words: LineWords): Float64Array {
  return scoreTerms(wordStream(words), { weights: goalWeights(words), b: 0.75 });
}

export function wordStream(words: LineWords): TermStream {
  const { goalWords } = words;
  const lengths = new Int32Array(words.starts.length - 1);
  const starts = new Int32Array(words.starts.length);
  const terms = new Int32Array(words.words.length);
  let found = 0;
  for (let line = 0; line < lengths.length; line += 1) {
    const start = words.starts[line] as number;
    const end = words.starts[line + 1] as number;
    for (let at = start; at < end; at += 1) {
      const word = words.words[at] as number;
      if (word < goalWords) terms[found++] = word;
    }
    lengths[line] = end - start;
    starts[line + 1] = found;
  }
  return { goalTerms: goalWords, terms, starts, lengths };
}

/** Returns the weight of each word of the goal: its IDF in the lines, increased if the goal repeats it. */
export function goalWeights(words: LineWords): Float64Array {
  const lineTotal = words.starts.length - 1;
  const weights = new Float64Array(words.goalCounts.length);
  for (let word = 0; word < weights.length; word += 1) {
    const said = words.goalCounts[word] as number;
    weights[word] = rarity(words.lineCounts[word] as number, lineTotal) * (1 + Math.log(said));
  }
  return weights;
}

export function rarity(seen: number, lineTotal: number): number {
  return Math.log(1 + (lineTotal - seen + 0.5) / (seen + 0.5));
}

export function scoreTerms(stream: TermStream, { weights, b }: Weighting): Float64Array {
  const lineTotal = stream.lengths.length;
  const scores = new Float64Array(lineTotal);
  const meanLength = Math.max(1, sum(stream.lengths) / Math.max(1, lineTotal));
  const tally = new TermTally(stream.goalTerms);
  for (let line = 0; line < lineTotal; line += 1) {
    if (!hasTerms(stream, line)) continue;
    tally.count(stream, line);
    scores[line] = tally.weigh(weights, K1 * (1 - b + (b * (stream.lengths[line] as number)) / meanLength));
  }
  return scores;
}

export function hasTerms({ starts }: TermStream, line: number): boolean {
  return starts[line] !== starts[line + 1];
}

function sum(values: Int32Array): number {
  let total = 0;
  for (let at = 0; at < values.length; at += 1) total += values[at] as number;
  return total;
}

/** Counts the occurrences of each term of the goal in one line or several. */
export class TermTally {
  /** Distinct terms counted so far: `touched[0]` to before `touched[distinct]`. */
  readonly touched: Int32Array;
  distinct = 0;
  readonly #counts: Float64Array;

  constructor(goalTerms: number) {
    this.#counts = new Float64Array(goalTerms);
    this.touched = new Int32Array(goalTerms);
  }

  count({ terms, starts }: TermStream, line: number): void {
    const end = starts[line + 1] as number;
    for (let at = starts[line] as number; at < end; at += 1) {
      const term = terms[at] as number;
      if (this.#counts[term] === 0) this.touched[this.distinct++] = term;
      this.#counts[term] = (this.#counts[term] as number) + 1;
    }
  }

  /** Returns the score of the counted terms, and clears the tally. */
  weigh(weights: Float64Array, damping: number): number {
    let score = 0;
    for (let at = 0; at < this.distinct; at += 1) {
      const term = this.touched[at] as number;
      const count = this.#counts[term] as number;
      score += ((weights[term] as number) * count * (K1 + 1)) / (count + damping);
    }
    this.clear();
    return score;
  }

  clear(): void {
    for (let at = 0; at < this.distinct; at += 1) this.#counts[this.touched[at] as number] = 0;
    this.distinct = 0;
  }
}
