import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { CHECK_ROWS } from '../../../packages/reverse-spec/src/syntax/body-facts/check-rows.ts';
import { DEPRECATION_ROWS } from '../../../packages/reverse-spec/src/syntax/body-facts/note-words.ts';
import type { BodyFactKind } from '../../../packages/reverse-spec/src/syntax/body-facts.ts';
import { createFactReader } from '../../support/fact-reader.ts';
import { checkSamples, deprecationSamples } from '../../support/fact-samples.ts';

const reader = createFactReader();
afterAll(() => reader.close());

const fixture = (name: string) => new URL(`../../fixtures/body-facts/${name}`, import.meta.url);

async function factsOf(name: string) {
  const source = readFileSync(fixture(name), 'utf8');
  const { fileDoc, facts } = (await reader.read(source, { path: name })) ?? { fileDoc: undefined, facts: [] };
  const of = (...kinds: BodyFactKind[]) =>
    facts
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ owner, name: what, text, when, startLine }) =>
        [`${startLine}`, owner, what, text, when?.join(' & ') ?? ''].join(' | ').replace(/(?: \| )+$/, ''),
      );
  return { fileDoc, of };
}

it.each([
  ['a.ts', 'Everything about tickets.'],
  ['b.py', 'Flask-like things.\n\nMore words.'],
  ['c.go', 'Package cobra is a commander.'],
  ['D.java', undefined],
  ['e.rs', 'Lines and bytes.'],
  ['f.rb', 'Words about the file.'],
  ['g.php', 'File words.'],
  ['l.c', 'Parses things.'],
])(
  '[R52] the parser returns the comment about %s as a whole without licences and comments of declarations',
  async (name, doc) => {
    expect((await factsOf(name)).fileDoc).toBe(doc);
  },
);

it('[R52] the parser does not treat a comment on the first declaration as a comment about the file', async () => {
  const read = async (source: string) => (await reader.read(source, { path: 'a.ts' }))?.fileDoc;
  expect(await read('/** Takes one. */\nexport function take() {}\n')).toBeUndefined();
  expect(await read('/** All about it. */\n\nexport function take() {}\n')).toBe('All about it.');
  expect(
    await read('// Copyright X\n// MIT Licence\n// THE SOFTWARE IS PROVIDED AS IS\n\nexport const a = 1;\n'),
  ).toBeUndefined();
});

it.each([
  [
    'a.ts',
    [
      `8 | take | RangeError | count is $${'{count}'} | count < 0`,
      '9 | take | Error | empty | !(count < 0) & queue.length === 0',
    ],
  ],
  ['b.py', ['13 | App.run | ValueError | port is needed | port is None']],
  ['c.go', ['16 | Command.Run | errors.New | no args | len(args) == 0']],
  ['D.java', ['17 | D.run | IllegalArgumentException | size: … | size < 0']],
  ['e.rs', ['7 | f | Error::TooLong | x | n > MAX_LEN']],
  ['f.rb', ['9 | M.A.go | ArgumentError | no x | !(x)']],
  ['g.php', ['11 | G.go | \\InvalidArgumentException | no x | $x === null']],
  ['h.cs', ['10 | H.Go | ArgumentNullException |  | name == null']],
  ['i.cpp', ['7 | I.go | std::invalid_argument | neg | n < 0']],
  ['j.kt', ['13 | J.go | IllegalStateException | big | n > 5']],
  ['k.swift', ['10 | K.go | KError.negative |  | !(n > 0)']],
  ['l.c', ['6 | run | abort |  | n < 0']],
] as const)(
  '[R53] the parser returns errors of %s with the conditions that cause them',
  async (name, expected) => {
    const found = (await factsOf(name)).of('raise', 'check');
    for (const line of expected) expect(found).toContain(line);
  },
);

it.each([
  ['a.ts', ['HOME', 'TOKEN_X']],
  ['b.py', ['APP_HOST', 'OTHER']],
  ['c.go', ['COBRA_X']],
  ['D.java', ['JAVA_X']],
  ['e.rs', ['RUST_X']],
  ['f.rb', ['RUBY_X', 'RUBY_Y']],
  ['g.php', ['PHP_X']],
  ['h.cs', ['CS_X']],
  ['i.cpp', ['CPP_X']],
  ['j.kt', ['KT_X']],
  ['k.swift', ['SW_X']],
  ['l.c', ['C_X']],
])('[R53] the parser lists the environment variables that %s reads', async (name, expected) => {
  const found = (await factsOf(name)).of('environment').map((line) => line.split(' | ')[2]);
  expect(found).toEqual(expected);
});

