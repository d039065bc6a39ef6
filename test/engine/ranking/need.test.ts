import { describe, expect, it } from 'vitest';
import { Needs } from '../../../packages/engine/src/ranking/need.ts';
import type { Unit } from '../../../packages/engine/src/reading/document.ts';

const unit = (start: number, end: number): Unit => ({
  kind: 'element',
  name: 'article',
  start,
  end,
  head: start,
});
const lines = Array.from({ length: 100 }, (_, at) => `  - button "Add to cart" [ref=e${at}]`);

function needsOf(scoreOf: (index: number) => number): Needs {
  const scores = Float64Array.from(lines, (_, index) => scoreOf(index));
  return new Needs(lines, { scores, areLogOdds: true, tier: 'full' }, 'docs');
}

describe('Needs.isUnrelated', () => {
  it('[P54] isUnrelated returns true for equally weak functions if one line is much stronger', () => {
    const needs = needsOf((index) => (index === 50 ? 5.7 : 0));
    expect(needs.density(1, 4)).toBeGreaterThan(0.25);
    expect(needs.isUnrelated(unit(1, 4))).toBe(true);
    expect(needs.isUnrelated(unit(49, 52))).toBe(false);
  });

  it('[P54] isUnrelated returns false for equally weak functions if no line is much stronger', () => {
    const needs = needsOf((index) => (index === 50 ? 4 : 0));
    expect(needs.density(1, 4)).toBeGreaterThan(0.25);
    expect(needs.isUnrelated(unit(1, 4))).toBe(false);
  });

  it('[P55] isUnrelated compares page lines with the content of the page, not with its address or a menu', () => {
    const known = new Map([
      [0, 5],
      [50, 2],
    ]);
    const scores = Float64Array.from(lines, (_, index) => known.get(index) ?? 0);
    const scored = { scores, areLogOdds: true, tier: 'full' } as const;
    const strengthOf = (isContent: (index: number) => boolean) =>
      new Needs(lines, { ...scored, isContent }, 'docs').best(51, 51);
    expect(strengthOf(() => true)).toBeLessThan(0.1);
    expect(strengthOf((index) => index > 0)).toBe(1);
  });

  it('[P54] isUnrelated requires a clearly lower score for a long function than for a short function', () => {
    const code = Array.from({ length: 300 }, (_, at) => `  call${at}(value);`);
    // Both functions have one line of a fifteenth of the strongest line's odds.
    const weak = new Set([5, 105]);
    const scores = Float64Array.from(code, (_, at) => (weak.has(at) ? -3.4 : -9));
    scores[299] = 0;
    const needs = new Needs(code, { scores, areLogOdds: true, tier: 'full' }, 'code');
    const named = (start: number, end: number): Unit => ({
      kind: 'function',
      name: 'f',
      start,
      end,
      head: start,
    });
    expect(needs.isUnrelated(named(1, 60))).toBe(true);
    expect(needs.isUnrelated(named(101, 200))).toBe(false);
    expect(needs.isUnrelated(named(201, 290))).toBe(true);
    // A request that names no function keeps this function, because the limits are then lower.
    expect(needs.isUnrelated(named(1, 60), { isNamed: false })).toBe(false);
    expect(needs.isUnrelated(named(201, 290), { isNamed: false })).toBe(true);
  });
});
