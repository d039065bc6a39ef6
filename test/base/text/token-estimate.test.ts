import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { characterCodes } from '../../../packages/base/src/text/characters.ts';
import {
  estimateTokens,
  estimateTokensExactly,
  estimateTokensIn,
  NEWLINE_TOKENS,
} from '../../../packages/base/src/text/token-estimate.ts';

const SAMPLES = {
  code: 'export function parseHeader(line: string): Header | undefined {\n  const colon = line.indexOf(":");\n  if (colon < 0) return undefined;\n  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1) };\n}\n',
  prose:
    'The gardener keeps two pairs of shears: one for the roses, which want a clean cut above an outward bud, and one for everything that has grown beyond its place.\n',
  logs: '2026-03-01T10:22:31.482Z INFO  worker-3 fetched 128 rows in 42 ms\n2026-03-01T10:22:31.991Z WARN  worker-1 retrying request 7f3a9c in 250 ms\n',
};

it.each(Object.entries(SAMPLES))('estimateTokens is within 12 %% of the o200k count on %s', (_name, text) => {
  const long = text.repeat(20);
  const real = countTokens(long);
  expect(Math.abs(estimateTokens(long) - real) / real).toBeLessThan(0.12);
});

it('estimateTokens returns 0 for an empty string, and never returns a negative or infinite number', () => {
  expect(estimateTokens('')).toBe(0);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const tokens = estimateTokensExactly(text);
      expect(tokens).toBeGreaterThanOrEqual(0);
      expect(Number.isFinite(tokens)).toBe(true);
    }),
  );
});

/** Letters, capitals, digits, spaces, line feeds, punctuation and other scripts, so that runs follow each other in any order. */
const runs = fc.string({
  unit: fc.constantFrom('a', 'B', 'wordy', 'Hump', '1', '23', ' ', '\t', '\r', '\n', '.', '=>', '文', 'é'),
  maxLength: 60,
});

it('estimateTokensIn counts a part of a text as estimateTokens counts a separate text', () => {
  fc.assert(
    fc.property(runs, runs, runs, (before, part, after) => {
      const codes = characterCodes(`${before}${part}${after}`);
      const from = before.length;
      expect(estimateTokensIn({ codes, from, to: from + part.length })).toBe(estimateTokensExactly(part));
    }),
  );
});

it('estimateTokensIn stops counting when a part exceeds the limit', () => {
  fc.assert(
    fc.property(runs, fc.double({ min: 0, max: 40, noNaN: true }), (text, most) => {
      const part = { codes: characterCodes(text), from: 0, to: text.length };
      expect(estimateTokensIn(part, most) > most).toBe(estimateTokensIn(part) > most);
    }),
  );
});

it('the estimate of a line with its line feed is the sum of the estimates of both', () => {
  fc.assert(
    fc.property(runs, (text) => {
      const line = text.replaceAll('\n', '');
      expect(estimateTokensExactly(line) + NEWLINE_TOKENS).toBe(estimateTokensExactly(`${line}\n`));
    }),
  );
});
