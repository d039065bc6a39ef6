import type { Weights } from '../weights.ts';
import { hardSwish, layerOf, multiply, partOf, type Rows } from './dense.ts';
import { createNorm } from './norm.ts';

/** Lets every line see its neighbours and the text as a whole; changes `state` in place. */
export type Block = (state: Rows) => void;

const REACH = 2;
/** Lines worked on together: their rows stay in the processor's cache. */
const TILE = 64;

export function createBlock(weights: Weights, { name, dilation }: { name: string; dilation: number }): Block {
  const norm = createNorm(weights, `${name}.norm`);
  const near = Float64Array.from(weights.tensor(`${name}.near`));
  const width = near.length / (2 * REACH + 1);
  const inner = layerOf(weights, `${name}.inner`, 3 * width);
  const outer = layerOf(weights, `${name}.outer`, inner.outputs);
  const local = partOf(inner, 0, 2 * width);
  const whole = partOf(inner, 2 * width, 3 * width);
  const tile = new Float64Array(TILE * 2 * width);
  const hidden = new Float64Array(TILE * inner.outputs);
  const change = new Float64Array(TILE * width);
  return (state) => {
    const seen = new Float64Array(state.length);
    norm(state, seen);
    const layer = { ...local, bias: wholeBias(seen, whole, inner.bias) };
    const total = state.length / width;
    for (let first = 0; first < total; first += TILE) {
      const rows = Math.min(TILE, total - first);
      for (let row = 0; row < rows; row += 1)
        lookAround(seen, near, { tile, row, line: first + row, dilation, width });
      const inside = hidden.subarray(0, rows * inner.outputs);
      multiply(tile.subarray(0, rows * 2 * width), layer, inside);
      hardSwish(inside);
      multiply(inside, outer, change);
      for (let at = 0; at < rows * width; at += 1) {
        state[first * width + at] = (state[first * width + at] as number) + (change[at] as number);
      }
    }
  };
}

/** What the mean over all lines adds to the inner layer: the same for each of them. */
function wholeBias(seen: Rows, whole: ReturnType<typeof partOf>, bias: Float64Array): Float64Array {
  const width = whole.inputs;
  const mean = new Float64Array(width);
  for (let start = 0; start < seen.length; start += width) {
    for (let at = 0; at < width; at += 1) mean[at] = (mean[at] as number) + (seen[start + at] as number);
  }
  const total = Math.max(1, seen.length / width);
  const sums = new Float64Array(whole.outputs);
  multiply(
    mean.map((sum) => sum / total),
    { ...whole, bias },
    sums,
  );
  return sums;
}

interface Look {
  tile: Rows;
  row: number;
  line: number;
  dilation: number;
  width: number;
}

/** Writes a line's own row and the weighted sum of rows around it, side by side. */
function lookAround(seen: Rows, near: Float64Array, { tile, row, line, dilation, width }: Look): void {
  const to = row * 2 * width;
  const own = line * width;
  for (let at = 0; at < width; at += 1) {
    tile[to + at] = seen[own + at] as number;
    tile[to + width + at] = 0;
  }
  for (let step = 0; step <= 2 * REACH; step += 1) {
    const from = (line + (step - REACH) * dilation) * width;
    if (from < 0 || from >= seen.length) continue;
    const weight = step * width;
    for (let at = 0; at < width; at += 1) {
      const place = to + width + at;
      tile[place] = (tile[place] as number) + (near[weight + at] as number) * (seen[from + at] as number);
    }
  }
}
