import { goalWeights, hasTerms, scoreTerms, type TermStream, TermTally } from '../../../lexical-scorer.ts';
import type { LineWords } from '../../lexical/line-words.ts';
import {
  type Column,
  type ColumnGroup,
  fadingDown,
  fadingUp,
  logged,
  nearbyMaximum,
  percentiles,
  relative,
  smoothed,
} from './columns.ts';
import type { Reading } from './reading.ts';
import { rarityWeights } from './streams.ts';
/** Scores of each line against the goal, for three ways of comparing words. */
export type GoalScores = Record<'words' | 'title' | 'identifiers', Float64Array>;

export function scoreGoal({ terms, words, request }: Reading): GoalScores {
  return {
    words: scoreTerms(terms.words, { weights: goalWeights(words), b: 0.75 }),
    title: scoreTerms(terms.words, { weights: titleWeights(words, request.goal), b: 0.75 }),
    identifiers: scoreTerms(terms.identifiers, { weights: rarityWeights(terms.identifiers), b: 0.75 }),
  };
}

/** Returns the weights of the words in the first line of the goal. All other words have weight 0. */
export function titleWeights(words: LineWords, goal: string): Float64Array {
  const title = goal.trimStart().split('\n', 1)[0] ?? '';
  const share = goal.length === 0 ? 0 : title.length / goal.trimStart().length;
  const titleWords = Math.ceil(words.goalSequence.length * Math.min(1, share));
  const inTitle = new Set(words.goalSequence.subarray(0, titleWords));
  return goalWeights(words).map((weight, word) => (inTitle.has(word) ? weight : 0));
}

/** Scores divided by the best score of the same kind. */
export type RelativeScores = Readonly<Record<keyof GoalScores, Column>>;

export function relativeScores({ words, title, identifiers }: GoalScores): RelativeScores {
  return { words: relative(words), title: relative(title), identifiers: relative(identifiers) };
}

/** Returns three columns per score: relative to the best line, as a logarithm and as a rank. */
export function goalColumns(
  reading: Reading,
  scores: GoalScores,
  againstBest: RelativeScores,
): ColumnGroup[] {
  const each = (Object.entries(scores) as [keyof GoalScores, Float64Array][]).map(([name, values]) => ({
    [`${name}.relative`]: againstBest[name],
    [`${name}.logged`]: logged(values),
    [`${name}.rank`]: percentiles(values),
  }));
  return [...each, matchColumns(reading.words, reading.terms.words)];
}

export function neighbourColumns({ words: base, identifiers: exact, title }: RelativeScores): ColumnGroup {
  const near = smoothed(base);
  return {
    'near.smooth': near,
    'near.smoothRank': percentiles(near),
    'near.exact': smoothed(exact),
    'near.max3': nearbyMaximum(base, 3),
    'near.max10': nearbyMaximum(base, 10),
    'near.down': fadingDown(base, 0.85),
    'near.up': fadingUp(base, 0.85),
    'near.title': smoothed(title),
    'near.exactDown': fadingDown(exact, 0.9),
    'near.exactUp': fadingUp(exact, 0.9),
  };
}

/**
 * Returns columns for what a line has in common with the goal, besides its score: the weight of the common
 * words as a share of the goal's weight, their number, and the weight of the rarest.
 */
function matchColumns(words: LineWords, stream: TermStream): ColumnGroup {
  const empty = () => new Float32Array(stream.lengths.length);
  const [coverage, distinct, rarest] = [empty(), empty(), empty()];
  const weights = goalWeights(words);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const whole = Math.max(1e-9, total);
  const tally = new TermTally(stream.goalTerms);
  for (let line = 0; line < coverage.length; line += 1) {
    if (!hasTerms(stream, line)) continue;
    tally.count(stream, line);
    let carried = 0;
    for (let at = 0; at < tally.distinct; at += 1) {
      const weight = weights[tally.touched[at] as number] as number;
      carried += weight;
      if (weight > (rarest[line] as number)) rarest[line] = weight;
    }
    coverage[line] = carried / whole;
    distinct[line] = tally.distinct;
    tally.clear();
  }
  return {
    'match.coverage': coverage,
    'match.distinct': logged(distinct),
    'match.rarest': relative(rarest),
  };
}
