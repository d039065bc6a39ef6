import type { Column } from '../features/columns.ts';
import type { Weights } from '../weights.ts';
import { type NetworkSizes, TOGETHER } from './layout.ts';
import type { Memory } from './memory.ts';
import { clipped } from './text-bias.ts';

/** Reads the columns of a text. A third to a half of them are 0 in every line and add the same to each: they go into the bias, once. */
export interface LineReader {
  /** Addresses of what scales the columns, weighs them and is added. */
  readonly places: { mean: number; scale: number; weights: number; bias: number };
  /** Places what one text needs, over that of the last; answers the columns that say something. */
  place(columns: readonly Column[], bias: Float64Array): Column[];
}

export function createLineReader(weights: Weights, memory: Memory, sizes: NetworkSizes): LineReader {
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

/** For each input what it adds to the state's rows: its width, the straight sum, and nothing to those that fill them up. */
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
