import { describe, expect, it } from 'vitest';
import { classify } from '../../../src/pruning/cut/classify.ts';
import { foldsOf } from '../../../src/pruning/cut/folds.ts';
import { framesOf } from '../../../src/pruning/cut/frames.ts';
import { reasonsFor } from '../../../src/pruning/cut/reasons.ts';
import type { Shape } from '../../../src/pruning/text-kind/shape.ts';
import type { SourceType } from '../../../src/ranking/scorer.ts';

interface Gap {
  lines: readonly string[];
  shape: Shape;
  sourceType?: SourceType;
  goal?: string;
  start?: number;
  end?: number;
}

/** What a gap is called in a canonical marker and in a compact one; it takes all lines unless told otherwise. */
function named({ lines, shape, sourceType = 'logs', goal = '', start = 1, end = lines.length }: Gap) {
  const text = classify(lines, { sourceType, shape });
  const frames = framesOf(text, sourceType);
  const folds = foldsOf(text, goal);
  const { french, english } = reasonsFor({ text, folds, frames, goal, gaps: [{ start, end }] })({
    start,
    end,
  });
  return [french, english];
}

const many = <Made>(count: number, make: (at: number) => Made) =>
  Array.from({ length: count }, (_, at) => make(at));

describe('[P17] a gap in a log is named after', () => {
  const of = (lines: readonly string[]) => named({ lines, shape: 'logs' });
  const alike = (count: number) => many(count, (at) => `accepted connection ${at} from 10.0.0.${at}`);
  const apart = ['the sky', 'the sea', 'the land', 'the rest'];

  it('the pattern that three fifths of its lines repeat, numbers and paths aside', () => {
    expect(of([...alike(3), ...apart.slice(0, 2)])).toEqual([
      'répétition: 3 lignes semblables',
      '3 similar lines',
    ]);
    expect(of([...alike(3), ...apart.slice(0, 3)])).toEqual(['hors focus', '']);
    expect(of(alike(2))).toEqual(['hors focus', '']);
  });

  it('by its own lines, wherever it stands, and takes blanks for one', () => {
    const steps = ['took 3 ms', 'took  v1.2.3 ms', '  took /a/b7/c:12 ms'];
    const lines = [...apart, ...steps, ...apart];
    expect(named({ lines, shape: 'logs', start: 5, end: 7 })[1]).toBe('3 similar lines');
    expect(of(['load 1', 'load 2', 'load', 'un load 3', 'reload'])).toEqual(['hors focus', '']);
  });

  it('the level that three fifths of its lines have', () => {
    const leveled = ['INFO the sun', 'x info the moon', 'Info: the stars'];
    expect(of([...leveled, ...apart.slice(0, 2)])).toEqual(['hors focus: lignes INFO', 'INFO lines']);
    expect(of([...leveled, ...apart.slice(0, 3)])).toEqual(['hors focus', '']);
    expect(of([`${'far '.repeat(50)}INFO`, 'INFO near'])).toEqual(['hors focus', '']);
  });
});

describe('[P17] a gap in what a program prints is counted by what most of it folds to', () => {
  const of = (lines: readonly string[], end?: number) =>
    named({ lines, shape: 'test-run', ...(end && { end }) });
  const passed = (count: number) => many(count, (at) => `test_${'abcdef'.charAt(at)} (shop) ... ok`);
  const trace = [
    'boom',
    '    at own (/app/a.js:1:2)',
    ...many(4, (at) => `    at f${at} (/app/node_modules/x/${at}.js:1:2)`),
  ];

  it('tests that passed', () => {
    expect(of([...passed(2), 'other'])).toEqual(['hors focus: 2 tests réussis', '2 tests passed']);
    expect(of(passed(1))).toEqual(['hors focus: 1 test réussi', '1 test passed']);
    expect(of([...passed(1), 'other'])).toEqual(['hors focus', '']);
  });

  it('progress', () => {
    const steps = many(3, (at) => `npm http fetch GET 200 https://registry/${at}`);
    expect(of(steps)).toEqual(['progression: 3 lignes', '3 progress lines']);
  });

  it('frames of libraries and frames that stand above', () => {
    expect(of(trace)).toEqual(['pile: 4 lignes de bibliothèques', '4 lines of library frames']);
    const [french, english] = named({ lines: [...trace, 'again', ...trace], shape: 'test-run', start: 9 });
    expect([french, english]).toEqual(['pile: 4 lignes déjà vues', '4 lines of frames above']);
  });
});

