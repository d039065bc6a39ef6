import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normaliseCode } from '../../../packages/reverse-spec/src/spec/reading/skeleton.ts';

const same: [language: string, one: string, other: string][] = [
  [
    'typescript',
    'function f( a : string,b?:number ): void',
    'function f(\n  a: string,\n  b?: number,\n): void',
  ],
  ['typescript', 'type A = { a: string; b: number }', 'type A = {\n  a: string,\n  b: number,\n};'],
  ['typescript', 'type A = { a: string; b: number }', 'type A = {\n  a: string\n  b: number\n}'],
  ['typescript', "type A = 'a' | 'b'", 'type A =\n  | "a"\n  | "b";'],
  ['typescript', 'function f(a /* the first */ : string): void', 'function f(a: string): void // done'],
  ['python', "def f(a, b='x'):", 'def f(\n    a,  # first\n    b="x",\n):'],
  ['go', 'func F(a int, b string) error', 'func F(\n\ta int, // first\n\tb string,\n) error'],
  ['rust', 'pub fn f<T>(a: T) -> u8', 'pub fn f<T>(\n    a: T,\n) -> u8'],
];

it.each(same)(
  '[R41] normaliseCode returns the same text for different formatting (%s: %s)',
  (language, one, other) => {
    expect(normaliseCode(other, language)).toBe(normaliseCode(one, language));
  },
);

const different: [language: string, one: string, other: string][] = [
  ['typescript', "type A = 'a b'", "type A = 'a  b'"],
  ['typescript', "const url = 'http://a'", "const url = 'http://b'"],
  ['typescript', 'function f(a: string)', 'function f(a?: string)'],
  ['typescript', 'type A = { a: string; b: number }', 'type A = { a: string }'],
  ['typescript', 'function f(a: number[])', 'function f(a: number)'],
  ['python', "def f(a='#1'):", "def f(a='#2'):"],
  ['c', "char f(char c = 'a')", 'char f(char c = "a")'],
  ['rust', "fn f<'a>(x: &'a str)", "fn f<'b>(x: &'a str)"],
];

it.each(different)(
  '[R41] normaliseCode returns different texts for different code (%s: %s)',
  (language, one, other) => {
    expect(normaliseCode(other, language)).not.toBe(normaliseCode(one, language));
  },
);

it('[R41] normaliseCode terminates for any text, and ignores additional spaces between tokens', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(typeof normaliseCode(text, 'typescript')).toBe('string');
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', ':', ',', '=>', '(', ')', '[', ']')), (tokens) => {
      expect(normaliseCode(tokens.join('  '), 'go')).toBe(normaliseCode(tokens.join(' '), 'go'));
    }),
  );
});
