import { wasmExports } from '../../../text/wasm-exports.ts';
import { Memory, type ModuleWithMemory } from '../local/network/memory.ts';
import type { Weights } from '../local/weights.ts';
import type { ObservationColumns } from './columns.ts';

/** Log-odds, one a line, that the agent uses the line. */
export type Trees = (input: ObservationColumns, lines: number) => Float64Array;

/** What wasm/trees.as offers. Addresses are in bytes. */
interface TreesModule extends ModuleWithMemory {
  addLeaves(...places: number[]): void;
}

/** Lines that are judged at a time; no power of two, or their columns would push each other out of the processor's cache. */
const CHUNK = 496;

/**
 * Boosted trees, each filled up to the same depth: node `n` leads to `2n + 1` where the value is below its threshold and to
 * `2n + 2` where it is not, so that a walk is a fixed number of steps without a test for leaves.
 */
export function createTrees(weights: Weights): Trees {
  const module = wasmExports(new URL('./trees.wasm', import.meta.url)) as TreesModule | undefined;
  if (module === undefined) throw new Error('this machine cannot run the trees');
  const forest = placeForest(weights, new Memory(module));
  return (input, total) => {
    const columns = weights.columns.map((name) => columnOf(name, input));
    const odds = new Float64Array(total);
    for (let first = 0; first < total; first += CHUNK) {
      const lines = Math.min(CHUNK, total - first);
      odds.set(judge(columns, { first, lines }, { ...forest, module }), first);
    }
    return odds;
  };
}

interface Forest {
  depth: number;
  trees: number;
  start: number;
  memory: Memory;
  /** Addresses. */
  splits: number;
  leaves: number;
  values: number;
  odds: number;
}

function placeForest(weights: Weights, memory: Memory): Forest {
  const features = weights.tensor('feature');
  const depth = weights.tensor('depth')[0] ?? 0;
  return {
    depth,
    trees: features.length / (2 ** depth - 1),
    start: weights.tensor('start')[0] ?? 0,
    memory,
    splits: memory.put(splitsOf(features, weights.tensor('threshold'))),
    leaves: memory.put(weights.tensor('leaf')),
    values: memory.take(weights.columns.length * CHUNK),
    odds: memory.take(2 * CHUNK),
  };
}

/** Of each split where its column lies, an integer of 32 bits, and its threshold. */
function splitsOf(features: Float32Array, thresholds: Float32Array): Float32Array {
  const splits = new Float32Array(2 * features.length);
  const places = new Uint32Array(splits.buffer);
  for (let node = 0; node < features.length; node += 1) {
    places[2 * node] = 4 * CHUNK * (features[node] as number);
    splits[2 * node + 1] = roundsUpTo(thresholds[node] as number);
  }
  return splits;
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

type Judged = Float32Array | number;

function columnOf(name: string, { columns, constants }: ObservationColumns): Judged {
  const values = columns.get(name) ?? constants[name];
  if (values === undefined) throw new Error(`the trees expect a feature that is not computed: ${name}`);
  return values;
}

function judge(
  columns: readonly Judged[],
  { first, lines }: { first: number; lines: number },
  { module, memory, depth, trees, start, splits, leaves, values, odds }: Forest & { module: TreesModule },
): Float64Array {
  const numbers = memory.numbers();
  for (let at = 0, to = values / 4; at < columns.length; at += 1, to += CHUNK) {
    const column = columns[at] as Judged;
    if (typeof column === 'number') numbers.fill(column, to, to + lines);
    else numbers.set(column.subarray(first, first + lines), to);
  }
  const sums = new Float64Array(numbers.buffer, odds, lines).fill(start);
  module.addLeaves(values, lines, splits, leaves, trees, depth, odds);
  return sums;
}
