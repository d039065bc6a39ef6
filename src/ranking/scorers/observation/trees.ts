import type { Weights } from '../local/weights.ts';
import type { ObservationColumns } from './columns.ts';

/** Log-odds, one a line, that the agent uses the line. */
export type Trees = (input: ObservationColumns, lines: number) => Float64Array;

/**
 * Boosted trees, each filled up to the same depth: node `n` leads to `2n + 1` where the value is below its threshold and to
 * `2n + 2` where it is not, so that a walk is a fixed number of steps without a test for leaves.
 */
export function createTrees(weights: Weights): Trees {
  const forest = readForest(weights);
  return (input, lines) => {
    const rows = rowsOf(weights.columns, input, lines);
    const odds = new Float64Array(lines);
    for (let line = 0; line < lines; line += 1) odds[line] = sumOfLeaves(forest, rows, line);
    return odds;
  };
}

interface Forest {
  width: number;
  depth: number;
  trees: number;
  features: Uint16Array;
  thresholds: Float32Array;
  leaves: Float32Array;
  start: number;
}

function readForest(weights: Weights): Forest {
  const features = Uint16Array.from(weights.tensor('feature'));
  const depth = weights.tensor('depth')[0] ?? 0;
  return {
    width: weights.columns.length,
    depth,
    trees: features.length / (2 ** depth - 1),
    features,
    thresholds: weights.tensor('threshold').map(roundsUpTo),
    leaves: weights.tensor('leaf'),
    start: weights.tensor('start')[0] ?? 0,
  };
}

/** Relative to a power of two, half a step of half precision. */
const HALF_STEP = 2 ** -11;

/**
 * Training saw columns in half precision and put its thresholds on values of theirs: whatever rounds up to a threshold stood there. Without
 * this the logarithm of 2 would be below the threshold that training put on it.
 */
function roundsUpTo(threshold: number): number {
  if (threshold === 0 || !Number.isFinite(threshold)) return threshold;
  return threshold - HALF_STEP * 2 ** Math.floor(Math.log2(Math.abs(threshold)));
}

function sumOfLeaves(forest: Forest, rows: Float32Array, line: number): number {
  const { features, thresholds, leaves, depth, trees } = forest;
  const splits = 2 ** depth - 1;
  const row = line * forest.width;
  let sum = forest.start;
  for (let tree = 0; tree < trees; tree += 1) {
    const root = tree * splits;
    let node = 0;
    for (let step = 0; step < depth; step += 1) {
      const value = rows[row + (features[root + node] as number)] as number;
      node = 2 * node + (value < (thresholds[root + node] as number) ? 1 : 2);
    }
    sum += leaves[root + tree + node - splits] as number;
  }
  return sum;
}

/** The values the trees look at, line by line. */
function rowsOf(
  names: readonly string[],
  { columns, constants }: ObservationColumns,
  lines: number,
): Float32Array {
  const rows = new Float32Array(names.length * lines);
  for (const [at, name] of names.entries()) {
    const column = columns[name];
    const constant = constants[name];
    if (column === undefined && constant === undefined)
      throw new Error(`the trees expect a feature that is not computed: ${name}`);
    for (let line = 0; line < lines; line += 1)
      rows[line * names.length + at] = column === undefined ? (constant as number) : (column[line] as number);
  }
  return rows;
}