it.each([
  ['a.ts', ['MAX_TICKETS', 'TIMEOUT_MS'], './data.json'],
  ['b.py', ['MAX_SIZE', 'timeout'], 'conf/app.cfg'],
  ['c.go', ['maxRetries'], undefined],
  ['D.java', ['MAX_DEPTH'], '/etc/hosts'],
  ['e.rs', ['MAX_LEN'], undefined],
  ['f.rb', ['MAX_AGE'], '/tmp/x'],
  ['g.php', ['MAX_TRIES'], '/etc/x'],
  ['h.cs', ['MaxDepth'], undefined],
  ['i.cpp', ['MAX_BUF', 'kMaxSize'], undefined],
  ['j.kt', ['MAX_COUNT'], undefined],
  ['k.swift', ['maxCount'], undefined],
  ['l.c', ['MAX_LINES'], '/tmp/x'],
])('[R53] the parser lists limits and file paths in %s', async (name, limits, file) => {
  const { of } = await factsOf(name);
  expect(of('limit').map((line) => line.split(' | ')[2])).toEqual(limits);
  expect(of('file').map((line) => line.split(' | ')[3])).toEqual(file === undefined ? [] : [file]);
});

it.each([
  ['a.ts', 1, 1, 1],
  ['b.py', 1, 1, 1],
  ['c.go', 1, 0, 1],
  ['D.java', 1, 0, 1],
  ['e.rs', 1, 1, 1],
  ['f.rb', 0, 0, 1],
  ['g.php', 1, 0, 1],
  ['h.cs', 1, 0, 1],
  ['i.cpp', 1, 0, 1],
  ['j.kt', 1, 0, 1],
  ['k.swift', 1, 0, 1],
  ['l.c', 0, 1, 0],
])(
  '[R54] the parser lists deprecations, unfinished work and suppressed checks of %s',
  async (name, ...counts) => {
    const { of } = await factsOf(name);
    expect([of('deprecated').length, of('todo').length, of('suppressed').length]).toEqual(counts);
  },
);

it.each(CHECK_ROWS.map((row) => [row.languages[0] ?? '', row] as const))(
  '[R71] each row of the table of checks matches its example and not its counterexample in %s',
  async (language, { kind, languages }) => {
    const { yes = '', no = '' } = checkSamples[`${languages.join(' ')} ${kind}`] ?? {};
    const found = async (source: string) =>
      ((await reader.read(source, { path: `a.${EXTENSIONS[language]}` }))?.facts ?? []).filter((fact) =>
        ['check', 'assert', 'raise'].includes(fact.kind),
      );
    expect((await found(yes)).map((fact) => fact.kind)).toEqual([kind === 'check' ? 'assert' : 'raise']);
    expect(await found(no)).toEqual([]);
  },
);

it.each(DEPRECATION_ROWS.map((row) => [row.languages[0] ?? '', row.place, row] as const))(
  '[R75] the parser applies a deprecation mark in %s, in a %s, to its declaration only',
  async (language, place, { languages }) => {
    const { yes = '', no = '' } = deprecationSamples[`${languages.join(' ')} ${place}`] ?? {};
    const found = async (source: string) =>
      ((await reader.read(source, { path: `a.${EXTENSIONS[language]}` }))?.facts ?? []).filter(
        ({ kind }) => kind === 'deprecated',
      );
    expect((await found(yes)).map(({ owner }) => owner.split('.').at(-1))).toEqual(['old']);
    expect(await found(no)).toEqual([]);
  },
);

it('[R71] the parser treats require in CommonJS as an import, and returns no check that does not concern an argument', async () => {
  const source = "const a = require('./a');\nfunction f(n) { const m = a.get(); assert(m > 0); return n; }\n";
  const facts = (await reader.read(source, { path: 'a.js' }))?.facts ?? [];
  expect(facts.filter(({ kind }) => kind !== 'call' && kind !== 'use')).toEqual([]);
});