describe('[P17] a gap in a diff', () => {
  const context = (count: number) => many(count, (at) => ` context ${at} of the change goes on for a while`);
  const hunk = ['@@ -1,9 +1,9 @@', '-old', '+new', ...context(4)];
  const file = (name: string) => [
    `diff --git a/${name} b/${name}`,
    `--- a/${name}`,
    `+++ b/${name}`,
    ...hunk,
    ...hunk,
  ];
  const long = [...file('a.ts'), ...many(60, (at) => file(`part${at}.ts`)).flat()];

  it('is context', () => {
    expect(named({ lines: file('a.ts'), shape: 'diff', start: 6 })).toEqual([
      'hors focus: contexte du diff',
      'diff context',
    ]);
  });

  it('that is long has the name of its files, or of the file whose hunks went', () => {
    expect(long.join('\n').length).toBeGreaterThan(20_000);
    const of = (start: number, end: number) => named({ lines: long, shape: 'diff', start, end });
    expect(of(4, 10)).toEqual(['hors focus: 1 bloc de a.ts', '1 hunk of a.ts']);
    expect(of(4, 17)).toEqual(['hors focus: 2 blocs de a.ts', '2 hunks of a.ts']);
    expect(of(11, 34)).toEqual(['hors focus: fichier part0.ts', 'file part0.ts']);
  });

  it('that is long and names no file says nothing', () => {
    const lines = [
      ...many(500, () => ' a line of a patch whose head is not here').map(String),
      ...file('a.ts'),
    ];
    expect(named({ lines, shape: 'diff', start: 1, end: 500 })).toEqual(['hors focus', '']);
  });
});

describe('[P17] a gap in code names', () => {
  const body = (count: number) => many(count, (at) => `    total_${at} = compute(${at})`);
  const functions = (names: readonly string[], lines = 1) =>
    names.flatMap((name) => [`def ${name}():`, ...body(lines)]);
  const of = (lines: readonly string[], rest: Partial<Gap> = {}) =>
    named({ lines, shape: 'code', sourceType: 'code', ...rest });

  it('the function whose head it hides; none where it hides no head', () => {
    expect(of(functions(['load']))).toEqual(['hors focus: fonction load', 'function load']);
    expect(of(functions(['load'], 5), { start: 2 })).toEqual(['hors focus', '']);
    expect(of([...functions(['load'], 3), ...functions(['save'])], { start: 2, end: 4 })).toEqual([
      'hors focus',
      '',
    ]);
  });

  it('as many as fit a fiftieth of what it hides, between 24 and 60 characters, and counts the rest', () => {
    const names = many(12, (at) => `name_${'abcdefghijkl'.charAt(at)}`);
    expect(of(functions(names))).toEqual(['hors focus: fonction name_a +11', 'function name_a, +11']);
    expect(of(functions(names, 7))).toEqual([
      'hors focus: fonctions name_a, name_b +10',
      'functions name_a, name_b, +10',
    ]);
    expect(of(functions(names, 30))).toEqual([
      'hors focus: fonctions name_a, name_b, name_c, name_d +8',
      'functions name_a, name_b, name_c, name_d, +8',
    ]);
  });

  it('first what the goal or a line that stays speaks of', () => {
    const lines = [...functions(['alpha', 'beta', 'gamma'], 24), 'gamma()'];
    expect(of(lines, { goal: 'what is beta?', end: 75 })[1]).toBe('functions beta, gamma, +1');
    expect(of(lines, { goal: 'what is beta?', end: 76 })[1]).toBe('functions beta, alpha, +1');
  });

  it('what stands inside only where it is spoken of, and each name once', () => {
    const lines = [
      'class Store:',
      '    def get(self):',
      '        return 1',
      '    def put(self):',
      '        return 2',
    ];
    expect(of(lines)[1]).toBe('class Store');
    expect(of(lines, { goal: 'put' })[1]).toBe('put, Store');
    expect(of(functions(['load', 'load']))[1]).toBe('function load');
  });

  it('classes in the plural of their noun', () => {
    const lines = ['class A:', ...body(40), 'class B:', ...body(40)];
    expect(of(lines)).toEqual(['hors focus: classes A, B', 'classes A, B']);
  });

  it('no colon with a name, whatever the language', () => {
    expect(of(['struct Tile: View {', ...body(40), '}'])[1]).toBe('struct Tile');
    expect(of(['extension Tile: View {', ...body(40), '}'])[1]).toBe('type Tile');
  });
});

