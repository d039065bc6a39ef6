import { expect, it } from 'vitest';
import { firstErrorLine, isFailure } from '../../../packages/base/src/text/failure-words.ts';

it.each([
  ['ok\nerror: no such file\nfatal: later', 'error: no such file'],
  ['0 errors, 0 failed\r\nTypeError: x is not a function\n', 'TypeError: x is not a function'],
  ['no errors, but 1 failed', 'no errors, but 1 failed'],
  ['terrors\nnothing to see', 'terrors'],
  ['12 passed, errors: 0', undefined],
  ['', undefined],
])('firstErrorLine returns the line in %j that reports a failure', (text, line) => {
  expect(firstErrorLine(text)).toBe(line);
});

it('firstErrorLine reads a line with 100,000 counts of "0 errors" only once', () => {
  expect(firstErrorLine(`${'0 errors '.repeat(100_000)}\nfatal: the end`)).toBe('fatal: the end');
});

it.each([
  ['12 passed; 0 failed; 0 ignored', false],
  ['Tests run: 12, failures=0, skipped=2', false],
  ['Error: 0 rows were written', true],
  ['scheduling failed: 0 of 3 nodes are free', true],
  ['no exception handler found', true],
])('[P21] isFailure ignores counts of zero failures, but not similar lines: %s', (line, expected) => {
  expect(isFailure(line)).toBe(expected);
});
