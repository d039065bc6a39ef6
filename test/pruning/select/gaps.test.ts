import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gapsAtLowestPrice, tokensKept } from '../../../src/pruning/cut/select/gaps.ts';
import { type GapProblem, gapsAtPrice } from '../../../src/pruning/cut/select/gaps-at-price.ts';

interface AnyUnit {
  harm: number;
  tokens: number;
}

function problemOf(units: readonly AnyUnit[]): GapProblem {
  return {
    harm: Float64Array.from(units, ({ harm }) => harm),
    tokens: Float64Array.from(units, ({ tokens }) => tokens),
    pinned: new Uint8Array(units.length),
    lines: new Int32Array(units.length).fill(1),
    depth: new Uint8Array(units.length),
    head: new Int32Array(units.length).fill(-1),
    markerTokens: 9,
    budget: units.length,
  };
}

/** From the lowest price that is searched to the highest, far closer than two splits of so few units lie. */
const PRICES = Array.from({ length: 2000 }, (_, at) => 2 ** (-7 + (14 * at) / 1999));

it('[Q9] no lower price cuts enough: of all splits that do, the one that keeps the most tokens is found', () => {
  const unit = fc.record({
    harm: fc.double({ min: 0.01, max: 60, noNaN: true }),
    tokens: fc.integer({ min: 1, max: 30 }),
  });
  fc.assert(
    fc.property(
      fc.array(unit, { minLength: 1, maxLength: 40 }),
      fc.double({ min: 0.05, max: 0.95, noNaN: true }),
      (units, share) => {
        const problem = problemOf(units);
        const most = share * units.reduce((sum, { tokens }) => sum + tokens, 0);
        const isEnough = (cut: Uint8Array) => tokensKept(cut, problem) <= most;
        const found = gapsAtLowestPrice(problem, isEnough);
        const enough = PRICES.map((price) => gapsAtPrice(price, problem)).filter(isEnough);
        const best = Math.max(0, ...enough.map((cut) => tokensKept(cut, problem)));
        if (enough.length > 0) expect(isEnough(found)).toBe(true);
        expect(tokensKept(found, problem)).toBeGreaterThanOrEqual(best - 1e-9);
      },
    ),
    { numRuns: 60 },
  );
});
