import { type Column, type ColumnGroup, percentiles } from '../local/features/columns.ts';

/** The network's scores as trees can use them: scores alone compare lines of one text only. */
export function networkColumns(scores: Float64Array): ColumnGroup {
  const total = scores.length;
  const highest = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  let sum = 0;
  for (const score of scores) sum += Math.exp(score - highest);
  const share = new Float32Array(total);
  const below = new Float32Array(total);
  const times = new Float32Array(total);
  const odds = new Float32Array(total);
  for (let line = 0; line < total; line += 1) {
    const fromTop = (scores[line] as number) - highest;
    const part = Math.exp(fromTop) / sum;
    below[line] = fromTop;
    share[line] = fromTop - Math.log(sum);
    times[line] = Math.log1p(part * total);
    odds[line] = part;
  }
  return {
    'network.share': share,
    'network.below': below,
    'network.times': times,
    'network.rank': percentiles(odds),
    'network.near': nearShare(odds),
  };
}

function nearShare(odds: Column): Column {
  const near = new Float32Array(odds.length);
  const at = (line: number) => odds[line] ?? 0;
  for (let line = 0; line < odds.length; line += 1) {
    const sum = at(line) + 0.5 * (at(line - 1) + at(line + 1)) + 0.25 * (at(line - 2) + at(line + 2));
    near[line] = Math.log(sum + 1e-6);
  }
  return near;
}
