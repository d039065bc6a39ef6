import type { Features } from '../../packages/engine/src/ranking/scorers/local/features.ts';
import type { Weights } from '../../packages/engine/src/ranking/scorers/local/weights.ts';

const REACH = 2;
const DILATIONS = [1, 3, 9];

/** `Neighbours` of training/model.py as it is written there, a line at a time in doubles. */
export function plainNetwork(weights: Weights, { columns, constants, words }: Features): number[] {
  const { tensor } = weights;
  const linear = (name: string, input: number[]) => multiplied(tensor(`${name}.weight`), input);
  const scaled = (kind: string, values: number[]) => {
    const [mean, scale] = [tensor(`scaled.${kind}_mean`), tensor(`scaled.${kind}_scale`)];
    return values.map((value, at) => clip((value - at0(mean, at)) * at0(scale, at), -6, 6));
  };
  const norm = (name: string, row: number[]) => {
    const mean = sum(row) / row.length;
    const deviation = Math.sqrt(sum(row.map((value) => (value - mean) ** 2)) / row.length + 1e-5);
    const normed = row.map((value) => (value - mean) / deviation);
    return added(times(normed, tensor(`${name}.weight`)), tensor(`${name}.bias`));
  };
  const mix = (state: number[][], name: string, dilation: number) => {
    const seen = state.map((row) => norm(`${name}.norm`, row));
    const near = tensor(`${name}.near`);
    const whole = at0(seen, 0).map((_, at) => sum(seen.map((row) => at0(row, at))) / seen.length);
    const around = (line: number) =>
      whole.map((_, at) =>
        sum(
          Array.from({ length: 2 * REACH + 1 }, (_, step) => {
            const row = seen[line + (step - REACH) * dilation];
            return row === undefined ? 0 : at0(row, at) * at0(near, step * whole.length + at);
          }),
        ),
      );
    return state.map((row, line) => {
      const inner = linear(`${name}.inner`, [...at0(seen, line), ...around(line), ...whole]);
      const hidden = added(inner, tensor(`${name}.inner.bias`)).map(
        (value) => value * clip(value / 6 + 0.5, 0, 1),
      );
      return added(row, added(linear(`${name}.outer`, hidden), tensor(`${name}.outer.bias`)));
    });
  };
  const said = scaled(
    'text',
    weights.constants.map((name) => constants[name] ?? 0),
  );
  const bias = added(linear('from_text', said), tensor('from_line.bias'));
  const inputs = Array.from({ length: words.starts.length - 1 }, (_, line) =>
    scaled(
      'line',
      weights.columns.map((name) => columns.get(name)?.[line] ?? Number.NaN),
    ),
  );
  const first = inputs.map((input) => added(linear('from_line', input), bias));
  const last = DILATIONS.reduce((state, dilation, at) => mix(state, `blocks.${at}`, dilation), first);
  const outBias = at0(tensor('out.bias'), 0);
  return last.map(
    (row, line) => sum(linear('out', norm('norm', row))) + sum(linear('skip', at0(inputs, line))) + outBias,
  );
}

function at0<T>(values: ArrayLike<T>, at: number): T {
  const value = values[at];
  if (value === undefined) throw new Error(`nothing at ${at}`);
  return value;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function added(left: number[], right: ArrayLike<number>): number[] {
  return left.map((value, at) => value + at0(right, at));
}

function times(left: number[], right: ArrayLike<number>): number[] {
  return left.map((value, at) => value * at0(right, at));
}

/** The weights of each output are contiguous. */
function multiplied(matrix: Float32Array, input: number[]): number[] {
  return Array.from({ length: matrix.length / input.length }, (_, output) =>
    sum(times(input, matrix.subarray(output * input.length))),
  );
}

function clip(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
