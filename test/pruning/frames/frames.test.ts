import { describe, expect, it } from 'vitest';
import { classify } from '../../../src/pruning/cut/classify.ts';
import { type Frames, framesOf } from '../../../src/pruning/cut/frames.ts';
import type { Shape } from '../../../src/pruning/text-kind/shape.ts';
import type { SourceType } from '../../../src/ranking/scorer.ts';

interface Kind {
  shape: Shape;
  sourceType?: SourceType;
}

function framed(lines: readonly string[], { shape, sourceType = 'code' }: Kind): Frames {
  return framesOf(classify(lines, { shape, sourceType }), sourceType);
}

/** For each line the names of the frames around it, outermost first. */
function around(lines: readonly string[], kind: Kind): string[] {
  const { frames, owner } = framed(lines, kind);
  const path = (at: number): string[] => {
    const frame = frames[at];
    return frame === undefined ? [] : [...path(frame.parent), frame.name];
  };
  return Array.from(owner, (at) => path(at).join('/'));
}

const headsOf = (lines: readonly string[], kind: Kind) =>
  framed(lines, kind).frames.map(({ head, name }) => `${head.start}-${head.end} ${name}`);

describe('[P21] around a line of code stand', () => {
  const code: Kind = { shape: 'code' };

  it('the declarations it is indented below, up to a line that is not', () => {
    const lines = [
      'class Store:',
      '    size = 1',
      '    def get(self):',
      '        return 1',
      '',
      '    limit = 2',
      'total = 3',
    ];
    expect(around(lines, code)).toEqual(['', 'Store', 'Store', 'Store/get', 'Store/get', 'Store', '']);
  });

  it('also where a bracket or an end stands at their own indent', () => {
    const lines = [
      'function get(id) {',
      '  return 1;',
      '}',
      'let a;',
      'function put(id)',
      '{',
      '  return 2;',
      '}',
      'let b;',
    ];
    expect(around(lines, code)).toEqual(['', 'get', 'get', '', '', 'put', 'put', 'put', '']);
  });

  it('none of which is left open below a line at the left', () => {
    const lines = [
      'class Store:',
      '    def get(self):',
      '        def inner():',
      '            return 1',
      'total = 3',
    ];
    expect(around(lines, code)).toEqual(['', 'Store', 'Store/get', 'Store/get/inner', '']);
  });

  it('each up to the bracket at its own indent', () => {
    const lines = ['class Store {', '  get() {', '    return 1;', '  }', '}', 'let a;'];
    expect(around(lines, code)).toEqual(['', 'Store', 'Store/get', 'Store/get', 'Store', '']);
  });

  it('with nothing inside of their signatures', () => {
    const lines = [
      'def load(',
      '    class Inner,',
      '    import x',
      '):',
      '    return 1',
      'def save():',
      '    return 2',
    ];
    expect(headsOf(lines, code)).toEqual(['1-4 load', '6-6 save']);
    expect(framed(lines, code).structural).toEqual([]);
  });

  it('whose signature may take up to fifteen lines', () => {
    const signature = (count: number) => [
      'def load(',
      ...Array.from({ length: count - 2 }, (_, at) => `    value_${at},`),
      '):',
    ];
    expect(headsOf([...signature(15), '    return 1'], code)).toEqual(['1-15 load']);
    expect(headsOf([...signature(16), '    return 1'], code)).toEqual(['1-1 load']);
  });

  it('while imports, with all of their lines, and a comment at the top only give order', () => {
    const lines = [
      '# What it is.',
      '# More of it.',
      'import os',
      'from a.b import (',
      '    c,',
      '    d,',
      ')',
      'total = 1',
    ];
    expect(framed(lines, code).structural).toEqual([
      { start: 1, end: 1 },
      { start: 3, end: 3 },
      { start: 4, end: 7 },
    ]);
    expect(
      framed(["import { a, b } from './a.ts';", 'import {', '  c,', "} from './c.ts';"], code).structural,
    ).toEqual([
      { start: 1, end: 1 },
      { start: 2, end: 4 },
    ]);
  });
});

