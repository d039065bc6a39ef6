import type { Features } from './features.ts';
import { createBlock } from './network/block.ts';
import { hardSwish, layerOf, multiply, type Rows } from './network/dense.ts';
import { createInput } from './network/input.ts';
import { createNorm } from './network/norm.ts';
import { createWideNetwork } from './network/wide.ts';
import type { Weights } from './weights.ts';

/** Scores every line of a text from its features. */
export type Network = (features: Features) => Float64Array;

const DILATIONS = [1, 3, 9];

/** The twin of `Neighbours` in training/model.py: convolutions over neighbouring lines. */
export function createNeighbourNetwork(weights: Weights): Network {
  return createWideNetwork(weights, DILATIONS) ?? createPlainNetwork(weights);
}

/** The same in plain JavaScript: seven to eleven times slower. */
export function createPlainNetwork(weights: Weights): Network {
  const readInput = createInput(weights);
  const blocks = DILATIONS.map((dilation, at) => createBlock(weights, { name: `blocks.${at}`, dilation }));
  const norm = createNorm(weights, 'norm');
  const out = layerOf(weights, 'out', weights.tensor('norm.weight').length);
  return (features) => {
    const { state, skip } = readInput(features);
    for (const mix of blocks) mix(state);
    norm(state, state);
    return plusProduct(skip, state, out);
  };
}

/** The twin of `PerLine`: every line by itself, several times cheaper. */
export function createPerLineNetwork(weights: Weights): Network {
  const readInput = createInput(weights);
  const middle = layerOf(weights, 'middle', weights.tensor('from_line.bias').length);
  const out = layerOf(weights, 'out', middle.outputs);
  return (features) => {
    const { state, skip } = readInput(features);
    hardSwish(state);
    const second = new Float64Array(skip.length * middle.outputs);
    multiply(state, middle, second);
    hardSwish(second);
    return plusProduct(skip, second, out);
  };
}

function plusProduct(skip: Float64Array, rows: Rows, out: ReturnType<typeof layerOf>): Float64Array {
  return skip.map((score, line) => {
    let sum = score + (out.bias[0] as number);
    for (let at = 0; at < out.inputs; at += 1) {
      sum += (rows[line * out.inputs + at] as number) * (out.weights[at] as number);
    }
    return sum;
  });
}
