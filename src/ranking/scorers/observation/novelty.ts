import type { Focus } from '../../focus.ts';
import type { Column } from '../local/features/columns.ts';
import type { Features } from '../local/features.ts';

/** The share of its words that the run has not shown before, rare words counting more; nothing where nothing was shown. */
export function noveltyColumn({ words }: Features, seen: Focus['seen']): Column {
  const total = words.starts.length - 1;
  const column = new Float32Array(total);
  if (seen === undefined || seen.size === 0) return column;
  const weights = wordWeights(words.lineCounts, total);
  const isKnown = Uint8Array.from(weights, (_, word) =>
    seen.has(words.vocabulary.hashOf(word) >>> 0) ? 1 : 0,
  );
  for (let line = 0; line < total; line += 1) {
    const own = words.words.subarray(words.starts[line], words.starts[line + 1]);
    column[line] = newShare(own, weights, isKnown);
  }
  return column;
}

function wordWeights(lineCounts: Int32Array, total: number): Float64Array {
  const weights = new Float64Array(lineCounts.length);
  for (let word = 0; word < weights.length; word += 1) {
    const count = lineCounts[word] as number;
    weights[word] = 0.1 + Math.log(1 + (total - count + 0.5) / (count + 0.5));
  }
  return weights;
}

function newShare(words: Int32Array, weights: Float64Array, isKnown: Uint8Array): number {
  let all = 0;
  let fresh = 0;
  for (const word of words) {
    const weight = weights[word] as number;
    all += weight;
    if (isKnown[word] === 0) fresh += weight;
  }
  return all > 0 ? fresh / all : 0;
}
