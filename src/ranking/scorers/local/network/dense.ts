import type { Weights } from '../weights.ts';

/** Rows of numbers, one after another. Doubles, because plain JavaScript multiplies those fastest. */
export type Rows = Float64Array;

/** A linear layer: for each output its weights, one after another, and a bias. */
export interface Layer {
  inputs: number;
  outputs: number;
  weights: Float64Array;
  bias: Float64Array;
}

/** The layer called `name`; `bias` is 0 where it has none. */
export function layerOf(weights: Weights, name: string, inputs: number): Layer {
  const values = Float64Array.from(weights.tensor(`${name}.weight`));
  const outputs = values.length / inputs;
  const bias = weights.has(`${name}.bias`)
    ? Float64Array.from(weights.tensor(`${name}.bias`))
    : new Float64Array(outputs);
  return { inputs, outputs, weights: values, bias };
}

/** Columns `from` up to `to` of a layer's inputs, without its bias. */
export function partOf(layer: Layer, from: number, to: number): Layer {
  const inputs = to - from;
  const weights = new Float64Array(layer.outputs * inputs);
  for (let output = 0; output < layer.outputs; output += 1) {
    const start = output * layer.inputs;
    weights.set(layer.weights.subarray(start + from, start + to), output * inputs);
  }
  return { inputs, outputs: layer.outputs, weights, bias: new Float64Array(layer.outputs) };
}

/** `output` = rows of `input` times the layer, plus `bias`; outputs must be a multiple of four. */
export function multiply(input: Rows, layer: Layer, output: Rows): void {
  const rows = input.length / layer.inputs;
  let row = 0;
  for (; row + 1 < rows; row += 2) multiplyTwoRows(input, layer, { output, row });
  if (row < rows) multiplyOneRow(input, layer, { output, row });
}

interface Place {
  output: Rows;
  row: number;
}

/** Two rows and four outputs at a time: each number loaded is used more than once. */
function multiplyTwoRows(input: Rows, layer: Layer, { output, row }: Place): void {
  const { inputs, outputs, weights, bias } = layer;
  const first = row * inputs;
  const second = first + inputs;
  for (let out = 0; out < outputs; out += 4) {
    let a0 = bias[out] as number;
    let a1 = bias[out + 1] as number;
    let a2 = bias[out + 2] as number;
    let a3 = bias[out + 3] as number;
    let b0 = a0;
    let b1 = a1;
    let b2 = a2;
    let b3 = a3;
    let w0 = out * inputs;
    let w1 = w0 + inputs;
    let w2 = w1 + inputs;
    let w3 = w2 + inputs;
    for (let at = 0; at < inputs; at += 1) {
      const a = input[first + at] as number;
      const b = input[second + at] as number;
      const v0 = weights[w0++] as number;
      const v1 = weights[w1++] as number;
      const v2 = weights[w2++] as number;
      const v3 = weights[w3++] as number;
      a0 += a * v0;
      a1 += a * v1;
      a2 += a * v2;
      a3 += a * v3;
      b0 += b * v0;
      b1 += b * v1;
      b2 += b * v2;
      b3 += b * v3;
    }
    const start = row * outputs + out;
    output[start] = a0;
    output[start + 1] = a1;
    output[start + 2] = a2;
    output[start + 3] = a3;
    const next = start + outputs;
    output[next] = b0;
    output[next + 1] = b1;
    output[next + 2] = b2;
    output[next + 3] = b3;
  }
}

function multiplyOneRow(input: Rows, layer: Layer, { output, row }: Place): void {
  const { inputs, outputs, weights, bias } = layer;
  for (let out = 0; out < outputs; out += 1) {
    let sum = bias[out] as number;
    for (let at = 0; at < inputs; at += 1) {
      sum += (input[row * inputs + at] as number) * (weights[out * inputs + at] as number);
    }
    output[row * outputs + out] = sum;
  }
}

/** x · clip(x / 6 + ½, 0, 1), in place. */
export function hardSwish(values: Rows): void {
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as number;
    if (value <= -3) values[at] = 0;
    else if (value < 3) values[at] = value * (value / 6 + 0.5);
  }
}