it('[R71] the parser returns an error with all conditions around it: those of branches, cases and clauses', async () => {
  const python =
    'def f(count, multiple):\n    if __debug__:\n        if count:\n            if multiple:\n                raise TypeError("no")\n';
  const go =
    'package a\n\nfunc f(n int) error {\n\tif n > 0 {\n\t\tswitch n {\n\t\tcase 1:\n\t\t\treturn errors.New("one")\n\t\tdefault:\n\t\t\tpanic("other")\n\t\t}\n\t}\n\treturn nil\n}\n';
  const conditions = async (path: string, source: string) =>
    ((await reader.read(source, { path }))?.facts ?? [])
      .filter(({ kind }) => kind === 'check' || kind === 'raise')
      .map(({ when }) => when);
  expect(await conditions('a.py', python)).toEqual([['__debug__', 'count', 'multiple']]);
  expect(await conditions('a.go', go)).toEqual([
    ['n > 0', 'switch (n) case 1'],
    ['n > 0', 'switch (n) default'],
  ]);
});

it('[R72] the parser returns calls, but no other facts, from test code inside a Rust source', async () => {
  const source =
    'pub fn f(n: usize) -> usize { n }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn t() {\n        assert_eq!(f(1), 1);\n        panic!("no");\n    }\n}\n';
  const { facts = [], testCalls = [] } = (await reader.read(source, { path: 'a.rs' })) ?? {};
  expect(facts).toEqual([]);
  expect(testCalls.map(({ name }) => name)).toContain('f');
});

it.each([
  ['a.js', "'use strict'\n\nconst a = 1\n"],
  ['a.js', "#!/usr/bin/env node\n'use strict'\n\nconst a = 1\n"],
  ['a.py', '#!/usr/bin/env python\nimport os\n'],
  [
    'a.php',
    '<?php declare(strict_types=1);\n\n/*\n * This file is part of the X package.\n */\n\nnamespace X;\n',
  ],
  ['a.ts', '// ------------\n\nexport const a = 1;\n'],
  ['a.js', '/* eslint-disable no-console */\n\nconst a = 1\n'],
  ['a.js', "'use strict'\n\n/**\n * Module dependencies.\n * @private\n */\n\nconst a = require('a')\n"],
  ['a.js', "// Imports\n\nconst a = require('a')\n"],
  ['a.cs', '// ReSharper disable All\n\nusing System;\n'],
  [
    'a.swift',
    '//\n//  Date+ZIP.swift\n//  ZIPFoundation\n//\n//  Created by A. B. on 20.12.22.\n//\n\nimport Foundation\n',
  ],
  ['a.swift', '// swift-tools-version:6.0\n\nimport PackageDescription\n'],
])(
  '[R73] the parser does not return a directive, a shebang, a licence or a ruler as the doc of %s',
  async (path, source) => {
    expect((await reader.read(source, { path }))?.fileDoc).toBeUndefined();
  },
);

const EXTENSIONS: Readonly<Record<string, string>> = {
  javascript: 'ts',
  java: 'java',
  kotlin: 'kt',
  rust: 'rs',
  go: 'go',
  c: 'cpp',
  csharp: 'cs',
  swift: 'swift',
  php: 'php',
  ruby: 'rb',
  python: 'py',
};

it('[R73] the parser treats words that only look like the start of a heading as a comment about the file', async () => {
  const source = '/**\n * Imports of the shop, read from CSV.\n */\n\nconst a = 1\n';
  expect((await reader.read(source, { path: 'a.js' }))?.fileDoc).toBe('Imports of the shop, read from CSV.');
});

it('[R53] the parser returns no facts from code inside a comment or a string', async () => {
  const source = "// throw new Error('x') if process.env.NO\nexport const a = 'TODO https://';\n";
  const facts = (await reader.read(source, { path: 'a.ts' }))?.facts;
  expect(facts).toEqual([]);
});

it('[R53] [R71] the parser returns no facts for rethrows, returned functions, aborts of other objects and counters from zero', async () => {
  const facts = async (path: string, source: string) =>
    ((await reader.read(source, { path }))?.facts ?? [])
      .filter(({ kind }) => kind !== 'call' && kind !== 'use')
      .map(({ kind, owner, name, when }) => [kind, owner, name, ...(when ?? [])]);
  expect(
    await facts(
      'a.ts',
      'let length = 0;\nfunction go(ok: boolean) {\n  if (!stop.is(ok)) controller.abort();\n  throw failure.reason;\n}\n',
    ),
  ).toEqual([]);
  expect(
    await facts(
      'a.go',
      'package a\n\nfunc Max(n int) Check {\n\treturn func(k int) error {\n\t\tif k > n {\n\t\t\treturn fmt.Errorf("more than %d", n)\n\t\t} else {\n\t\t\treturn errors.New("less")\n\t\t}\n\t}\n}\n',
    ),
  ).toEqual([
    ['check', 'Max', 'fmt.Errorf', 'returned function', 'k > n'],
    ['check', 'Max', 'errors.New', 'returned function', '!(k > n)'],
  ]);
  expect(await facts('b.ts', 'function go(a: A) {\n  if (!a.ok()) throw new Error();\n}\n')).toEqual([
    ['check', 'go', 'Error', '!a.ok()'],
  ]);
});

