import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Cut,
  cutsAround,
  gapsAtPrice,
  MAX_PRICE,
  type Parts,
} from '../../../packages/engine/src/cutting/gaps.ts';

interface Part {
  readonly tokens: number;
  readonly harm: number;
  readonly isPinned: boolean;
  /** Number of signatures above that end before this part. If `isHead`, the part is a signature itself. */
  readonly ends: number;
  readonly isHead: boolean;
}

const part = fc.record({
  tokens: fc.integer({ min: 1, max: 60 }),
  harm: fc.integer({ min: 0, max: 60 }),
  isPinned: fc.boolean(),
  ends: fc.integer({ min: 0, max: 2 }),
  isHead: fc.boolean(),
});

/** Returns parts for the search, and for each part the indices of the signatures around it. */
function nested(parts: readonly Part[], markerTokens: number): { parts: Parts; heads: number[][] } {
  const around: number[] = [];
  const heads = parts.map(({ ends, isHead }, index) => {
    around.splice(Math.max(0, around.length - ends));
    const found = [...around];
    if (isHead) around.push(index);
    return found;
  });
  return {
    heads,
    parts: {
      depth: Uint8Array.from(heads, ({ length }) => length),
      pinned: Uint8Array.from(parts, ({ isPinned }) => (isPinned ? 1 : 0)),
      tokens: Float64Array.from(parts, ({ tokens }) => tokens),
      harm: Float64Array.from(parts, ({ harm }) => harm),
      markerTokens,
    },
  };
}

function gainOf(cut: Cut, { tokens, harm, markerTokens }: Parts): number {
  return cut.reduce((sum, isGone, index) => {
    if (isGone === 0) return sum;
    const marker = cut[index - 1] === 1 ? 0 : markerTokens;
    return sum + (tokens[index] ?? 0) - (harm[index] ?? 0) - marker;
  }, 0);
}

function isAllowed(cut: Cut, parts: readonly Part[], heads: readonly number[][]): boolean {
  return cut.every(
    (isGone, index) =>
      (isGone === 0 && heads[index]?.every((head) => cut[head] === 0) === true) ||
      (isGone === 1 && parts[index]?.isPinned === false),
  );
}

const allCuts = (count: number): Cut[] =>
  Array.from({ length: 2 ** count }, (_, bits) =>
    Uint8Array.from({ length: count }, (_, at) => (bits >> at) & 1),
  );

describe('gapsAtPrice', () => {
  it('gapsAtPrice finds the best of all cuts that keep pinned parts and the header lines around kept parts [P21]', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 7 }), fc.integer({ min: 0, max: 40 }), (list, markerTokens) => {
        const { parts, heads } = nested(list, markerTokens);
        const cut = gapsAtPrice(1, parts);
        const allowed = allCuts(list.length).filter((each) => isAllowed(each, list, heads));
        expect(isAllowed(cut, list, heads)).toBe(true);
        expect(gainOf(cut, parts)).toBe(Math.max(...allowed.map((each) => gainOf(each, parts))));
      }),
      { numRuns: 300 },
    );
  });

  it('gapsAtPrice removes a small relevant part between two gaps if the part costs less than another marker [P18]', () => {
    const tokens = Float64Array.from([100, 10, 100]);
    const harm = Float64Array.from([10, 20, 10]);
    const flat = { depth: new Uint8Array(3), pinned: new Uint8Array(3), tokens, harm };
    expect([...gapsAtPrice(1, { ...flat, markerTokens: 34 })]).toEqual([1, 1, 1]);
    expect([...gapsAtPrice(1, { ...flat, markerTokens: 0 })]).toEqual([1, 0, 1]);
  });
});

it('cutsAround returns the largest cut that is not sufficient, and the smallest cut that is sufficient', () => {
  const flat = { depth: new Uint8Array(4), pinned: new Uint8Array(4), markerTokens: 5 };
  const parts = { ...flat, tokens: new Float64Array(4).fill(50), harm: Float64Array.from([1, 40, 20, 90]) };
  const removed = (cut: Cut) => cut.reduce((sum, gone) => sum + gone, 0);
  const { below, above } = cutsAround(parts, (cut) => removed(cut) >= 3);
  expect([[...below], [...above]]).toEqual([
    [1, 0, 1, 0],
    [1, 1, 1, 0],
  ]);
  expect(removed(gapsAtPrice(MAX_PRICE, parts))).toBe(4);
});
