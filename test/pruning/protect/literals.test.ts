import { describe, expect, it } from 'vitest';
import { pinnedIn } from './protected-lines.ts';

/** A text of `total` lines of which the first ones are given. */
function text(first: readonly string[], total = 100): string[] {
  return [...first, ...Array.from({ length: total - first.length }, (_, at) => `Sentence ${at} goes on.`)];
}

const holding = (word: string, count: number) =>
  Array.from({ length: count }, (_, at) => `Here the ${word} stands (${at}).`);
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const staysFor = (question: string, lines: readonly string[]) =>
  pinnedIn(lines, { sourceType: 'docs', question });

describe('[P28] a word of the question keeps its lines', () => {
  it('where they are six at most, or one of fifty', () => {
    expect(staysFor('the zeppelin?', text(holding('zeppelin', 6)))).toEqual(numbers(6));
    expect(staysFor('the zeppelin?', text(holding('zeppelin', 7)))).toEqual([]);
    expect(staysFor('the zeppelin?', text(holding('zeppelin', 8), 400))).toEqual(numbers(8));
    expect(staysFor('the zeppelin?', text(holding('zeppelin', 9), 400))).toEqual([]);
  });

  it.each([
    ['quoted', 'what is a "big zeppelin"?', 'big zeppelin'],
    ['in single quotes', "what is a 'big zeppelin'?", 'big zeppelin'],
    ['written as code', 'what is `zeppelin` for?', 'zeppelin'],
    ['in camel case', 'what is zeppelinSize for?', 'zeppelinSize'],
    ['a number', 'why 442?', '442'],
  ])('or twelve where it is %s', (_, question, word) => {
    expect(staysFor(question, text(holding(word, 12)))).toEqual(numbers(12));
    expect(staysFor(question, text(holding(word, 13)))).toEqual([]);
  });

  it('up to forty lines for all words together', () => {
    const names = ['first_name', 'second_name', 'third_name', 'fourth_name', 'fifth_name'];
    const lines = names.flatMap((name, at) => holding(name, at === 4 ? 4 : 12));
    const kept = [...numbers(36), ...numbers(4).map((line) => 48 + line)];
    expect(staysFor(names.join(' '), text(lines))).toEqual(kept);
  });

  it('from three letters on, and what is quoted without the blanks around it', () => {
    expect(staysFor('the fox?', text(holding('fox', 6)))).toEqual(numbers(6));
    expect(staysFor('what is " big zeppelin "?', text(holding('big zeppelin', 12)))).toEqual(numbers(12));
  });

  it('in whatever case, and only by itself', () => {
    const lines = [
      'A Zeppelin.',
      'zeppelins',
      'my_zeppelin',
      'zeppelin',
      'zeppelins: zeppelin',
      'on-zeppelin-day',
    ];
    expect(staysFor('ZEPPELIN', text(lines))).toEqual([1, 4, 5, 6]);
  });

  it('unless it is one of a question, short, a digit or an apostrophe away from the next', () => {
    const lines = ['how', 'ox', '7', 'd, we'];
    expect(staysFor(`how 7 ox I'd, we'd "  "?`, text(lines))).toEqual([]);
  });

  it('in a question of up to 300 characters', () => {
    const question = `zeppelin ${'is '.repeat(97)}`;
    expect(staysFor(question, text(holding('zeppelin', 1)))).toEqual([1]);
    expect(question).toHaveLength(300);
    expect(staysFor(`${question} `, text(holding('zeppelin', 1)))).toEqual([]);
  });
});

describe('[P28] what a question asks to list stays', () => {
  const files = (count: number) => Array.from({ length: count }, (_, at) => `src/part-${at}.ts`);

  it('up to 300 entries', () => {
    expect(staysFor('which files are there?', text(files(300), 400))).toEqual(numbers(300));
    expect(staysFor('which files are there?', text(files(301), 400))).toEqual([]);
  });

  it('whatever else the question asks to list', () => {
    const asked = 'list all tests and what files are there';
    expect(staysFor(asked, text([...files(301), "it('works', () => {"], 400))).toEqual([302]);
  });

  it('but not in a question that is too long, nor where tests are only said to pass', () => {
    const tests = ["it('works', () => {"];
    expect(staysFor('which tests are there?', text(tests))).toEqual([1]);
    expect(staysFor('I made sure that all tests pass now', text(tests))).toEqual([]);
    expect(staysFor(`which tests are there?${' '.repeat(279)}`, text(tests))).toEqual([]);
  });
});
