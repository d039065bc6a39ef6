import type { Weights } from '../weights.ts';
import type { Rows } from './dense.ts';

/** Each row brought to mean 0 and variance 1, then scaled and shifted. */
export type Norm = (rows: Rows, output: Rows) => void;

const EPSILON = 1e-5;

export function createNorm(weights: Weights, name: string): Norm {
  const scale = Float64Array.from(weights.tensor(`${name}.weight`));
  const shift = Float64Array.from(weights.tensor(`${name}.bias`));
  const width = scale.length;
  return (rows, output) => {
    for (let start = 0; start < rows.length; start += width) {
      let sum = 0;
      let squares = 0;
      for (let at = start; at < start + width; at += 1) {
        const value = rows[at] as number;
        sum += value;
        squares += value * value;
      }
      const mean = sum / width;
      const factor = 1 / Math.sqrt(Math.max(0, squares / width - mean * mean) + EPSILON);
      for (let at = 0; at < width; at += 1) {
        const value = ((rows[start + at] as number) - mean) * factor;
        output[start + at] = value * (scale[at] as number) + (shift[at] as number);
      }
    }
  };
}
