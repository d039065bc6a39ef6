import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLineTokens } from '../../src/pruning/cut/line-tokens.ts';
import { characterCodes } from '../../src/text/character-codes.ts';
import { estimateTokens, estimateTokensExactly, NEWLINE_TOKENS } from '../../src/text/token-estimate.ts';

const read = (lines: readonly string[], cutsInside = false) =>
  readLineTokens(characterCodes(lines.join('\n')), lines, cutsInside);

it('a run of lines costs what it would as a text of its own', () => {
  const line = fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme' }), fc.constant('  const total = 1;'));
  const lines = fc.array(
    line.filter((each) => !each.includes('\n')),
    { minLength: 1, maxLength: 9 },
  );
  fc.assert(
    fc.property(lines, fc.nat(8), fc.nat(8), (all, from, more) => {
      const start = Math.min(from, all.length - 1) + 1;
      const end = Math.min(start + more, all.length);
      const alone = estimateTokensExactly(all.slice(start - 1, end).join('\n'));
      expect(read(all).runExceeds({ start, end }, alone)).toBe(false);
      if (alone > 0) expect(read(all).runExceeds({ start, end }, alone * 0.999)).toBe(true);
    }),
  );
});

it('a line costs its own tokens and those of its line feed', () => {
  const lines = ['const total = add(1, 2);', '', 'return total;'];
  const { each } = read(lines);
  expect(each[1]).toBe(NEWLINE_TOKENS);
  for (const [at, line] of lines.entries())
    expect(Math.ceil((each[at] ?? 0) - NEWLINE_TOKENS)).toBe(estimateTokens(line));
});

it('a long line costs what is shown of it, where lines are cut inside', () => {
  const long = 'word '.repeat(500);
  expect(read(['a', long], true).each[1]).toBe(300);
  expect(read(['a', long]).each[1]).toBeGreaterThan(400);
  expect(read(['a', long], true).each[0]).toBe(read(['a', long]).each[0]);
});