async function readFacts(path: string, source: string, ...kinds: BodyFactKind[]) {
  const facts = (await reader.read(source, { path }))?.facts ?? [];
  return facts
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ name, text, when = [] }) => ({ name, text, when: when.join(' & ') }));
}

it.each([
  ['a.php', '<?php function f($n) { 0 <= $n || throw new E("small"); }', '!(0 <= $n)'],
  ['a.php', '<?php function f($n) { $a = g($n) ?? throw new E("small"); }', 'g($n) == null'],
  ['a.php', '<?php function f($n) { return match (true) { $n < 0 => throw new E("small") }; }', '$n < 0'],
  ['a.rb', 'def f(n)\n  n > 0 or raise E, "small"\nend', '!(n > 0)'],
  ['A.cs', 'class A { void F(B n) { var a = n ?? throw new E("small"); } }', 'n == null'],
  ['a.kt', 'fun f(n: Int?) { val a = n ?: throw E("small") }', 'n == null'],
  [
    'a.go',
    'package a\nfunc f(n int) {\n\tif n < 0 && // why\n\t\tn > -9 {\n\t\tpanic("small")\n\t}\n}',
    'n < 0 && n > -9',
  ],
  ['a.rs', '#[cfg(not(unix))]\nfn f() -> R { Err(E::new("small")) }', 'cfg(not(unix))'],
  [
    'a.swift',
    'func f(n: N?) throws { guard let m = n, m.isOpen else { throw E("small") } }',
    '!(let m = n, m.isOpen)',
  ],
  [
    'a.swift',
    'func f(n: N?) throws { if let m = n { g() } else if h() { i() } else { throw E("small") } }',
    '!(let m = n) & !(h())',
  ],
  [
    'a.php',
    '<?php function f($n) { if (!(a($n)) && !($n instanceof B)) { throw new E("small"); } }',
    '!(a($n)) && !($n instanceof B)',
  ],
  [
    'a.cs',
    'class A { void F(B n) { if (n.Bad) { if (n.Odd) { throw new O(); } throw new E("small"); } } }',
    'n.Bad & !(n.Odd)',
  ],
  [
    'a.cs',
    'class A { void F(B n) {\nif (n.Bad\n#if NET6\n || n.Odd\n#endif\n) { throw new E("small"); } } }',
    'n.Bad || n.Odd',
  ],
  [
    'a.rb',
    'def f(n)\n  case n\n  when 1\n    2\n  else\n    raise E, "small"\n  end\nend',
    'switch (n) default',
  ],
  ['a.py', 'def f(n):\n    if n:\n        def g():\n            raise E("small")\n', 'n'],
  ['a.py', 'if n:\n    def g():\n        raise E("small")\n', ''],
  ['a.rb', 'def f(n)\n  case\n  when n\n    2\n  else\n    raise E, "small"\n  end\nend', '!(n)'],
  ['a.kt', 'fun f(n: Int) { when { n > 1 -> 2\n else -> throw E("small") } }', '!(n > 1)'],
  [
    'a.kt',
    'fun f(n: Int) { when { n > 1 -> 2\n n < 0 -> 3\n else -> throw E("small") } }',
    'switch (true) default',
  ],
  ['a.rb', 'def f(n)\n  if n\n    2\n  else\n    raise E, "small"\n  end\nend', '!(n)'],
  [
    'a.cs',
    'class A { int F(B n) => n switch { C c => 1, _ => throw new E("small") }; }',
    'switch (n) default',
  ],
  [
    'a.js',
    'function f(n) { switch (n) { case 1: return 2 } throw new E("small") }',
    'nothing returned before',
  ],
  ['a.js', 'function f(n) { g(() => { return 2 }); throw new E("small") }', ''],
  ['a.js', 'function f(n) { if (n) return; if (n.a) throw new E("small") }', 'n.a'],
  ['a.go', 'package a\nfunc f() { if err != nil { return }; panic("small") }', ''],
  ['a.js', 'function f(n) { for (const a of n) { if (a > 1) continue; throw new E("small") } }', '!(a > 1)'],
])(
  '[R71] the parser returns an error in %s with the condition of the code around it: %s',
  async (path, source, when) => {
    const found = await readFacts(path, source, 'raise', 'check');
    expect(found.filter(({ text }) => text === 'small')).toMatchObject([{ text: 'small', when }]);
  },
);

