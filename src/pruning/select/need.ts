import type { Unit } from './units.ts';

const HIGHEST = 8;
const LOWEST = -3;
/** Ties break towards both ends of the text, where beginnings and conclusions stand. */
const EDGE_BONUS = 0.05;

/** How much each unit is needed, in standard deviations of the scores: thresholds then mean the same for every scorer. */
export function needOf(units: readonly Unit[], scores: Float64Array): Float64Array {
  const raw = Float64Array.from(units, (unit) => highestIn(scores, unit));
  const { mean, deviation } = spreadOf(raw);
  const last = Math.max(1, units.length - 1);
  return raw.map((score, index) => {
    const standard = deviation === 0 ? 0 : (score - mean) / deviation;
    const centrality = 1 - Math.abs((2 * index) / last - 1);
    return Math.min(HIGHEST, Math.max(LOWEST, standard)) + EDGE_BONUS * (1 - centrality);
  });
}

function highestIn(scores: Float64Array, { start, end }: Unit): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (let line = start; line <= end; line += 1) {
    const score = scores[line - 1] ?? 0;
    // A scorer gone wrong must not poison the whole text.
    highest = Math.max(highest, Number.isFinite(score) ? score : 0);
  }
  return highest;
}

function spreadOf(values: Float64Array): { mean: number; deviation: number } {
  if (values.length === 0) return { mean: 0, deviation: 0 };
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) };
}
