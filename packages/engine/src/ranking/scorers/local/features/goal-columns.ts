import { goalWeights, scoreTerms, type TermStream } from '../../lexical/bm25.ts';
import type { LineWords } from '../../lexical/line-words.ts';
import {
  blurred,
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
import { rarityWeights } from './goal-terms.ts';
import { lineHints } from './hints.ts';
import { readMatches } from './matches.ts';
import { quotedLines } from './quotes.ts';
import type { Reading } from './reading.ts';
import { importanceOf } from './word-importance.ts';

/** What each line says of the goal, in several ways of comparing words. */
export interface GoalScores {
  words: Float64Array;
  title: Float64Array;
  weighed: Float64Array;
  identifiers: Float64Array;
  prefixes: Float64Array;
  code: Float64Array;
  grams: Float64Array;
}

export function scoreGoal({ terms, words, request }: Reading): GoalScores {
  const byRarity = (stream: TermStream, b: number) =>
    scoreTerms(stream, { weights: rarityWeights(stream), b });
  return {
    words: scoreTerms(terms.words, { weights: goalWeights(words), b: 0.75 }),
    title: scoreTerms(terms.words, { weights: titleWeights(words, request.goal), b: 0.75 }),
    weighed: scoreTerms(terms.words, { weights: weighedWords(words), b: 0.75 }),
    identifiers: byRarity(terms.identifiers, 0.75),
    prefixes: byRarity(terms.prefixes, 0.75),
    code: byRarity(terms.code, 0.3),
    grams: byRarity(terms.grams, 0),
  };
}

/** Rarity times how telling each word has proved in goals elsewhere: `fix` and `support` say little, names much. */
export function weighedWords(words: LineWords): Float64Array {
  return goalWeights(words).map((weight, word) => weight * importanceOf(words.vocabulary.hashOf(word)));
}

/** The weights of the goal's words, all but those of its first line set to 0. */
export function titleWeights(words: LineWords, goal: string): Float64Array {
  const title = goal.trimStart().split('\n', 1)[0] ?? '';
  const share = goal.length === 0 ? 0 : title.length / goal.trimStart().length;
  const titleWords = Math.ceil(words.goalSequence.length * Math.min(1, share));
  const inTitle = new Set(words.goalSequence.subarray(0, titleWords));
  return goalWeights(words).map((weight, word) => (inTitle.has(word) ? weight : 0));
}

/** The same against the best line of each. */
export type RelativeScores = Readonly<Record<keyof GoalScores, Column>>;

export function relativeScores(scores: GoalScores): RelativeScores {
  const { words, title, weighed, identifiers, prefixes, code, grams } = scores;
  return {
    words: relative(words),
    title: relative(title),
    weighed: relative(weighed),
    identifiers: relative(identifiers),
    prefixes: relative(prefixes),
    code: relative(code),
    grams: relative(grams),
  };
}

/** Every score three ways: against the best line, on a scale of its own, and by rank. */
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
  const matches = readMatches(reading.words, reading.terms.words);
  const hints = lineHints(reading.request.goal, reading.shapes);
  const quotes = quotedLines(reading);
  return [
    ...each,
    {
      'match.coverage': matches.coverage,
      'match.distinct': logged(matches.distinct),
      'match.rarest': relative(matches.rarest),
      'match.pairs': logged(matches.pairs),
      'match.pairShare': matches.pairShare,
      'quote.down': fadingDown(quotes, 0.8),
      'quote.up': fadingUp(quotes, 0.8),
      'hint.down': fadingDown(hints, 0.8),
      'hint.up': fadingUp(hints, 0.8),
    },
  ];
}

/** What the neighbourhood says of the goal. */
export function neighbourColumns({
  words: base,
  identifiers: exact,
  code,
  weighed,
  title,
}: RelativeScores): ColumnGroup {
  const near = smoothed(base);
  return {
    'near.smooth': near,
    'near.smoothRank': percentiles(near),
    'near.exact': smoothed(exact),
    'near.mean4': blurred(base, 4),
    'near.mean12': blurred(base, 12),
    'near.mean30': relative(blurred(base, 30)),
    'near.max3': nearbyMaximum(base, 3),
    'near.max10': nearbyMaximum(base, 10),
    'near.down': fadingDown(base, 0.85),
    'near.up': fadingUp(base, 0.85),
    'near.weighed': smoothed(weighed),
    'near.weighed4': blurred(weighed, 4),
    'near.weighed12': blurred(weighed, 12),
    'near.weighedDown': fadingDown(weighed, 0.9),
    'near.weighedUp': fadingUp(weighed, 0.9),
    'near.title': smoothed(title),
    'near.code': smoothed(code),
    'near.codeDown': fadingDown(code, 0.9),
    'near.codeUp': fadingUp(code, 0.9),
    'near.exactDown': fadingDown(exact, 0.9),
    'near.exactUp': fadingUp(exact, 0.9),
  };
}