it('[R71] the parser adds a condition to a call in the right operand of `&&`, but not to a call in the left operand or in an operand of `+`', async () => {
  const source = 'function f(a) { return one(a) + two(a); }\nfunction g(a) { return three(a) && four(a); }';
  expect(await readFacts('a.js', source, 'call')).toMatchObject([
    { name: 'one', when: '' },
    { name: 'two', when: '' },
    { name: 'three', when: '' },
    { name: 'four', when: 'three(a)' },
  ]);
});

it('[R71] if a branch always returns, the parser adds the negated condition of this branch to an error after it', async () => {
  const source = (last: string) =>
    `def f(a):\n    if a > 1:\n        if a > 2:\n            return 1\n        else:\n            ${last}\n    raise E("no")\n`;
  expect(await readFacts('a.py', source('return 2'), 'check')).toMatchObject([{ when: '!(a > 1)' }]);
  expect(await readFacts('a.py', source('pass'), 'raise')).toMatchObject([
    { when: 'nothing returned before' },
  ]);
});

it.each([
  ['a.go', 'package a\nfunc f(p string) { panic("path \'" + p + "\' is bad") }', "path '…' is bad"],
  ['a.php', "<?php function f($x) { throw new E('No '.get_debug_type($x, 1).' given'); }", 'No … given'],
  [
    'a.php',
    "<?php function f($x) { throw new E('Method \"'.self::class.'::'.$x.'\" is missing'); }",
    'Method "…::…" is missing',
  ],
  ['A.java', 'class A { void f(int n) { throw new E("size: " + n); } }', 'size: …'],
  ['a.js', 'function f() { throw new E("one".concat("two longer")) }', 'two longer'],
  ['a.py', 'def f(x):\n    raise E("one {}".format(x), "b")\n', 'one {}'],
])(
  '[R53] the parser quotes a message of %s in full, with a placeholder for each value: %s',
  async (path, source, text) => {
    expect(await readFacts(path, source, 'raise', 'check')).toMatchObject([{ text }]);
  },
);

it('[R53] in `throw given ?? new Error("no")` the parser returns the error that the function creates', async () => {
  const cs = 'class A { void F() { throw given ?? new ArgumentException("no"); } }';
  expect(await readFacts('A.cs', cs, 'raise')).toMatchObject([{ name: 'ArgumentException', text: 'no' }]);
  expect(await readFacts('a.js', 'throw err || new Error("no")', 'raise')).toMatchObject([{ name: 'Error' }]);
  expect(await readFacts('a.rb', 'def f\n  raise "no"\nend', 'raise')).toMatchObject([
    { name: 'RuntimeError' },
  ]);
  expect(await readFacts('a.kt', 'fun f() { error("no") }', 'raise')).toMatchObject([
    { name: 'IllegalStateException' },
  ]);
  expect(await readFacts('a.rb', 'def f\n  raise E, "no"\nend', 'raise')).toMatchObject([{ name: 'E' }]);
});

it.each([
  ['a.rs', 'impl A { fn f(&self) -> B { B { depth: self.depth } } }', []],
  ['a.php', '<?php class A { function f() { return g($this->depth); } }', []],
  ['A.java', 'class A { B f() { return g(this.depth); } }', []],
  ['A.java', 'class A { B f() { return g(depth); } }', []],
  ['A.java', 'class A { B f() { return g(this::depth); } }', ['depth']],
  ['a.rb', 'class A\n  def f\n    g(depth)\n  end\nend', []],
  ['a.py', 'class A:\n    def f(self):\n        return g(self.depth)\n', ['depth']],
  ['a.go', 'package a\nfunc (a *A) f() { g(a.depth) }', ['depth']],
  ['a.js', 'class A { f() { return g(this.depth); } }', ['depth']],
])(
  '[R70] the parser treats a passed field as a method of that name only if the language allows this: %s',
  async (path, source, names) => {
    expect((await readFacts(path, source, 'use')).map(({ name }) => name)).toEqual(names);
  },
);

