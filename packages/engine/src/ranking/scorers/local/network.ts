import { wasmExports } from '@secateur/base/runtime/loading.ts';
import type { Column } from './features/columns.ts';
import type { Features } from './features.ts';
import { Memory, type NetworkModule, type Weights } from './weights.ts';
/** Scores all lines of a text by their features. */
export type Network = (features: Features) => Float64Array;

const DILATIONS = [1, 3, 9];

/** Number of lines that are computed together. */
const TILE = 16;
/** Number of lines whose features are passed to the WebAssembly module together. */
const CHUNK = 512;
/** Number of empty lines before and after each row. The widest convolution reaches 18 lines. */
const MARGIN = 32;
/** Distance in bytes at which rows would displace each other in the CPU cache. */
const CACHE_STRIDE = 65_536;

/**
 * Builds the network `Neighbours` of training/model.py: convolutions over neighbouring lines, computed
 * sixteen lines at a time. `undefined` if the machine has no SIMD.
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
  /** Addresses of the working memory, and of the memory for a text. */
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

/** Reserves the memory for one text, which is also used for the next text. Returns the address of the scores. */
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

/** Reads the columns of a text. Columns of zeros, a third to a half of them, are added to the bias once and then skipped. */
interface LineReader {
  /** Addresses of means, scales, weights and bias of the columns. */
  readonly places: { mean: number; scale: number; weights: number; bias: number };
  /** Places the inputs of one text, over those of the previous one. Returns the columns that are not constant. */
  place(columns: readonly Column[], bias: Float64Array): Column[];
}

function createLineReader(weights: Weights, memory: Memory, sizes: NetworkSizes): LineReader {
  const { columns: inputs, rows } = sizes;
  const mean = weights.tensor('scaled.line_mean');
  const scale = weights.tensor('scaled.line_scale');
  const byInput = weightsByInput(weights, sizes);
  const places = {
    mean: memory.take(inputs),
    scale: memory.take(inputs),
    weights: memory.take(inputs * rows),
    bias: memory.take(rows),
  };
  const addSilent = (input: number, sums: Float64Array) => {
    const value = clipped(-(mean[input] as number) * (scale[input] as number));
    for (let output = 0; output < rows; output += 1)
      sums[output] = (sums[output] as number) + value * (byInput[input * rows + output] as number);
  };
  const placeWeights = (speaking: readonly number[], numbers: Float32Array) => {
    for (const [at, input] of speaking.entries()) {
      numbers[places.mean / 4 + at] = mean[input] as number;
      numbers[places.scale / 4 + at] = scale[input] as number;
      const first = places.weights / 4 + at * TOGETHER;
      for (let output = 0; output < rows; output += 1) {
        const within = output % TOGETHER;
        const to = first + (output - within) * speaking.length + within;
        numbers[to] = byInput[input * rows + output] as number;
      }
    }
  };
  const place = (columns: readonly Column[], bias: Float64Array) => {
    const sums = new Float64Array(rows);
    sums.set(bias);
    const speaking: number[] = [];
    for (const [input, column] of columns.entries()) {
      if (isSilent(column)) addSilent(input, sums);
      else speaking.push(input);
    }
    const numbers = memory.numbers();
    placeWeights(speaking, numbers);
    numbers.set(sums, places.bias / 4);
    return speaking.map((input) => columns[input] as Column);
  };
  return { places, place };
}

/** Returns the weights of each input: one per row of the state, one for the straight sum, and 0 for padding rows. */
function weightsByInput(weights: Weights, { columns: inputs, width, rows }: NetworkSizes): Float32Array {
  const fromLine = weights.tensor('from_line.weight');
  const skip = weights.tensor('skip.weight');
  const byInput = new Float32Array(inputs * rows);
  for (let input = 0; input < inputs; input += 1) {
    for (let output = 0; output < width; output += 1)
      byInput[input * rows + output] = fromLine[output * inputs + input] as number;
    byInput[input * rows + width] = skip[input] as number;
  }
  return byInput;
}

function isSilent(column: Column): boolean {
  for (let line = 0; line < column.length; line += 1) if (column[line] !== 0) return false;
  return true;
}

