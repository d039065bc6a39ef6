import type { Weights } from '../weights.ts';
import type { Memory } from './memory.ts';

/** Outputs that are computed together. */
export const TOGETHER = 2;
/** Lines a block looks at: two above, the line, two below. */
const REACH = 5;

export interface NetworkSizes {
  columns: number;
  width: number;
  hidden: number;
  /** The state's rows: its width, the straight sum, and what fills them up to whole groups. */
  rows: number;
}

export function sizesOf(weights: Weights): NetworkSizes {
  const width = weights.tensor('norm.weight').length;
  const hidden = weights.tensor('blocks.0.inner.bias').length;
  return { columns: weights.columns.length, width, hidden, rows: width + TOGETHER };
}

/** Addresses of what makes the score. */
export type EndPlaces = ReturnType<typeof placeEnd>;

export function placeEnd(weights: Weights, memory: Memory) {
  return {
    normScale: memory.put(weights.tensor('norm.weight')),
    normShift: memory.put(weights.tensor('norm.bias')),
    out: memory.put(weights.tensor('out.weight')),
  };
}

/** The arguments of `mix` behind the number of lines. */
export function placeBlock(
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

/** The five weights of a feature side by side. */
function transposed(near: Float32Array, width: number): Float32Array {
  return near.map((_, at) => near[(at % REACH) * width + Math.floor(at / REACH)] as number);
}

/** Weights of a line and its neighbours, and those of the text as a whole, output after output for each input. */
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

/** Two outputs side by side, input after input. */
function interleaved(values: Float32Array, inputs: number): Float32Array {
  const outputs = values.length / inputs;
  const woven = new Float32Array(Math.ceil(outputs / TOGETHER) * TOGETHER * inputs);
  for (let out = 0; out < outputs; out += 1) {
    const start = Math.floor(out / TOGETHER) * TOGETHER * inputs + (out % TOGETHER);
    for (let at = 0; at < inputs; at += 1) woven[start + at * TOGETHER] = values[out * inputs + at] as number;
  }
  return woven;
}
