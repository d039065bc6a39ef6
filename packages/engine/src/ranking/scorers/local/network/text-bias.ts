import type { Features } from '../features.ts';
import type { Weights } from '../weights.ts';

/** The text as a whole adds the same to every line: what it makes of the bias that lines are read with. */
export function createTextBias(weights: Weights): (features: Features) => Float64Array {
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

/** No feature says more than this, whatever its value. */
export function clipped(value: number): number {
  return Math.min(CLIP, Math.max(-CLIP, value));
}
