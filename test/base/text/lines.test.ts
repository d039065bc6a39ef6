import { expect, it } from 'vitest';
import { splitLines } from '../../../packages/base/src/text/lines.ts';

it('splitLines counts lines as grep, git and compilers do', () => {
  expect(splitLines('')).toEqual([]);
  expect(splitLines('\n')).toEqual(['']);
  expect(splitLines('a\r\nb')).toEqual(['a\r', 'b']);
  expect(splitLines('a\nb\n')).toEqual(['a', 'b']);
});
