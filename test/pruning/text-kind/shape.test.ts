import { describe, expect, it } from 'vitest';
import { isReadWhole, kindOfText, type TextOrigin } from '../../../src/pruning/text-kind.ts';

const many = <Made>(count: number, make: (at: number) => Made) =>
  Array.from({ length: count }, (_, at) => make(at));
const lines = (count: number) =>
  many(count, (at) => `the story of step ${'abcdefghij'.charAt(at % 10)} = goes on (`);
const shapeOf = (text: readonly string[], origin: TextOrigin = { kind: 'other' }) =>
  kindOfText(origin, text.join('\n')).shape;
const command = (line: string): TextOrigin => ({ kind: 'command', command: line });

describe('[P21] the shape of a text is read from its lines', () => {
  const hunk = '@@ -1,9 +1,9 @@';

  it('which are three at least', () => {
    expect(shapeOf([hunk, '-old'])).toBe('code');
    expect(shapeOf([hunk, '-old', ''])).toBe('code');
    expect(shapeOf([hunk, '-old', '+new'])).toBe('diff');
  });

  it('a diff: a hunk, and changes in more than a tenth', () => {
    expect(shapeOf([hunk, '-old', ...lines(8)])).toBe('code');
    expect(shapeOf([hunk, '-old', ...lines(7)])).toBe('diff');
    expect(shapeOf(['-old', ...lines(3)])).toBe('code');
  });

  it('a test run: a line that sums it up, be it the last of many', () => {
    const sum = '=== 1 failed, 60 passed in 2.10s ===';
    expect(shapeOf([...lines(1000), sum])).toBe('test-run');
    expect(shapeOf([sum, ...lines(1000)])).toBe('test-run');
    expect(shapeOf([...lines(300), sum, ...lines(300)])).toBe('code');
    expect(shapeOf([...lines(199), sum, ...lines(200)])).toBe('test-run');
    const long = many(150, () => 'x'.repeat(1000));
    expect(shapeOf([...long, sum])).toBe('test-run');
    expect(shapeOf([sum, ...long])).toBe('test-run');
  });

  it('data: a bracket first, and JSON in more than four fifths', () => {
    const json = (count: number) => ['{', ...many(count, (at) => `  "key${at}": ${at},`)];
    expect(shapeOf([...json(8), ...lines(2)])).toBe('data');
    expect(shapeOf([...json(7), ...lines(2)])).toBe('code');
    expect(shapeOf(json(8).slice(1))).not.toBe('data');
  });

  it('markup: it says so in its first line', () => {
    expect(shapeOf(['<!DOCTYPE html>', ...lines(3)])).toBe('markup');
    expect(shapeOf([...lines(3), '<!DOCTYPE html>'])).toBe('code');
  });

  it('search results: more than three fifths name file and line', () => {
    const found = (count: number) => many(count, (at) => `src/a.ts:${at + 1}: return retry(`);
    expect(shapeOf([...found(7), ...lines(4)])).toBe('search');
    expect(shapeOf([...found(6), ...lines(4)])).toBe('code');
  });

  it('search results below the names of their files: hardly anything else', () => {
    const found = ['src/a.ts', ...many(8, (at) => `${at + 1}: return retry(`), '--', 'src/b.ts', '7: return'];
    expect(shapeOf(found)).toBe('search');
    expect(shapeOf([...found, ...lines(1)])).toBe('search');
    expect(shapeOf([...found, ...lines(2)])).not.toBe('search');
    expect(shapeOf(many(9, (at) => `${at + 1}: return retry(`))).not.toBe('search');
  });

  it('a listing: more than seven tenths are entries', () => {
    const entries = (count: number) => many(count, (at) => `src/part-${at}/index.ts`);
    expect(shapeOf([...entries(8), ...lines(3)])).toBe('listing');
    expect(shapeOf([...entries(7), ...lines(3)])).toBe('code');
  });

  it('a table: names in capitals, a rule at its head, or as many delimiters in nine rows of ten', () => {
    expect(shapeOf(['NAME   READY   AGE', ...lines(4)])).toBe('table');
    expect(shapeOf(['NAME   READY   AGE', ...lines(3)])).toBe('code');
    expect(shapeOf([' name | age ', '------+-----', ...lines(3)])).toBe('table');
    expect(shapeOf(['+------+-----+', ...lines(4)])).toBe('table');
    const rows = (count: number) => many(count, (at) => `order,${at},open`);
    expect(shapeOf(['name,number,state', ...rows(9), 'x'])).toBe('table');
    expect(shapeOf(['name,number,state', ...rows(8), 'x'])).toBe('code');
    expect(shapeOf(['name,number', ...many(9, (at) => `order,${at}`)])).toBe('code');
    expect(shapeOf(['name,(number),state', ...rows(9)])).toBe('code');
  });

  it('through the numbers that stand before more than seven tenths of them', () => {
    const numbered = (text: readonly string[]) => text.map((line, at) => `${at + 1}\t${line}`);
    expect(shapeOf(numbered([hunk, '-old', '+new']))).toBe('diff');
    expect(shapeOf([...numbered([hunk, '-old', '+new', ...lines(5)]), ...lines(3)])).toBe('diff');
    expect(shapeOf([...numbered([hunk, '-old', '+new', ...lines(4)]), ...lines(3)])).toBe('code');
  });
});

