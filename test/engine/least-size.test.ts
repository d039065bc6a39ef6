import { expect, it } from 'vitest';
import { isTooSmall, savesTooLittle } from '../../packages/engine/src/request.ts';
import { pruneRequest, testPruner } from '../support/pruner.ts';

const least = { characters: 1000, savedTokens: 60, savedShare: 0.1 };
const filler = (count: number) =>
  Array.from({ length: count }, (_, at) => `    value_${at} = compute_something(${at}, "padding")`).join(
    '\n',
  );

it.each([
  ['a text below the least size', filler(15), { ...least, characters: 1000 }],
  ['a cut that saves too few tokens', filler(60), { ...least, savedTokens: 1e6 }],
  ['a cut that saves too small a share', filler(60), { ...least, savedShare: 0.999 }],
])('[P29] the pruner returns %s unchanged, and does not report a fallback', async (_, text, asked) => {
  const options = { maxPruneRatio: 0.9, least: asked };
  const { prunedText, stats, warnings } = await testPruner().prune(pruneRequest({ text, options }));
  expect(prunedText).toBe(text);
  expect(stats.usedFallback).toBe(false);
  expect(warnings).toEqual([]);
  const { least: _least, ...any } = options;
  expect((await testPruner().prune(pruneRequest({ text, options: any }))).stats.prunedLines).toBeGreaterThan(
    0,
  );
});

it.each([
  ['binary', `\u007fELF\u0000\u0001${filler(60)}`],
  ['what was not UTF-8', `${filler(60)}${'\ufffd'.repeat(400)}`],
])('[P29] the pruner returns %s unchanged with the warning not_text', async (_, text) => {
  const { prunedText, warnings, id } = await testPruner().prune(
    pruneRequest({ text, options: { maxPruneRatio: 0.9 } }),
  );
  expect(prunedText).toBe(text);
  expect(warnings).toEqual(['not_text']);
  expect(id).toMatch(/^prn_/);
});

it('[P29] a text is shortened if the saving is exactly the minimum, or if the request has no minimum', () => {
  expect(isTooSmall('x'.repeat(999), least)).toBe(true);
  expect(isTooSmall('x'.repeat(1000), least)).toBe(false);
  expect(isTooSmall('', undefined)).toBe(false);
  expect(savesTooLittle({ tokensBefore: 600, tokensAfter: 540 }, least)).toBe(false);
  expect(savesTooLittle({ tokensBefore: 600, tokensAfter: 541 }, least)).toBe(true);
  expect(savesTooLittle({ tokensBefore: 1000, tokensAfter: 901 }, least)).toBe(true);
  expect(savesTooLittle({ tokensBefore: 1000, tokensAfter: 900 }, least)).toBe(false);
  expect(savesTooLittle({ tokensBefore: 1, tokensAfter: 1 }, undefined)).toBe(false);
});
