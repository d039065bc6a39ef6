import { expect, it } from 'vitest';
import { gapsAtPrice } from '../../../src/pruning/cut/select/gaps-at-price.ts';

/** Which units go, where nobody needs any of them, keeping costs 1 a token and a marker has 10. */
function cutOf(tokens: readonly number[], pinned: readonly number[]): number[] {
  const problem = {
    harm: new Float64Array(tokens.length),
    pinned: Uint8Array.from(pinned),
    lines: new Int32Array(tokens.length).fill(1),
    tokens: Float64Array.from(tokens),
    depth: new Uint8Array(tokens.length),
    head: new Int32Array(tokens.length).fill(-1),
    markerTokens: 10,
    budget: tokens.length,
  };
  return [...gapsAtPrice(1, problem)];
}

it('[Q9] a gap hides more tokens than its marker has, between lines that stay and at the end', () => {
  expect(cutOf([10, 1, 11, 1, 10], [0, 1, 0, 1, 0])).toEqual([0, 0, 1, 0, 0]);
  expect(cutOf([6, 5, 1, 5, 5], [0, 0, 1, 0, 0])).toEqual([1, 1, 0, 0, 0]);
});