describe('[P17] a gap in what a tool prints', () => {
  it('names the file of its hits, or counts the files', () => {
    const hit = (file: string) => `${file}:7:  const entry = read();`;
    const of = (lines: readonly string[]) => named({ lines, shape: 'search' });
    expect(of([hit('src/a.ts'), '--', hit('src/a.ts')])).toEqual([
      'hors focus: résultats dans src/a.ts',
      'matches in src/a.ts',
    ]);
    expect(of([hit('src/a.ts'), hit('src/b.ts')])).toEqual([
      'hors focus: résultats dans 2 fichiers',
      'matches in 2 files',
    ]);
    expect(of(['7: const entry', '8: const other'])).toEqual([
      'hors focus: résultats de recherche',
      'matches',
    ]);
  });

  it('counts entries and rows', () => {
    expect(named({ lines: ['a/b', 'a/c', 'a/d'], shape: 'listing', start: 2 })).toEqual([
      'hors focus: 2 entrées',
      '',
    ]);
    expect(named({ lines: ['a,b', '1,2', '3,4'], shape: 'table', start: 2 })).toEqual([
      'hors focus: 2 lignes du tableau',
      '',
    ]);
  });

  it('names the key or the section that its data stands under', () => {
    const json = [
      '{',
      '  "outer": {',
      '    "inner": {',
      '      "a": 1,',
      '      "b": 2',
      '    },',
      '    "c": 3',
      '  },',
      '  "d": 4',
      '}',
    ];
    const of = (lines: readonly string[], start: number) => named({ lines, shape: 'data', start });
    expect(of(json, 4)).toEqual(['hors focus: clé inner', 'key inner']);
    expect(of(json, 7)).toEqual(['hors focus: clé outer', 'key outer']);
    expect(of(json, 9)).toEqual(['hors focus: données', 'data']);
    expect(of(['a:', '  b:', '    c: 1', '  d:', '    e: 2'], 3)[1]).toBe('key b');
    const toml = ['top = 1', '[tool.ruff]', 'line = 3', '[[package]] # one', 'name = "x"'];
    expect(of(toml, 1)).toEqual(['hors focus: données', 'data']);
    expect(of(toml, 2)[1]).toBe('key tool.ruff');
    expect(of(toml, 3)[1]).toBe('key tool.ruff');
    expect(of(toml, 5)[1]).toBe('key package');
  });

  it('leaves out elements that have no name of their own', () => {
    const lines = ['<html>', '<div>', '<section id="one">', 'x', '</section>', '</div>'];
    expect(named({ lines, shape: 'markup', start: 3 })[1]).toBe('element section#one');
    expect(named({ lines: ['<html>', '<div>', '</div>', '<nav>', 'x'], shape: 'markup', start: 2 })[1]).toBe(
      'element nav',
    );
  });
});
