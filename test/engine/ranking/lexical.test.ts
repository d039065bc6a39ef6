import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoreLexically } from '../../../packages/engine/src/ranking/lexical-scorer.ts';

function score(lines: string[], goal: string): number[] {
  return [...scoreLexically({ lines, focus: { question: goal } }).scores];
}

function best(lines: string[], goal: string): string | undefined {
  const scores = score(lines, goal);
  return lines[scores.indexOf(Math.max(...scores))];
}

const blanks = ['', '', '', ''];

describe('the lexical scorer', () => {
  it('the lexical scorer matches snake_case names with camelCase names', () => {
    const lines = ['const total = 1;', ...blanks, 'def parse_http_header(raw):', ...blanks, 'return total'];
    expect(best(lines, 'why does parseHTTPHeader fail?')).toBe('def parse_http_header(raw):');
    expect(
      best(['x = 1', ...blanks, 'parseHTTPHeader(x)', ...blanks, 'y'], 'look at parse_http_header'),
    ).toBe('parseHTTPHeader(x)');
  });

  it('the lexical scorer matches inflected words by their stem', () => {
    expect(
      best(['nothing here', ...blanks, 'the caches were cleared', ...blanks, 'end'], 'cache clearing'),
    ).toBe('the caches were cleared');
  });

  it('the lexical scorer gives a line next to a match a lower score than the match, but a higher score than other lines', () => {
    const [far, , , near, hit] = score(['alpha', 'beta', 'gamma', 'delta', 'timeout'], 'timeout');
    expect(hit).toBeGreaterThan(near as number);
    expect(near).toBeGreaterThan(far as number);
  });

  it('the lexical scorer finds words in scripts without spaces', () => {
    expect(best(['你好', ...blanks, '超时 错误', ...blanks, '完成'], '为什么超时')).toBe('超时 错误');
  });

  it('the lexical scorer returns one finite score per line for any text, and returns the same scores in each run', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }), (lines, goal) => {
        const scores = score(lines, goal);
        expect(scores).toHaveLength(lines.length);
        expect(scores.every((value) => Number.isFinite(value) && value >= 0)).toBe(true);
        expect(score(lines, goal)).toEqual(scores);
      }),
    );
  });
});