/** Returns a function that computes the bias of a text: the sum that its constants add to each line. */
function createTextBias(weights: Weights): (features: Features) => Float64Array {
  const lineBias = Float64Array.from(weights.tensor('from_line.bias'));
  const fromText = weights.tensor('from_text.weight');
  const mean = weights.tensor('scaled.text_mean');
  const scale = weights.tensor('scaled.text_scale');
  return ({ constants }) => {
    const said = weights.constants.map((name, at) =>
      clipped(((constants[name] ?? 0) - (mean[at] as number)) * (scale[at] as number)),
    );
    return lineBias.map((bias, output) => {
      const row = fromText.subarray(output * said.length);
      return said.reduce((sum, value, at) => sum + value * (row[at] as number), bias);
    });
  };
}

const CLIP = 6;

function clipped(value: number): number {
  return Math.min(CLIP, Math.max(-CLIP, value));
}

/** Number of outputs that are computed together. */
const TOGETHER = 2;
/** Number of lines that a block reads: the line, two before it and two after it. */
const REACH = 5;

interface NetworkSizes {
  columns: number;
  width: number;
  hidden: number;
  /** Number of rows of the state: its width, the straight sum, and padding to complete the last group. */
  rows: number;
}

function sizesOf(weights: Weights): NetworkSizes {
  const width = weights.tensor('norm.weight').length;
  const hidden = weights.tensor('blocks.0.inner.bias').length;
  return { columns: weights.columns.length, width, hidden, rows: width + TOGETHER };
}

/** Addresses of the weights for the last step, which computes the score. */
type EndPlaces = ReturnType<typeof placeEnd>;

function placeEnd(weights: Weights, memory: Memory) {
  return {
    normScale: memory.put(weights.tensor('norm.weight')),
    normShift: memory.put(weights.tensor('norm.bias')),
    out: memory.put(weights.tensor('out.weight')),
  };
}

/** Returns the arguments of `mix` that follow the number of lines. */
function placeBlock(
  weights: Weights,
  memory: Memory,
  { name, dilation, width, hidden }: NetworkSizes & { name: string; dilation: number },
): number[] {
  const tensor = (part: string) => weights.tensor(`${name}.${part}`);
  const { local, whole } = innerParts(tensor('inner.weight'), width, hidden);
  const outerBias = weights.has(`${name}.outer.bias`) ? tensor('outer.bias') : new Float32Array(width);
  return [
    dilation,
    memory.put(tensor('norm.weight')),
    memory.put(tensor('norm.bias')),
    memory.put(transposed(tensor('near'), width)),
    memory.put(interleaved(local, 2 * width)),
    memory.put(tensor('inner.bias')),
    memory.put(whole),
    memory.take(hidden),
    memory.put(interleaved(tensor('outer.weight'), hidden)),
    memory.put(outerBias),
  ];
}

/** Returns the weights in another order, in which the five weights of a feature are adjacent. */
function transposed(near: Float32Array, width: number): Float32Array {
  return near.map((_, at) => near[(at % REACH) * width + Math.floor(at / REACH)] as number);
}

/** Returns the weights for a line, its neighbours and the whole text, ordered by input. */
function innerParts(inner: Float32Array, width: number, hidden: number) {
  const local = new Float32Array(hidden * 2 * width);
  const whole = new Float32Array(hidden * width);
  for (let out = 0; out < hidden; out += 1) {
    const row = inner.subarray(out * 3 * width, (out + 1) * 3 * width);
    local.set(row.subarray(0, 2 * width), out * 2 * width);
    for (let at = 0; at < width; at += 1) whole[at * hidden + out] = row[2 * width + at] as number;
  }
  return { local, whole };
}

/** Returns the values in another order, in which those of two outputs for the same input are adjacent. */
function interleaved(values: Float32Array, inputs: number): Float32Array {
  const outputs = values.length / inputs;
  const woven = new Float32Array(Math.ceil(outputs / TOGETHER) * TOGETHER * inputs);
  for (let out = 0; out < outputs; out += 1) {
    const start = Math.floor(out / TOGETHER) * TOGETHER * inputs + (out % TOGETHER);
    for (let at = 0; at < inputs; at += 1) woven[start + at * TOGETHER] = values[out * inputs + at] as number;
  }
  return woven;
}
