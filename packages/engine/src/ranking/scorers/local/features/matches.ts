import { goalWeights, hasTerms, type TermStream, TermTally } from '../../lexical/bm25.ts';
import type { LineWords } from '../../lexical/line-words.ts';
import type { Column } from './columns.ts';

/** How a line meets the goal beyond its score. */
export interface Matches {
  /** The share of the goal's weight that the line's words carry. */
  coverage: Column;
  /** How many different words of the goal it has. */
  distinct: Column;
  /** The weight of the rarest word they share. */
  rarest: Column;
  /** How many neighbouring words are neighbours in the goal too, and their share of the line. */
  pairs: Column;
  pairShare: Column;
}

export function readMatches(words: LineWords, stream: TermStream): Matches {
  const total = stream.lengths.length;
  const weights = goalWeights(words);
  const whole = Math.max(
    1e-9,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  const matches: Matches = {
    coverage: new Float32Array(total),
    distinct: new Float32Array(total),
    rarest: new Float32Array(total),
    pairs: new Float32Array(total),
    pairShare: new Float32Array(total),
  };
  const tally = new TermTally(stream.goalTerms);
  const pairs = goalPairs(words);
  for (let line = 0; line < total; line += 1) {
    if (!hasTerms(stream, line)) continue;
    tally.count(stream, line);
    weighMatches(tally, weights, { matches, line, whole });
    countPairs(words, pairs, { matches, line });
  }
  return matches;
}

interface Place {
  matches: Matches;
  line: number;
}

function weighMatches(
  tally: TermTally,
  weights: Float64Array,
  { matches, line, whole }: Place & { whole: number },
): void {
  let carried = 0;
  let rarest = 0;
  for (let at = 0; at < tally.distinct; at += 1) {
    const weight = weights[tally.touched[at] as number] as number;
    carried += weight;
    rarest = Math.max(rarest, weight);
  }
  matches.coverage[line] = carried / whole;
  matches.distinct[line] = tally.distinct;
  matches.rarest[line] = rarest;
  tally.clear();
}

const PAIR_BASE = 1 << 20;

function goalPairs({ goalSequence }: LineWords): ReadonlySet<number> {
  const pairs = new Set<number>();
  for (let at = 1; at < goalSequence.length; at += 1) {
    pairs.add((goalSequence[at - 1] as number) * PAIR_BASE + (goalSequence[at] as number));
  }
  return pairs;
}

function countPairs(words: LineWords, pairs: ReadonlySet<number>, { matches, line }: Place): void {
  const start = words.starts[line] as number;
  const end = words.starts[line + 1] as number;
  let found = 0;
  for (let at = start + 1; at < end; at += 1) {
    const before = words.words[at - 1] as number;
    const after = words.words[at] as number;
    if (before >= words.goalWords || after >= words.goalWords) continue;
    if (pairs.has(before * PAIR_BASE + after)) found += 1;
  }
  matches.pairs[line] = found;
  matches.pairShare[line] = found / Math.max(1, end - start - 1);
}