describe('[P21] around a line of a document stand its headings', () => {
  const docs: Kind = { shape: 'docs', sourceType: 'docs' };

  it('each up to the next of its level or above', () => {
    const lines = ['intro', '# A', 'a', '## B', 'b', '### C', 'c', '## D', 'd', '# E', 'e'];
    expect(around(lines, docs)).toEqual(['', '', 'A', 'A', 'A/B', 'A/B', 'A/B/C', 'A', 'A/D', '', 'E']);
  });

  it.each([
    ['AsciiDoc', ['= A', 'x', '== B', 'y']],
    ['HTML', ['<h1>A</h1>', 'x', '<h2 id="b">B</h2>', 'y']],
    ['LaTeX', ['\\section{A}', 'x', '\\subsection*{B}', 'y']],
    ['closed hashes', ['# A #', 'x', '## B ##', 'y']],
    ['spaces between', ['#   A', 'x', '##   B  ', 'y']],
  ])('as %s writes them', (_, lines) => {
    expect(around(lines, docs)).toEqual(['', 'A', 'A', 'A/B']);
  });

  it('of LaTeX, from parts down', () => {
    const lines = ['\\part{P}', '\\section{A}', 'x', '\\section{B}', 'y', '\\chapter{C}', 'z'];
    expect(around(lines, docs)).toEqual(['', 'P', 'P/A', 'P', 'P/B', 'P', 'P/C']);
  });

  it.each([
    ['# Why C# and not A = B', 'Why C# and not A = B'],
    ['# Use \\emph{it} often', 'Use \\emph{it} often'],
    ['## C#', 'C#'],
    ['## C# ##', 'C#'],
    ['## The map {a: 1}', 'The map {a: 1}'],
    ['\\section{The {B}}', 'The {B}'],
    ['##', ''],
  ])('by the title of `%s`', (line, title) => {
    expect(headsOf([line, 'x'], docs)).toEqual([`1-1 ${title}`]);
  });

  it('underlined, in the order in which underlines come', () => {
    const lines = ['A', '===', 'x', '', 'B', '---', 'y', '', 'C', '===', 'z'];
    expect(around(lines, docs)).toEqual(['', '', 'A', 'A', 'A', 'A', 'A/B', 'A/B', '', '', 'C']);
    expect(headsOf(lines, docs)).toEqual(['1-2 A', '5-6 B', '9-10 C']);
    const uneven = ['A  ', '===', 'x', '', '  Re-use', '======  ', 'y'];
    expect(around(uneven, docs)).toEqual(['', '', 'A', 'A', '', '', 'Re-use']);
  });

  it('with a line above as well, which is another kind than one without', () => {
    const lines = ['=====', 'Title', '=====', 'x', '', 'Part', '=====', 'y'];
    expect(headsOf(lines, docs)).toEqual(['1-3 Title', '6-7 Part']);
    expect(around(lines, docs).at(-1)).toBe('Title/Part');
  });

  it.each([
    ['below a paragraph', ['one', 'two', '---', 'x']],
    ['below a title four characters longer or more', ['too long a title', '-----------', 'x']],
    ['below an entry of a list', ['- one', '-----', 'x']],
    ['in fenced code', ['```', 'A', '===', '# B', '```', 'x']],
    ['that opens fenced code', ['A', '```', 'x', '```', 'y']],
    ['below fenced code of a quotation', ['> ~~~', '', '> ~~~', '-----', 'x']],
    ['below blank lines', ['x', '', '', '-----', 'y']],
    ['below another', ['x', '', '-----', '=====', 'y']],
  ])('but a row of marks %s is none', (_, lines) => {
    expect(headsOf(lines, docs)).toEqual([]);
  });

  it('and an underline of four characters less than its title is one', () => {
    expect(headsOf(['too long a title', '------------', 'x'], docs)).toEqual(['1-2 too long a title']);
  });
});

describe('[P21] around what a tool prints stand', () => {
  it('the folders of ls -R, up to a blank line', () => {
    const lines = ['./a:', 'x', 'y', '', './b:', 'z', '', 'w'];
    expect(around(lines, { shape: 'listing' })).toEqual(['', './a', './a', '', '', './b', '', '']);
    expect(headsOf(lines, { shape: 'listing' })).toEqual(['1-1 ./a', '5-5 ./b']);
    expect(headsOf(['c:/a b:', 'x'], { shape: 'listing' })).toEqual(['1-1 c:/a b']);
  });

  it('the branches of tree', () => {
    const lines = ['src', '├── a', '│   ├── b', '│   │   └── c', '│   └── d', '└── e'];
    expect(around(lines, { shape: 'listing' })).toEqual(['', 'src', 'src/a', 'src/a/b', 'src/a', 'src']);
    expect(headsOf(lines, { shape: 'listing' })).toEqual(['1-1 src', '2-2 a', '3-3 b']);
  });

  it('the file of search results, up to a blank line or the next file', () => {
    const lines = ['5: w', 'src/a.ts', '7: x', '8: y', '  ', '9: z', 'src/b.ts', '1: x', 'src/c.ts', '2: y'];
    const [a, b, c] = ['src/a.ts', 'src/b.ts', 'src/c.ts'];
    expect(around(lines, { shape: 'search' })).toEqual(['', '', a, a, '', '', '', b, '', c]);
    expect(headsOf(lines, { shape: 'search' })).toEqual([`2-2 ${a}`, `7-7 ${b}`, `9-9 ${c}`]);
  });

  it('the file and the commit of a long diff', () => {
    const lines = [
      'From: A',
      'commit 0123456789abcdef',
      '',
      'diff --git a/a.ts b/a.ts',
      '@@ -1 +1 @@',
      '-x',
      'diff --git a/b.ts b/b.ts',
      'commit 89abcdef',
      'diff --git a/c.ts b/c.ts',
      '@@ -1 +1 @@',
    ];
    const long = [...lines, ` ${'x'.repeat(20_000)}`];
    const [first, second] = ['0123456789', '89abcdef'];
    expect(around(long, { shape: 'diff' })).toEqual([
      '',
      '',
      '',
      first,
      `${first}/a.ts`,
      `${first}/a.ts`,
      first,
      '',
      second,
      `${second}/c.ts`,
      `${second}/c.ts`,
    ]);
  });

  it('the file alone of a long diff without commits', () => {
    const lines = [
      'diff --git a/a.ts b/a.ts',
      '@@ -1 +1 @@',
      'diff --git a/b.ts b/b.ts',
      ` ${'x'.repeat(20_000)}`,
    ];
    expect(around(lines, { shape: 'diff' })).toEqual(['', 'a.ts', '', '']);
    expect(headsOf(lines, { shape: 'diff' })).toEqual(['1-1 a.ts', '3-4 b.ts']);
    expect(framed(lines, { shape: 'diff' }).structural).toEqual([]);
  });

  it('the keys of YAML, and the section of TOML', () => {
    const yaml = ['a:', '  b:', '    c: 1', '  d: 2', 'e: 3'];
    expect(around(yaml, { shape: 'data' })).toEqual(['', 'a', 'a/b', 'a', '']);
    const toml = ['x = 1', '[a]', 'y = 2', '', '[[b]]', 'z = 3'];
    expect(around(toml, { shape: 'data' })).toEqual(['', '', 'a', 'a', '', 'b']);
  });

  it('nothing in a log or a table', () => {
    for (const shape of ['logs', 'table'] as const)
      expect(framed(['class Store:', '    x'], { shape })).toEqual({
        frames: [],
        owner: Int32Array.of(-1, -1),
        structural: [],
      });
    expect(headsOf(['# A', 'x'], { shape: 'test-run', sourceType: 'logs' })).toEqual([]);
  });
});

