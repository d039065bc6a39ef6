import { rarity } from '../../lexical/bm25.ts';
import type { LineWords } from '../../lexical/line-words.ts';
import type { Column } from './columns.ts';
import { maximum } from './columns.ts';

const FEWEST_LEADERS = 5;
const LEADER_SHARE = 12;

/**
 * Words of the best lines so far count as if the goal had said them, the rarer the more: a line that shares the
 * vocabulary of good lines is good, though the goal names none of its words.
 */
export function feedback(words: LineWords, base: Column): Column {
  const lineTotal = base.length;
  const threshold = leaderThreshold(base, Math.max(FEWEST_LEADERS, lineTotal / LEADER_SHARE));
  const weights = new Float64Array(words.vocabulary.size);
  for (let line = 0; line < lineTotal; line += 1) {
    const worth = base[line] as number;
    if (worth > 0 && worth >= threshold) spread(words, line, { worth, weights });
  }
  for (let word = 0; word < weights.length; word += 1) {
    // Most words stand in none of the best lines.
    if (weights[word] === 0) continue;
    const seen = words.lineCounts[word] as number;
    weights[word] = ((weights[word] as number) / (seen + 2)) * rarity(seen, lineTotal);
  }
  const column = new Float32Array(lineTotal);
  for (let line = 0; line < lineTotal; line += 1) column[line] = lineWeight(words, line, weights);
  return column;
}

const STEPS = 4096;

/** The value that about `wanted` lines reach, counted in steps so that it stays linear. */
function leaderThreshold(base: Column, wanted: number): number {
  const most = maximum(base);
  if (most <= 0) return 1;
  const counts = new Int32Array(STEPS + 1);
  for (let line = 0; line < base.length; line += 1) {
    const step = Math.floor(((base[line] as number) / most) * STEPS);
    counts[step] = (counts[step] as number) + 1;
  }
  let step = STEPS;
  for (let reached = counts[step] as number; step > 1 && reached < wanted; reached += counts[step] as number)
    step -= 1;
  return (step / STEPS) * most;
}

function spread(
  words: LineWords,
  line: number,
  { worth, weights }: { worth: number; weights: Float64Array },
): void {
  const end = words.starts[line + 1] as number;
  for (let at = words.starts[line] as number; at < end; at += 1) {
    const word = words.words[at] as number;
    weights[word] = (weights[word] as number) + worth;
  }
}

function lineWeight(words: LineWords, line: number, weights: Float64Array): number {
  const start = words.starts[line] as number;
  const end = words.starts[line + 1] as number;
  let sum = 0;
  for (let at = start; at < end; at += 1) sum += weights[words.words[at] as number] as number;
  return sum / Math.sqrt(end - start + 3);
}
