import { wasmExports } from '@secateur/base/text/wasm-exports.ts';
import type { Column } from './features/columns.ts';
import type { Features } from './features.ts';
import { type EndPlaces, type NetworkSizes, placeBlock, placeEnd, sizesOf } from './network/layout.ts';
import { createLineReader, type LineReader } from './network/line-reader.ts';
import { Memory, type NetworkModule } from './network/memory.ts';
import { createTextBias } from './network/text-bias.ts';
import type { Weights } from './weights.ts';

/** Scores every line of a text from its features. */
export type Network = (features: Features) => Float64Array;

const DILATIONS = [1, 3, 9];

/** Lines that are computed together. */
const TILE = 16;
/** Lines whose features are handed over at a time. */
const CHUNK = 512;
/** Empty lines before and behind a row: the widest look reaches 18 lines. */
const MARGIN = 32;
/** Rows this far apart would push each other out of the processor's cache. */
const CACHE_STRIDE = 65_536;

/**
 * The twin of `Neighbours` in training/model.py: convolutions over neighbouring lines, sixteen lines at a time; nothing where
 * the machine has no wide instructions.
 */
export function createNeighbourNetwork(weights: Weights): Network | undefined {
  const module = wasmExports(new URL('./network/network.wasm', import.meta.url)) as NetworkModule | undefined;
  if (module === undefined) return undefined;
  const network = placeNetwork(weights, module);
  return (features) => scoreLines(features, network);
}

interface PlacedNetwork {
  module: NetworkModule;
  memory: Memory;
  columns: readonly string[];
  textBias: (features: Features) => Float64Array;
  sizes: NetworkSizes;
  reader: LineReader;
  end: EndPlaces;
  blocks: number[][];
  /** Addresses of working room, and where that of a text begins. */
  tile: number;
  hiddenTile: number;
  input: number;
  free: number;
  outBias: number;
}

function placeNetwork(weights: Weights, module: NetworkModule): PlacedNetwork {
  const memory = new Memory(module);
  const sizes = sizesOf(weights);
  const reader = createLineReader(weights, memory, sizes);
  const end = placeEnd(weights, memory);
  const blocks = DILATIONS.map((dilation, index) =>
    placeBlock(weights, memory, { ...sizes, name: `blocks.${index}`, dilation }),
  );
  const tile = memory.take(Math.max(sizes.columns, 2 * sizes.width) * TILE);
  const hiddenTile = memory.take(sizes.hidden * TILE);
  const input = memory.take(sizes.columns * CHUNK);
  const outBias = weights.has('out.bias') ? (weights.tensor('out.bias')[0] as number) : 0;
  const { columns } = weights;
  const textBias = createTextBias(weights);
  const free = memory.top;
  const places = { tile, hiddenTile, input, free };
  return { module, memory, columns, textBias, sizes, reader, end, blocks, ...places, outBias };
}

function scoreLines(features: Features, network: PlacedNetwork): Float64Array {
  const { module, memory, textBias, reader, end, blocks, outBias } = network;
  const lines = features.words.starts.length - 1;
  const padded = Math.ceil(lines / TILE) * TILE;
  const columns = network.columns.map((name) => features.columns.get(name) ?? unknownColumn(name));
  const speaking = reader.place(columns, textBias(features));
  const scores = placeText(padded, speaking.length, network);
  readColumns(speaking, lines, network);
  for (const block of blocks) module.mix(lines, padded, ...block);
  module.finish(padded, end.normScale, end.normShift, end.out, outBias, scores);
  return new Float64Array(memory.numbers().subarray(scores / 4, scores / 4 + lines));
}

/** Room for one text, over that of the last; answers the address of its scores. */
function placeText(padded: number, columns: number, network: PlacedNetwork): number {
  const { module, memory, tile, hiddenTile, free } = network;
  const { width, hidden, rows } = network.sizes;
  const row = padded + 2 * MARGIN + (padded % CACHE_STRIDE === 0 ? TILE : 0);
  memory.top = free;
  const state = memory.take(rows * row);
  const seen = memory.take(width * row + MARGIN);
  const scores = memory.take(padded + TILE * MARGIN);
  const numbers = memory.numbers();
  for (let start = seen / 4; start < seen / 4 + width * row; start += row)
    numbers.fill(0, start, start + MARGIN);
  module.place(width, hidden, columns, state, seen + 4 * MARGIN, 4 * row, tile, hiddenTile);
  return scores;
}

function readColumns(columns: readonly Column[], total: number, network: PlacedNetwork): void {
  const { module, memory, sizes, reader, input } = network;
  const { mean, scale, weights, bias } = reader.places;
  const numbers = memory.numbers();
  for (let start = 0; start < total; start += CHUNK) {
    const lines = Math.min(CHUNK, total - start);
    for (const [index, column] of columns.entries())
      numbers.set(column.subarray(start, start + lines), input / 4 + index * CHUNK);
    const wide = Math.ceil(lines / TILE) * TILE;
    module.readInput(input, 4 * CHUNK, wide, start, mean, scale, weights, bias, sizes.rows);
  }
}

function unknownColumn(name: string): never {
  throw new Error(`the weights expect a feature that is not computed: ${name}`);
}
