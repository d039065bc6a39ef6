import type { Features } from '../features.ts';
import type { Weights } from '../weights.ts';
import { type Layer, layerOf, multiply, type Rows } from './dense.ts';

/** What a network makes of the features first: a row of state a line, and a score by a straight weighted sum. */
export interface FirstRows {
  state: Rows;
  skip: Float64Array;
}

const TILE = 64;
const CLIP = 6;

export function createInput(weights: Weights): (features: Features) => FirstRows {
  const columns = weights.columns.length;
  const layer = withSkip(layerOf(weights, 'from_line', columns), weights.tensor('skip.weight'));
  const width = layer.outputs - 4;
  const textBias = createTextBias(weights);
  const lineScale = scalingOf(weights, 'line');
  const tile = new Float64Array(TILE * columns);
  const made = new Float64Array(TILE * layer.outputs);
  return (features) => {
    const inputs = weights.columns.map((name) => features.columns[name] ?? unknownColumn(name));
    const total = features.words.starts.length - 1;
    const biased = { ...layer, bias: layer.bias.slice() };
    biased.bias.set(textBias(features));
    const first: FirstRows = { state: new Float64Array(total * width), skip: new Float64Array(total) };
    for (let start = 0; start < total; start += TILE) {
      const rows = Math.min(TILE, total - start);
      for (let at = 0; at < columns; at += 1) {
        const column = inputs[at] as Float32Array;
        for (let row = 0; row < rows; row += 1) {
          tile[row * columns + at] = scaled(column[start + row] as number, lineScale, at);
        }
      }
      multiply(tile.subarray(0, rows * columns), biased, made);
      takeApart(made, first, { start, rows, width });
    }
    return first;
  };
}

export function unknownColumn(name: string): never {
  throw new Error(`the weights expect a feature that is not computed: ${name}`);
}

/** The text as a whole adds the same to every line: what it makes of the bias that lines are read with. */
export function createTextBias(weights: Weights): (features: Features) => Float64Array {
  const layer = layerOf(weights, 'from_text', weights.constants.length);
  const scaling = scalingOf(weights, 'text');
  const lineBias = new Float64Array(weights.tensor('from_line.bias'));
  return ({ constants }) => {
    const bias = lineBias.slice();
    const said = weights.constants.map((name, at) => scaled(constants[name] ?? 0, scaling, at));
    addText(bias, layer, said);
    return bias;
  };
}

interface Scaling {
  mean: Float64Array;
  scale: Float64Array;
}

function scalingOf(weights: Weights, kind: 'line' | 'text'): Scaling {
  return {
    mean: Float64Array.from(weights.tensor(`scaled.${kind}_mean`)),
    scale: Float64Array.from(weights.tensor(`scaled.${kind}_scale`)),
  };
}

function scaled(value: number, { mean, scale }: Scaling, at: number): number {
  const score = (value - (mean[at] as number)) * (scale[at] as number);
  if (score > CLIP) return CLIP;
  return Math.max(score, -CLIP);
}

/** The straight sum becomes one more output; three empty ones fill up the four that are multiplied together. */
function withSkip(layer: Layer, skip: Float32Array): Layer {
  const outputs = layer.outputs + 4;
  const weights = new Float64Array(outputs * layer.inputs);
  weights.set(layer.weights);
  weights.set(skip, layer.outputs * layer.inputs);
  const bias = new Float64Array(outputs);
  bias.set(layer.bias);
  return { inputs: layer.inputs, outputs, weights, bias };
}

function addText(bias: Float64Array, layer: Layer, constants: readonly number[]): void {
  for (let output = 0; output < layer.outputs; output += 1) {
    let sum = bias[output] as number;
    for (let at = 0; at < layer.inputs; at += 1) {
      sum += (layer.weights[output * layer.inputs + at] as number) * (constants[at] as number);
    }
    bias[output] = sum;
  }
}

function takeApart(
  made: Rows,
  first: FirstRows,
  { start, rows, width }: { start: number; rows: number; width: number },
): void {
  for (let row = 0; row < rows; row += 1) {
    const from = row * (width + 4);
    first.state.set(made.subarray(from, from + width), (start + row) * width);
    first.skip[start + row] = made[from + width] as number;
  }
}
