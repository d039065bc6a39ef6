import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { CHECK_ROWS } from '../../../packages/reverse-spec/src/syntax/body-facts/argument-checks.ts';
import { DEPRECATION_ROWS } from '../../../packages/reverse-spec/src/syntax/body-facts/deprecations.ts';
import { type BodyFactKind, createFactReader } from '../../../packages/reverse-spec/src/syntax/body-facts.ts';

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
  '[R52] what is said about %s as a whole, licences and comments of declarations left out',
  async (name, doc) => {
    expect((await factsOf(name)).fileDoc).toBe(doc);
  },
);

it('[R52] a comment on the first declaration is not about the file', async () => {
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
  ['D.java', ['17 | D.run | IllegalArgumentException | size: | size < 0']],
  ['e.rs', ['7 | f | Error::TooLong | x | n > MAX_LEN']],
  ['f.rb', ['9 | M.A.go | ArgumentError | no x | !(x)']],
  ['g.php', ['11 | G.go | \\InvalidArgumentException | no x | $x === null']],
  ['h.cs', ['10 | H.Go | ArgumentNullException |  | name == null']],
  ['i.cpp', ['7 | I.go | std::invalid_argument | neg | n < 0']],
  ['j.kt', ['13 | J.go | IllegalStateException | big | n > 5']],
  ['k.swift', ['10 | K.go | KError.negative |  | !(n > 0)']],
  ['l.c', ['6 | run | abort |  | n < 0']],
] as const)('[R53] errors and the conditions they depend on in %s', async (name, expected) => {
  const found = (await factsOf(name)).of('raise', 'check');
  for (const line of expected) expect(found).toContain(line);
});

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
])('[R53] environment variables %s reads', async (name, expected) => {
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
])('[R53] limits and files of %s', async (name, limits, file) => {
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
])('[R54] deprecations, unfinished work and suppressed checks of %s', async (name, ...counts) => {
  const { of } = await factsOf(name);
  expect([of('deprecated').length, of('todo').length, of('suppressed').length]).toEqual(counts);
});

it.each(CHECK_ROWS.map((row) => [row.languages[0] ?? '', row] as const))(
  '[R71] a row of the table of checks applies to its example and not to its counterexample in %s',
  async (language, { kind, yes, no }) => {
    const found = async (source: string) =>
      ((await reader.read(source, { path: `a.${EXTENSIONS[language]}` }))?.facts ?? []).filter((fact) =>
        ['check', 'assert', 'raise'].includes(fact.kind),
      );
    expect((await found(yes)).map((fact) => fact.kind)).toEqual([kind === 'check' ? 'assert' : 'raise']);
    expect(await found(no)).toEqual([]);
  },
);

it.each(DEPRECATION_ROWS.map((row) => [row.languages[0] ?? '', row.place, row] as const))(
  '[R75] a mark of deprecation in %s, in a %s, marks its declaration and nothing else',
  async (language, _place, { yes, no }) => {
    const found = async (source: string) =>
      ((await reader.read(source, { path: `a.${EXTENSIONS[language]}` }))?.facts ?? []).filter(
        ({ kind }) => kind === 'deprecated',
      );
    expect((await found(yes)).map(({ owner }) => owner.split('.').at(-1))).toEqual(['old']);
    expect(await found(no)).toEqual([]);
  },
);

it('[R71] require is an import in CommonJS, and a check that is not about an argument is not a rule for callers', async () => {
  const source = "const a = require('./a');\nfunction f(n) { const m = a.get(); assert(m > 0); return n; }\n";
  const facts = (await reader.read(source, { path: 'a.js' }))?.facts ?? [];
  expect(facts.filter(({ kind }) => kind !== 'call' && kind !== 'use')).toEqual([]);
});

it('[R71] an error has every condition around it, of branches, cases and clauses', async () => {
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

it('[R72] code of tests inside a Rust source gives calls of tests and no facts of the source', async () => {
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
])('[R73] the doc of %s is not a directive, a shebang, a licence or a ruler', async (path, source) => {
  expect((await reader.read(source, { path }))?.fileDoc).toBeUndefined();
});

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

it('[R53] what a comment or a string says about code is no fact', async () => {
  const source = "// throw new Error('x') if process.env.NO\nexport const a = 'TODO https://';\n";
  const facts = (await reader.read(source, { path: 'a.ts' }))?.facts;
  expect(facts).toEqual([]);
});

it('[R53] what is passed on, returned as a function, aborted elsewhere or counted from nought is no fact', async () => {
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
    ['check', 'Max', 'fmt.Errorf', 'k > n'],
    ['check', 'Max', 'errors.New', '!(k > n)'],
  ]);
  expect(await facts('b.ts', 'function go(a: A) {\n  if (!a.ok()) throw new Error();\n}\n')).toEqual([
    ['check', 'go', 'Error', '!a.ok()'],
  ]);
});
