import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readFeatures } from '../../../packages/engine/src/ranking/scorers/local/features.ts';
import { createNeighbourNetwork } from '../../../packages/engine/src/ranking/scorers/local/network.ts';
import { NEIGHBOUR_WEIGHTS } from '../../../packages/engine/src/ranking/scorers/local/weights/neighbours.ts';
import { readWeights } from '../../../packages/engine/src/ranking/scorers/local/weights.ts';
import { compileWasm, wasmModules } from '../../../scripts/build-wasm.ts';
import { plainNetwork } from '../../support/plain-network.ts';

const weights = readWeights(Buffer.from(NEIGHBOUR_WEIGHTS, 'base64'));

// 600 lines are handed over in two pieces.
it.each([1, 15, 16, 17, 600])(
  '[Q5] the network returns the same scores for %d lines whether it computes sixteen lines together or single lines',
  (count) => {
    const lines = Array.from({ length: count }, (_, at) => `    retry(${at}, policy.wait * ${at % 7});`);
    const features = readFeatures({ lines, goal: 'where does the policy retry?', sourceType: 'code' });
    const wide = createNeighbourNetwork(weights)?.(features);
    const plain = plainNetwork(weights, features);
    expect(wide).toHaveLength(count);
    expect(Math.max(...plain.map((score, line) => Math.abs(score - (wide?.[line] ?? 9))))).toBeLessThan(1e-4);
  },
);

it('[Q5] the committed WebAssembly module of the network equals the one compiled from its source', async () => {
  const { network } = wasmModules;
  expect(Buffer.compare(readFileSync(network.compiled), await compileWasm(network))).toBe(0);
});
