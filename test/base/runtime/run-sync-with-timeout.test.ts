import { describe, expect, it } from 'vitest';
import { runSyncWithTimeout } from '../../../packages/base/src/runtime/time.ts';

describe('runSyncWithTimeout', () => {
  it('runSyncWithTimeout returns the result of the function, and throws its exceptions', () => {
    expect(runSyncWithTimeout(() => ({ answer: 42 }), 10_000)).toEqual({ answer: 42 });
    expect(() =>
      runSyncWithTimeout(() => {
        throw new TypeError('odd');
      }, 10_000),
    ).toThrow(TypeError);
  });

  it.each([
    ['a loop without end', loopForEver],
    ['a pattern that backtracks for ever', backtrackForEver],
  ])('[A2] runSyncWithTimeout stops %s', (_, work: () => unknown) => {
    expect(runSyncWithTimeout(work, 50)).toBeUndefined();
    expect(runSyncWithTimeout(work, 0)).toBeUndefined();
  });
});

function loopForEver(): never {
  for (;;);
}

function backtrackForEver(): boolean {
  return /^(a+)+$/.test(`${'a'.repeat(60)}b`);
}
