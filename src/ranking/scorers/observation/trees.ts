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
    const values = valuesOf(weights.columns, input, lines);
    const odds = new Float64Array(lines).fill(forest.start);
    for (let tree = 0; tree < forest.trees; tree += 1) addLeaves(forest, tree, { values, odds });
    return odds;
  };
}

interface Forest {
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

interface Judged {
  /** What the trees look at, feature after feature, one number a line. */
  values: Float32Array;
  odds: Float64Array;
}

/** One tree for all lines: its splits stay at hand. */
function addLeaves(
  { features, thresholds, leaves, depth }: Forest,
  tree: number,
  { values, odds }: Judged,
): void {
  const splits = 2 ** depth - 1;
  const root = tree * splits;
  const lines = odds.length;
  for (let line = 0; line < lines; line += 1) {
    let node = 0;
    for (let step = 0; step < depth; step += 1) {
      const value = values[(features[root + node] as number) * lines + line] as number;
      node = 2 * node + (value < (thresholds[root + node] as number) ? 1 : 2);
    }
    odds[line] = (odds[line] as number) + (leaves[root + tree + node - splits] as number);
  }
}

function valuesOf(
  names: readonly string[],
  { columns, constants }: ObservationColumns,
  lines: number,
): Float32Array {
  const values = new Float32Array(names.length * lines);
  for (const [at, name] of names.entries()) {
    const column = columns[name];
    const constant = constants[name];
    if (column !== undefined) values.set(column, at * lines);
    else if (constant !== undefined) values.fill(constant, at * lines, (at + 1) * lines);
    else throw new Error(`the trees expect a feature that is not computed: ${name}`);
  }
  return values;
}