describe('[P21] what no shape says is guessed from the lines', () => {
  const stamped = (count: number) => many(count, (at) => `2026-01-01 00:00:0${at} all is well`);
  const prose = (count: number) =>
    many(count, () => 'This sentence goes on for a while and says hardly anything.');
  const typeOf = (text: readonly string[]) => kindOfText({ kind: 'other' }, text.join('\n')).sourceType;

  it('a log where more than a third bear a time or a level', () => {
    expect(typeOf([...stamped(2), ...lines(3)])).toBe('logs');
    expect(typeOf([...stamped(2), ...lines(4)])).toBe('code');
    expect(typeOf([...stamped(2), '', ' ', ...lines(3)])).toBe('logs');
  });

  it('a document where more than a quarter is prose, and more of it than code', () => {
    expect(typeOf([...prose(2), ...many(5, () => 'x y')])).toBe('docs');
    expect(typeOf([...prose(2), ...many(6, () => 'x y')])).toBe('code');
    expect(typeOf([...prose(2), 'f();', ...many(3, () => 'x y')])).toBe('docs');
    expect(typeOf([...prose(2), 'f();', 'g();', 'x y'])).toBe('code');
    expect(typeOf(['# One', '## Two', 'x y'])).toBe('docs');
  });
});

describe('[P21] what a command prints of its own is a log', () => {
  it('unless three tenths of it are code beyond doubt', () => {
    const code = (count: number) => many(count, (at) => `step(${at});`);
    const words = (count: number) => many(count, () => 'x y');
    expect(shapeOf([...code(4), ...words(9)], command('make'))).toBe('code');
    expect(shapeOf([...code(3), ...words(7)], command('make'))).toBe('logs');
    const declared = many(4, (at) => `class Store${at}`);
    expect(shapeOf([...declared, ...words(9)], command('make'))).toBe('code');
    expect(shapeOf([...declared, ...words(10)], command('make'))).toBe('logs');
    expect(shapeOf(['Traceback (most recent call last):', ...code(9)], command('make'))).toBe('logs');
  });

  it('or two headings make a document of it', () => {
    const prose = many(4, () => 'This sentence goes on for a while and says hardly anything.');
    expect(shapeOf(['# One', ...prose, '# Two'], command('make'))).toBe('docs');
    expect(shapeOf(['# One', ...prose], command('make'))).toBe('logs');
  });

  it.each([
    ['rg retry', 'search'],
    ['ls', 'listing'],
    ['cat a b.md', 'code'],
    ['git --no-pager log -3', 'code'],
    ['npm run build', 'logs'],
  ])('but `%s` prints %s', (line, shape) => {
    expect(
      shapeOf(
        many(9, () => 'x y'),
        command(line),
      ),
    ).toBe(shape);
  });
});

it.each([
  ['a.csv', 'table'],
  ['a.yml', 'data'],
  ['a.toml', 'data'],
  ['a.svg', 'markup'],
  ['a.py', 'code'],
])('[P21] the name %s says more than the lines', (path, shape) => {
  expect(shapeOf(['one', 'two', 'three'], { kind: 'file', path })).toBe(shape);
});

it('[P21] a diff of up to 20,000 characters is read to the letter, unless a search found it', () => {
  const diff = ['@@ -1,9 +1,9 @@', '-old', '+new', ' '].join('\n');
  const filled = (length: number) => diff + 'x'.repeat(length - diff.length);
  const isWhole = (text: string, origin: TextOrigin) => isReadWhole(origin, text, kindOfText(origin, text));
  expect(isWhole(filled(20_000), { kind: 'other' })).toBe(true);
  expect(isWhole(filled(20_001), { kind: 'other' })).toBe(false);
  expect(isWhole(filled(20_000), { kind: 'search', pattern: 'old' })).toBe(false);
});