it.each<[string, readonly string[], Kind]>([
  ['function', ['def a():', '    x'], { shape: 'code' }],
  ['section', ['# A', 'x'], { shape: 'docs', sourceType: 'docs' }],
  ['key', ['a:', '  b: 1'], { shape: 'data' }],
  ['folder', ['./a:', 'x'], { shape: 'listing' }],
  ['file', ['src/a.ts', '7: x'], { shape: 'search' }],
  ['element', ['<main>', 'x'], { shape: 'markup' }],
])('[P17] a frame is called a %s, and alone gives all the order there is', (noun, lines, kind) => {
  const { frames, structural } = framed(lines, kind);
  expect(frames.map((frame) => frame.noun)).toEqual([noun]);
  expect(structural).toEqual([]);
});

describe('[P21] around a line of markup stand', () => {
  const markup: Kind = { shape: 'markup', sourceType: 'docs' };

  it('the elements that place it, named as a style sheet would', () => {
    const lines = [
      '<html>',
      '<body class="wide">',
      '<section id="one">',
      '<p>',
      'x',
      '</section>',
      '<div><table>',
      'y',
      '</table></div>',
      'z',
    ];
    const body = '/body.wide';
    expect(around(lines, markup)).toEqual([
      '',
      '',
      body,
      `${body}/section#one`,
      `${body}/section#one`,
      `${body}/section#one`,
      body,
      `${body}/`,
      `${body}/`,
      body,
    ]);
  });

  it('none that ends in its own line, or by itself', () => {
    expect(headsOf(['<html>', '<ul><li>a</li></ul>', '<svg/>', '<DIV>', '</div>', 'x'], markup)).toEqual([
      '1-1 ',
      '4-4 ',
    ]);
    expect(around(['<html>', '<DIV>', 'x', '</div>', 'y'], { shape: 'markup' })).toEqual([
      '',
      '',
      '/',
      '/',
      '',
    ]);
  });

  it('none that another closed, and all that were left open', () => {
    expect(around(['<main>', '</section>', 'x', '</main>', 'y'], markup)).toEqual([
      '',
      'main',
      'main',
      'main',
      '',
    ]);
    expect(headsOf(['<section id=one>', '<nav class=wide>'], markup)).toEqual([
      '1-1 section#one',
      '2-2 nav.wide',
    ]);
  });

  it('every element, where it is XML', () => {
    expect(headsOf(['\ufeff<?xml version="1.0"?>', '<shop>', '<item size="1"/>', 'x'], markup)).toEqual([
      '2-2 shop',
    ]);
    expect(around(['<?xml version="1.0"?>', '<shop>', '<item>', 'x', '</item>', '</shop>'], markup)).toEqual([
      '',
      '',
      'shop',
      'shop/item',
      'shop/item',
      'shop',
    ]);
    expect(around(['<html>', '<item>', 'x'], markup)).toEqual(['', '', '']);
  });

  it('while headings give order', () => {
    expect(
      framed(['<html>', '<h2>A</h2>', '<p>x <h3>', '  <H3 class="b">B</H3>'], markup).structural,
    ).toEqual([
      { start: 2, end: 2 },
      { start: 4, end: 4 },
    ]);
  });
});
