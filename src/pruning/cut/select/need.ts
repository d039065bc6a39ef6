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
  const total = odds.reduce((sum, value) => sum + value, 0) || 1;
  return odds.map((value) => value / total);
}

function lineOdds({ scores, areLogOdds, sourceType }: ScoredLines): Float64Array {
  // A scorer gone wrong must not poison the whole text.
  const finite = scores.map((score) => (Number.isFinite(score) ? score : 0));
  const { highest, deviation } = spreadOf(finite);
  const { trained, ordered } = SHARPNESS[sourceType];
  const sharpness = areLogOdds ? trained : ordered / (deviation || 1);
  const last = Math.max(1, finite.length - 1);
  return finite.map((score, line) => {
    const fromTheMiddle = Math.abs((2 * line) / last - 1);
    return Math.exp(sharpness * (score - highest) + EDGE_BONUS * fromTheMiddle);
  });
}

function spreadOf(values: Float64Array): { highest: number; deviation: number } {
  const count = Math.max(1, values.length);
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
  return { highest: values.reduce((a, b) => Math.max(a, b), mean), deviation: Math.sqrt(variance) };
}