it('[R74] the parser returns calls in the order in which they run: arguments and receivers first, callbacks later', async () => {
  const names = async (source: string) => (await readFacts('a.js', source, 'call')).map(({ name }) => name);
  expect(await names('function f() { last(\n  second(first()),\n  third()) }')).toEqual([
    'first',
    'second',
    'third',
    'last',
  ]);
  expect(await names('function f() { first().second() }')).toEqual(['first', 'second']);
  expect(await names('function f() { each(() => { inner() }) }')).toEqual(['each', 'inner']);
});

it('[R53] the parser lists an address in a value, but not an address in a message or a text about the project', async () => {
  expect(await readFacts('a.py', 'URL = "https://a.org/x"\n', 'address')).toMatchObject([
    { name: 'https://a.org/x' },
  ]);
  expect(await readFacts('a.py', '__url__ = "https://a.org"\n', 'address')).toEqual([]);
  expect(await readFacts('a.py', 'print("see https://a.org")\n', 'address')).toEqual([]);
  const gem = 'Gem::Specification.new do |s|\n  s.homepage = "https://a.org"\nend\n';
  expect(await readFacts('a.gemspec', gem, 'address')).toEqual([]);
  expect(await readFacts('a.rb', 'HOME = "https://a.org"\n', 'address')).toHaveLength(1);
  expect(await readFacts('a.rb', 'HOME = "http://#{host}/a"\n', 'address')).toEqual([]);
  expect(await readFacts('a.js', 'new Request("https://empty.invalid")', 'address')).toEqual([]);
  expect(await readFacts('a.js', 'const options = { baseUrl: "https://a.org" }', 'address')).toHaveLength(1);
  expect(await readFacts('a.js', 'const xmlns = "http://a.org/xml/1.0"', 'address')).toEqual([]);
  expect(await readFacts('a.js', 'warn("https://a.org/migration")', 'address')).toEqual([]);
  expect(await readFacts('a.js', 'fs.mkdirSync(path)', 'file')).toEqual([]);
  expect(await readFacts('A.java', 'class A { void a() { os.write(b); } }', 'file')).toEqual([]);
});

it('[R73] the parser keeps a long package description that mentions a licence after its first paragraph', async () => {
  const doc = async (source: string) =>
    (await reader.read(source, { path: 'a.go' }))?.fileDoc?.split('\n')[0];
  expect(await doc('// Package a routes.\n//\n// It serves /LICENSE too.\npackage a\n')).toBe(
    'Package a routes.',
  );
  expect(await doc('// Package a, licensed under MIT.\n\npackage a\n')).toBeUndefined();
});

it('[R73] the parser does not treat the heading of a section as a comment about the file', async () => {
  const doc = async (source: string) => (await reader.read(source, { path: 'a.ts' }))?.fileDoc;
  expect(await doc('// ------- Types -------\n\nexport type A = 1;\n')).toBeUndefined();
  expect(await doc('// -------\n// $fetch API\n// -------\n\nexport type A = 1;\n')).toBeUndefined();
  expect(await doc('// -------\n// Reads the types.\n// -------\n\nexport type A = 1;\n')).toContain('Reads');
  expect(await doc('// Types of -------- all.\n\nexport type A = 1;\n')).toBe('Types of -------- all.');
});

it('[R52] the parser joins a sentence over several comment lines, and does not end it at a dot inside the sentence', async () => {
  const doc = async (path: string, source: string) =>
    (await reader.read(source, { path }))?.functions[0]?.doc;
  expect(await doc('a.rs', '/// Sorts by a\n/// key. Twice.\npub fn f() {}\n')).toBe('Sorts by a key.');
  expect(await doc('a.go', 'package a\n\n// F drops . and .. of e.g. a path. Twice.\nfunc F() {}\n')).toBe(
    'F drops . and .. of e.g. a path.',
  );
  const cs =
    'class A {\n  /// <summary>\n  /// Throws <see cref="E" /> if <paramref name="a"/> is null.\n  /// </summary>\n  /// <param name="a"></param>\n  void F() {}\n}\n';
  expect(await doc('A.cs', cs)).toBe('Throws `E` if `a` is null.');
  expect(await doc('a.js', '/** Makes <b>bold</b> text. */\nfunction f() {}\n')).toBe(
    'Makes <b>bold</b> text.',
  );
});
