import { afterAll, describe, expect, it } from 'vitest';
import { guessLanguage, languages } from '../../../packages/base/src/languages/languages.ts';
import { structuralLines } from '../../../packages/base/src/languages/structure.ts';
import { maskMacros } from '../../../packages/reverse-spec/src/syntax/languages/c/mask.ts';
import { maskActual } from '../../../packages/reverse-spec/src/syntax/languages/kotlin/read.ts';
import { maskNewWords } from '../../../packages/reverse-spec/src/syntax/languages/swift/read.ts';
import { createOutliner } from '../../../packages/reverse-spec/src/syntax/read-outline.ts';
import { outlineText } from './outline-text.ts';

const SIZE = 500_000;
const LINE = 399;

/** Pieces of text that are slow for expressions which can read one text in many ways. */
const PIECES = [
  ' ',
  '\t',
  'a ',
  'a<b> ',
  'a<',
  'a::',
  'a.',
  '<a> ',
  '(',
  ') ',
  '((',
  '[[',
  '[] ',
  ', ',
  ': ',
  '= ',
  '=> ',
  '-> ',
  '*&',
  '{ ',
  'operator&*',
  'static ',
  'const ',
  'let a: ',
  'new A<',
  'guard ',
  'function(',
  'throws a, ',
  '@a(',
  '#[',
  '\\',
];
/** Texts that an expression must read before it comes to a piece. */
const BEGINNINGS = [
  '',
  '    ',
  '  virtual int ',
  'template<',
  'impl<',
  'namespace ',
  'int f(',
  '  int f(',
  '  A(',
  '    let a: ',
  'const a = (',
  'fun <',
];

describe('[SY10] texts made to be slow are read to their end', () => {
  it.each(languages.map(({ id }) => id))(
    'the line patterns of %s read texts designed to be slow to their end',
    (language) => {
      for (const lines of hostileTexts()) {
        const found = structuralLines([...lines, '', 'import a;'], language);
        expect(found.every(({ line }) => line <= lines.length + 2)).toBe(true);
      }
    },
  );

  it('guessLanguage reads texts designed to be slow to their end', () => {
    for (const lines of hostileTexts()) guessLanguage(lines.join('\n'));
  });

  it.each([
    ['AAAA(\n'],
    ['#ifdef __cplusplus\n'],
    ['#if defined(__cplusplus)\n\n\n'],
    ['AAAA(\r'],
    ['AAAA const '],
    ['struct AAAA(a) '],
    [') AAAA '],
    ['actual '],
    ['actual\n\n'],
    ['#a '],
    [': sending '],
    [': \n'],
  ])(
    'the masking functions read texts designed to be slow to their end and keep their length: %j',
    (piece) => {
      const text = piece.repeat(SIZE / piece.length);
      for (const mask of [maskMacros, maskActual, maskNewWords]) expect(mask(text)).toHaveLength(text.length);
    },
  );
});

describe('outlines of texts with hostile lines', () => {
  const outliner = createOutliner();
  afterAll(() => outliner.close());

  it('[SY10] an outliner returns the same outline with and without hostile lines', async () => {
    const attack = `  virtual int ${'a<b> '.repeat(34)}!;`;
    const lines = ['class A {', attack, ' public:', '  int size() const;', '};', 'int last();'];
    const { declarations } = await outliner.outline(lines.join('\n'), { language: 'cpp' });
    expect(outlineText({ declarations })).toEqual(
      expect.arrayContaining(['+ class A 1-5: class A', '+ function last 6-6: int last()']),
    );
  });

  it('[SY10] an outliner finds declarations after thousands of unclosed calls', async () => {
    const text = `${'AAAA(\n'.repeat(2_000)}\nint last(void) { return 0; }\n`;
    const { declarations, problems } = await outliner.outline(text, { language: 'c' });
    expect(declarations.map(({ name }) => name)).toContain('last');
    expect(problems.length).toBeGreaterThan(0);
  });
});

function* hostileTexts(): Generator<string[]> {
  for (const piece of PIECES) {
    const lines = BEGINNINGS.map((beginning) =>
      `${beginning}${piece.repeat(LINE)}`.slice(0, LINE - 1).concat('!'),
    );
    yield lines;
  }
  const worst = `  virtual int ${'a<b> '.repeat(70)}!;`;
  yield Array.from({ length: SIZE / worst.length }, () => worst);
}
