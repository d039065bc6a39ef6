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

it('numbers in front of seven of ten lines are line numbers, of six they are not', () => {
  expect(isNumbered(tenLines(7))).toBe(true);
  expect(isNumbered(tenLines(6))).toBe(false);
});

it('seven of ten have to ascend', () => {
  expect(isNumbered(tenLines(10, (line) => (line < 48 ? line : 1)))).toBe(true);
  expect(isNumbered(tenLines(10, (line) => (line < 47 ? line : 1)))).toBe(false);
});

it('two lines are too few to tell', () => {
  expect(isNumbered(['41: a', '42: b'])).toBe(false);
  expect(isNumbered(['41: a', '42: b', '43: c'])).toBe(true);
});

it('lines of a numbered text begin behind the number, and have that number', () => {
  const shapes = readShapes(readCharacters(['41: a', '42: b', '57: c']));
  expect([...shapes.numbers]).toEqual([41, 42, 57]);
});

it('lines without printed numbers count from one', () => {
  const shapes = readShapes(readCharacters(['a', 'b']));
  expect([...shapes.numbers]).toEqual([1, 2]);
  expect(shapes.bodies).toHaveLength(2);
});
