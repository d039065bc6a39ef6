import type { SourceType } from '../../../ranking/scorer.ts';

/** Of equally needed lines those at both ends of the text stay, where beginnings and conclusions stand. */
const EDGE_BONUS = 0.05;

/** What makes log-odds of the scores of a trained network, and of standard deviations where scores only give an order. */
const SHARPNESS: Readonly<Record<SourceType, { trained: number; ordered: number }>> = {
  code: { trained: 0.8, ordered: 1.6 },
  docs: { trained: 0.95, ordered: 2.1 },
  logs: { trained: 0.75, ordered: 1.3 },
};

export interface ScoredLines {
  scores: Float64Array;
  areLogOdds: boolean;
  sourceType: SourceType;
}

/** Each line's share of all that the goal needs from the text, as far as the scorer can tell: together 1. */
export function sharesOfNeed(scored: ScoredLines): Float64Array {
  const odds = lineOdds(scored);
  const total = sumOf(odds) || 1;
  for (let line = 0; line < odds.length; line += 1) odds[line] = (odds[line] as number) / total;
  return odds;
}

function lineOdds({ scores, areLogOdds, sourceType }: ScoredLines): Float64Array {
  // A scorer gone wrong must not poison the whole text.
  const odds = scores.slice();
  for (let line = 0; line < odds.length; line += 1) if (!Number.isFinite(odds[line])) odds[line] = 0;
  const { highest, deviation } = spreadOf(odds);
  const { trained, ordered } = SHARPNESS[sourceType];
  const sharpness = areLogOdds ? trained : ordered / (deviation || 1);
  const last = Math.max(1, odds.length - 1);
  for (let line = 0; line < odds.length; line += 1) {
    const fromTheMiddle = Math.abs((2 * line) / last - 1);
    odds[line] = Math.exp(sharpness * ((odds[line] as number) - highest) + EDGE_BONUS * fromTheMiddle);
  }
  return odds;
}

function spreadOf(values: Float64Array): { highest: number; deviation: number } {
  const count = Math.max(1, values.length);
  const mean = sumOf(values) / count;
  let squares = 0;
  let highest = mean;
  for (let line = 0; line < values.length; line += 1) {
    const value = values[line] as number;
    squares += (value - mean) ** 2;
    highest = Math.max(highest, value);
  }
  return { highest, deviation: Math.sqrt(squares / count) };
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let line = 0; line < values.length; line += 1) sum += values[line] as number;
  return sum;
}
