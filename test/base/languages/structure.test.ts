import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  detectLanguage,
  guessLanguage,
  type LanguageId,
  languages,
} from '../../../packages/base/src/languages/languages.ts';
import { structuralLines } from '../../../packages/base/src/languages/structure.ts';

function found(language: LanguageId | undefined, ...lines: string[]): string[] {
  return structuralLines(lines, language).map(({ line, kind, name }) => `${line} ${kind} ${name}`.trim());
}

const fragments: { language: LanguageId; lines: string[]; expected: string[] }[] = [
  {
    language: 'typescript',
    lines: [
      "} from './a.ts';",
      'export const pick = <T>(items: T[]) => items[0];',
      '  private async load(path: string): Promise<void> {',
      '    if (path) {',
      '    return load(path, {',
      'export type Id = string;',
      'export * from "./b";',
    ],
    expected: ['1 import', '2 function pick', '3 method load', '6 type Id', '7 re-export'],
  },
  {
    language: 'typescript',
    lines: [
      '  list(',
      '    query: Query,',
      '  ): Promise<Page> {',
      '  store.list(',
      '    query,',
      '  );',
      '  close(): Promise<void>;',
      '  take(row, plain ? quotes(text) : text);',
      '  describe("it", () => {',
      ' * class Foo {',
    ],
    expected: ['1 method list', '7 method close'],
  },
  {
    language: 'python',
    lines: [
      'from a.b import c',
      '    async def run(self, x):',
      'LIMIT = 3',
      'x = 3',
      'class A(B):',
      '  if x == y:',
    ],
    expected: ['1 import', '2 method run', '3 constant LIMIT', '5 class A'],
  },
  {
    language: 'go',
    lines: ['\t"fmt"', 'func (q *Queue) Push(x int) {', '\tif x := f(); x {', 'type T struct {'],
    expected: ['1 import', '2 method Push', '4 struct T'],
  },
  {
    language: 'java',
    lines: [
      '    public List<String> names(int a,',
      '        return foo(bar);',
      '    void run() {',
      '    int x = f(y);',
    ],
    expected: ['1 method names', '3 method run'],
  },
  {
    language: 'rust',
    lines: [
      'use a::b;',
      'impl<T> Show for Box<T> {',
      '    pub(crate) fn go(&self) {',
      '    let x = f(y);',
      'macro_rules! m {',
    ],
    expected: ['1 import', '2 impl Show for Box<T>', '3 function go', '5 macro m'],
  },
  {
    language: 'cpp',
    lines: [
      'int A::run(int x) const {',
      '  return f(x);',
      'namespace a::b {',
      '  virtual void stop() = 0;',
      '  else if (x) {',
    ],
    expected: ['1 function run', '3 namespace a::b', '4 method stop'],
  },
  {
    language: 'csharp',
    lines: [
      'using A.B;',
      '        public async Task<int> Run(',
      '            await Run();',
      '        public int X { get; }',
    ],
    expected: ['1 import', '2 method Run', '4 property X'],
  },
  {
    language: 'ruby',
    lines: ["require 'a'", '  def self.open(path)', '    open(path)', 'module A::B'],
    expected: ['1 import', '2 method open', '4 namespace A::B'],
  },
  {
    language: 'php',
    lines: ['use A\\B;', '    public function run(): void', '        $this->run();', 'trait T'],
    expected: ['1 import', '2 method run', '4 trait T'],
  },
  {
    language: 'kotlin',
    lines: [
      'import a.b',
      '    suspend fun run(x: Int) = x',
      '        val y = run(1)',
      'data class P(val x: Int)',
    ],
    expected: ['1 import', '2 function run', '4 class P'],
  },
  {
    language: 'swift',
    lines: [
      'import A',
      '    func run() {',
      '        let y = run()',
      'extension P: Q {',
      '    init(x: Int) {',
    ],
    expected: ['1 import', '2 function run', '4 impl P', '5 constructor init'],
  },
];

it.each(fragments)(
  'structuralLines returns only the declarations in a fragment of $language',
  ({ language, lines, expected }) => {
    expect(found(language, ...lines)).toEqual(expected);
  },
);

it('[SY7] structuralLines takes linear time for lines that would cause backtracking', () => {
  const pieces = [
    'a ',
    '<',
    'public ',
    'a<',
    'x::',
    'int a(',
    '@a() ',
    '(a)',
    'const x = (',
    '\t',
    'f(a)(b): ',
    'a?: b, ',
  ];
  const hostile = pieces.map((piece) => piece.repeat(Math.ceil(2_000 / piece.length)));
  // A pattern that backtracks would exceed the time limit of the test.
  for (const { id } of languages)
    expect(structuralLines(hostile, id).length).toBeLessThanOrEqual(hostile.length);
});

it('structuralLines returns the number of columns by which a line is indented', () => {
  expect(structuralLines(['\tdef f(self):', '  def g(self):'], 'python').map(({ indent }) => indent)).toEqual(
    [4, 2],
  );
});

it('structuralLines finds common keywords in a text of unknown language', () => {
  expect(found(undefined, 'pub struct Node {', 'whatever', 'def f(x)')).toEqual([
    '1 struct Node',
    '3 function f',
  ]);
});

const fixtures: [string, LanguageId][] = [
  ['queue.go', 'go'],
  ['Inventory.java', 'java'],
  ['arena.rs', 'rust'],
  ['buffer.h', 'c'],
  ['matrix.hpp', 'cpp'],
  ['Orders.cs', 'csharp'],
  ['ledger.rb', 'ruby'],
  ['Router.php', 'php'],
  ['Cache.kt', 'kotlin'],
  ['Store.swift', 'swift'],
];

it.each(fixtures)('guessLanguage recognises the language of %s from its text alone', (file, language) => {
  const source = readFileSync(new URL(`../../fixtures/syntax/${file}`, import.meta.url), 'utf8');
  expect(guessLanguage(source)).toBe(language);
});

it('guessLanguage returns undefined quickly for white space and for one endless word', () => {
  for (const line of ['\t'.repeat(300), ' '.repeat(19), 'if x', 'def f('])
    expect(guessLanguage(`${line}\n`.repeat(5000))).toBeUndefined();
});

it('detectLanguage uses the file name, then the shebang; for a C header, it uses the content', () => {
  expect(detectLanguage({ path: 'a/b.mts', source: 'def f(): pass' })).toBe('typescript');
  expect(detectLanguage({ path: 'run', source: '#!/usr/bin/env -S python3\nprint(1)\n' })).toBe('python');
  expect(detectLanguage({ path: 'a.h', source: 'int f(void);\n' })).toBe('c');
  expect(
    detectLanguage({ path: 'a.h', source: '#include <vector>\nnamespace a {\nclass B {\n public:\n};\n}\n' }),
  ).toBe('cpp');
  expect(
    detectLanguage({ path: 'notes.txt', source: 'Dear all,\nplease class your letters.\n' }),
  ).toBeUndefined();
});
