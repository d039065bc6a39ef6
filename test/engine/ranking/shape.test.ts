import { expect, it } from 'vitest';
import { readCharacters } from '../../../packages/engine/src/ranking/scorers/lexical/words.ts';
import { readShapes } from '../../../packages/engine/src/ranking/scorers/local/features/shape.ts';

/** Returns ten lines. The first `numbered` lines begin with a number. */
function tenLines(numbered: number, numberOf = (line: number) => line): string[] {
  return Array.from({ length: 10 }, (_, at) => (at < numbered ? `${numberOf(at + 41)}: code` : 'code'));
}

function isNumbered(lines: readonly string[]): boolean {
  return readShapes(readCharacters(lines)).numbered;
}

it('isNumbered returns true if seven of ten lines begin with a number, and false if only six of ten do', () => {
  expect(isNumbered(tenLines(7))).toBe(true);
  expect(isNumbered(tenLines(6))).toBe(false);
});

it('isNumbered requires that seven of ten numbers are in ascending order', () => {
  expect(isNumbered(tenLines(10, (line) => (line < 48 ? line : 1)))).toBe(true);
  expect(isNumbered(tenLines(10, (line) => (line < 47 ? line : 1)))).toBe(false);
});

it('isNumbered returns false for two lines with numbers and true for three', () => {
  expect(isNumbered(['41: a', '42: b'])).toBe(false);
  expect(isNumbered(['41: a', '42: b', '43: c'])).toBe(true);
});

it('`readShapes` returns the position after the line number as the beginning of a numbered line', () => {
  expect([...readShapes(readCharacters(['41: a', '42: b', '57: c'])).bodies]).toEqual([3, 9, 15]);
  expect([...readShapes(readCharacters(['a', 'b'])).bodies]).toEqual([0, 2]);
});
