import { describe, expect, it } from 'vitest';
import { runWithin } from '../../src/runtime/run-within.ts';

describe('work in this thread with a time limit', () => {
  it('gives what the work gives, and throws what it throws', () => {
    expect(runWithin(() => ({ answer: 42 }), 10_000)).toEqual({ answer: 42 });
    expect(() =>
      runWithin(() => {
        throw new TypeError('odd');
      }, 10_000),
    ).toThrow(TypeError);
  });

  it.each([
    ['a loop without end', () => loopForEver()],
    ['a pattern that backtracks for ever', () => /^(a+)+$/.test(`${'a'.repeat(60)}b`)],
    ['no time at all', () => 42, 0],
  ])('[A2] stops %s', (_, work: () => unknown, timeoutMs = 50) => {
    expect(runWithin(work, timeoutMs)).toBeUndefined();
  });
});

function loopForEver(): never {
  for (;;);
}
