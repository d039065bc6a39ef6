import { expect, it } from 'vitest';
import { readCharacters } from '../../../packages/engine/src/ranking/scorers/lexical/words.ts';
import { readShapes } from '../../../packages/engine/src/ranking/scorers/local/features/shape.ts';

/** Ten lines, of which the first so many carry their number. */
function tenLines(numbered: number, numberOf = (line: number) => line): string[] {
  return Array.from({ length: 10 }, (_, at) => (at < numbered ? `${numberOf(at + 41)}: code` : 'code'));
}

function isNumbered(lines: readonly string[]): boolean {
  return readShapes(readCharacters(lines)).numbered;
}

it('lines have printed numbers if seven of ten begin with one, not if six do', () => {
  expect(isNumbered(tenLines(7))).toBe(true);
  expect(isNumbered(tenLines(6))).toBe(false);
});

it('printed numbers are recognised only if seven of ten ascend', () => {
  expect(isNumbered(tenLines(10, (line) => (line < 48 ? line : 1)))).toBe(true);
  expect(isNumbered(tenLines(10, (line) => (line < 47 ? line : 1)))).toBe(false);
});

it('printed numbers are not recognised in only two lines', () => {
  expect(isNumbered(['41: a', '42: b'])).toBe(false);
  expect(isNumbered(['41: a', '42: b', '43: c'])).toBe(true);
});

it('`readShapes` begins the text of a numbered line after its number', () => {
  expect([...readShapes(readCharacters(['41: a', '42: b', '57: c'])).bodies]).toEqual([3, 9, 15]);
  expect([...readShapes(readCharacters(['a', 'b'])).bodies]).toEqual([0, 2]);
});
