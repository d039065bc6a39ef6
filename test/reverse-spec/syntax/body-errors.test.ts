import { afterAll, expect, it } from 'vitest';
import type { BodyFactKind } from '../../../packages/reverse-spec/src/syntax/body-facts.ts';
import { createFactReader } from '../../support/fact-reader.ts';

const reader = createFactReader();
afterAll(() => reader.close());

async function readFacts(path: string, source: string, ...kinds: BodyFactKind[]) {
  const facts = (await reader.read(source, { path }))?.facts ?? [];
  return facts
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ name, text, when = [] }) => ({ name, text, when: when.join(' & ') }));
}

it.each([
  ['a.js', "function f(n) { try { throw new E('no') } catch (e) { return g(e) } }", []],
  ['a.js', "function f(n) { try { g() } catch (e) { throw new E('no') } }", ['E']],
  ['a.js', "function f(n) { try { g(() => { throw new E('no') }) } catch (e) {} }", ['E']],
  ['a.py', 'def f():\n    try:\n        raise E("no")\n    except (A, E):\n        pass\n', []],
  ['a.py', 'def f():\n    try:\n        raise E("no")\n    except A:\n        pass\n', ['E']],
  ['a.py', 'def f():\n    try:\n        raise E("no")\n    except E:\n        g()\n        raise\n', ['E']],
  ['A.java', 'class A { void f() { try { throw new E("no"); } catch (Exception e) { g(); } } }', []],
  ['A.java', 'class A { void f() { try { throw new E("no"); } catch (Exception e) { throw e; } } }', ['E']],
  [
    'A.java',
    'class A { void f() { try { throw new OwnError("no"); } catch (Exception e) { } } }',
    ['OwnError'],
  ],
  ['A.cs', 'class A { void F() { try { throw new E("no"); } catch { G(); } } }', []],
  ['A.cs', 'class A { void F() { try { throw new E("no"); } catch (Exception e) when (e.X) { } } }', ['E']],
  ['a.php', '<?php function f() { try { throw new E("no"); } catch (\\Throwable $e) { g(); } }', []],
  ['a.php', '<?php function f() { try { throw new E("no"); } finally { g(); } }', ['E']],
  ['a.kt', 'fun f() { try { throw E("no") } catch (e: Exception) { g() } }', []],
  ['a.kt', 'fun f() { try { throw E("no") } catch (e: A) { g() } }', ['E']],
  ['a.swift', 'func f() { do { throw E.no } catch { g() } }', []],
  ['a.swift', 'func f() throws { do { throw E.no } catch A.yes { g() } }', ['E.no']],
  ['a.cpp', 'void f() { try { throw E("no"); } catch (...) { g(); } }', []],
  ['a.cpp', 'void f() { try { throw E("no"); } catch (...) { throw; } }', ['E']],
  ['a.rb', 'def f\n  raise E, "no"\nrescue => e\n  g\nend', []],
  ['a.rb', 'def f\n  raise E, "no"\nrescue A\n  g\nend', ['E']],
])('[R71] the parser lists no error that the function catches itself: %s %s', async (path, source, names) => {
  expect((await readFacts(path, source, 'raise', 'check')).map(({ name }) => name)).toEqual(names);
});

it.each([
  ['a.js', 'function f(next) { next(new E("no"), 1) }', []],
  ['a.js', 'function f(next) { next(new TypeError("no")) }', ['TypeError to next: ']],
  [
    'a.js',
    'function f(next) { if (next.a) return; next(createError(415)) }',
    ['createError(415) to next: !(next.a)'],
  ],
  ['a.js', 'const f = () => new Promise((yes, no) => { no(new Error("x")) })', ['Error to no: ']],
  ['a.ts', 'function f() { return Promise.reject(new Error("x")) }', ['Error to Promise.reject: ']],
  ['a.js', 'function f(next) { log(new Error("x")); next(toError); console.error(new Error()) }', []],
  ['a.js', 'class A { f() { this._error(new Error("x")) } }', ['Error to this._error: ']],
  ['a.js', 'class A { f() { this.emit("error", new Error("x")) } }', ['Error to this.emit: ']],
  ['a.js', 'class A { f() { this.emit("end", new Error("x")); log.error(new Error("x")) } }', []],
] as const)(
  '[R71] the parser lists an error passed to a callback together with the callback: %s %s',
  async (path, source, said) => {
    const facts = (await reader.read(source, { path }))?.facts ?? [];
    const passed = facts.flatMap(({ name, passedTo, when = [] }) =>
      passedTo === undefined ? [] : [`${name} to ${passedTo}: ${when.join(' & ')}`],
    );
    expect(passed).toEqual(said);
  },
);

it.each([
  ['a.js', 'function f(a) { const error = createError(a); throw error }', ['createError(…)']],
  ['a.py', 'def f():\n    failure = KeyError()\n    raise failure\n', ['KeyError']],
  ['a.js', 'function f(a) { try { g() } catch (error) { throw error } }', []],
  ['a.js', 'function f(a) { const reason = g(a); throw reason }', []],
  ['a.js', 'function f(errors) { throw errors[0] }', []],
  ['a.js', 'const f = g ?? (() => { throw new E("no") })', []],
  ['a.js', 'if (!g) throw new E("no")', ['E']],
  ['a.rb', 'def f(error)\n  raise error\nend', []],
  ['a.rb', 'def f(error)\n  raise error.sub("<in>", "b")\nend', []],
  ['a.py', 'def f(task):\n    raise task.exception()\n', []],
  ['a.py', 'def f(task):\n    raise E("from here") from task.error\n', ['E']],
  [
    'a.py',
    'def f(self):\n    failure = self.error_type()\n    raise failure from None\n',
    ['self.error_type(…)'],
  ],
  ['a.swift', 'func f() throws { throw WsError.unknownOpCode("no") }', ['WsError.unknownOpCode("no")']],
  ['a.cpp', 'template <typename T> void f() { throw T{1}; }', []],
  ['a.rb', 'def f(error)\n  raise E\nend', ['E']],
])(
  '[R71] the parser lists a raised variable as the error that was assigned to it: %s %s',
  async (path, source, names) => {
    expect((await readFacts(path, source, 'raise', 'check')).map(({ name }) => name)).toEqual(names);
  },
);

it.each([
  ['a.js', 'function f(s) { s.on("end", () => { throw new E("x") }) }', 'event "end" of s'],
  ['a.js', 'function f(s) { g(s, () => { throw new E("x") }) }', 'function passed to g'],
  ['a.js', 'function f(s) { s.forEach(() => { throw new E("x") }) }', ''],
  [
    'a.js',
    'function f(s) { s.a(1).on("x", g).on("end", () => { throw new E("x") }) }',
    'event "end" of s.a(1)',
  ],
  ['a.js', 'function f(s) { s.on(() => { throw new E("x") }) }', ''],
  [
    'a.php',
    '<?php function f($s) { return $s->mapError(function ($e) { throw new E("x"); }); }',
    'function passed to mapError',
  ],
  ['a.rb', 'def f(s)\n  s.open { raise E, "x" }\nend', ''],
])(
  '[R71] the parser lists an error in a callback as raised when the callback runs: %s %s',
  async (path, source, when) => {
    expect(await readFacts(path, source, 'raise', 'check')).toMatchObject([{ when }]);
  },
);

it('[R70] PHP: the parser assigns names of a grouped import to the namespace before the brackets', async () => {
  const source = '<?php\nuse A\\B\\{C, D as E};\nuse X\\Y;\n';
  expect((await reader.read(source, { path: 'a.php' }))?.bindings).toEqual([
    { local: 'C', module: 'A\\B', name: 'C' },
    { local: 'E', module: 'A\\B', name: 'D' },
    { local: 'Y', module: 'X', name: 'Y' },
  ]);
});

it('[R75] [R71] Kotlin: the parser assigns errors and deprecation of an accessor to the property, and assigns a check in init to the class', async () => {
  const source =
    'interface Style {\n  @Deprecated("no")\n  var border: Boolean\n    get() = throw E("get")\n}\nclass Text(private val chars: String) {\n  init {\n    require(chars.length == 16) { "short" }\n    require(other > 1)\n  }\n}\n';
  const facts = (await reader.read(source, { path: 'a.kt' }))?.facts ?? [];
  expect(
    facts
      .filter(({ kind }) => kind !== 'call' && kind !== 'use')
      .map(({ kind, owner }) => `${kind} ${owner}`),
  ).toEqual(['deprecated Style.border', 'raise Style.border', 'assert Text']);
});

it.each([
  ['MAX_ITEMS = 5', true],
  ['DEFAULT_BUFFER_SIZE = 4096', true],
  ['RANDOM_POOL_SIZE = 8192', true],
  ['HEADER_SIZE = 56', false],
  ['SIZE = 56', false],
  ['GET_PAYLOAD_LENGTH_16 = 1', false],
  ['MIN_LEVEL = 1', true],
  ['maxSizeExceeded = 1006', false],
  ['smallerThanMinSize = 1008', false],
  ['DEFAULTS = { maxSize: 5 }', true],
  ['LEVELS = { maxSize: 5 }', false],
])('[R53] the parser treats a number as a limit only if its name says so: %s', async (text, isLimit) => {
  const facts = (await reader.read(`const ${text};\n`, { path: 'a.js' }))?.facts ?? [];
  expect(facts.some(({ kind }) => kind === 'limit')).toBe(isLimit);
});

it('[R71] Kotlin: inside a type, the parser resolves a call to a method of the type and not to a raising function of the same name', async () => {
  const source =
    'class Log {\n  fun error(a: String) { }\n  fun both(a: String) { error(a) }\n}\nclass Other {\n  fun fails() { error("no") }\n}\n';
  const facts = (await reader.read(source, { path: 'a.kt' }))?.facts ?? [];
  expect(facts.filter(({ kind }) => kind === 'raise').map(({ owner }) => owner)).toEqual(['Other.fails']);
});

it('[R70] C#: the parser treats an argument as a function that is passed on, but not the operand of nameof', async () => {
  const source = 'class A { void Go() {} void Run(B b) { Say(nameof(Go)); Say(nameof(b.Go)); Say(Go); } }';
  const facts = (await reader.read(source, { path: 'A.cs' }))?.facts ?? [];
  expect(facts.filter(({ kind }) => kind === 'use').map(({ text }) => text)).toEqual(['Go']);
});

it('[R71] Swift: the parser returns a pattern in a condition as the whole condition', async () => {
  const source = 'func f(b: B) throws { if case let .x(a) = b, a > 1 { throw E.no } }';
  expect(await readFacts('a.swift', source, 'raise', 'check')).toMatchObject([
    { when: 'case let .x(a) = b, a > 1' },
  ]);
});

it('[R71] JavaScript: the parser does not list errors of an anonymous default function as raised when the file is loaded', async () => {
  const source =
    "export default function (a) { throw new E('no') }\nexport function f(a) { throw new F('no') }";
  for (const path of ['a.js', 'a.ts'])
    expect((await readFacts(path, source, 'raise', 'check')).map(({ name }) => name)).toEqual(['F']);
});

it.each([
  ['a.swift', 'enum A {\n  var raw: String { fatalError("no") }\n  var b = 1\n}'],
  ['A.cs', 'class A {\n  int raw { get { throw new E("no"); } }\n  int b = 1;\n}'],
])('[R71] the parser assigns errors in a property with code to the property: %s', async (path, source) => {
  const facts = (await reader.read(source, { path }))?.facts ?? [];
  expect(facts.filter(({ kind }) => kind === 'raise').map(({ owner }) => owner)).toEqual(['A.raw']);
});

it('[R53] the parser omits an error message if a template in it contains other templates', async () => {
  const source = 'function f(a) { throw new E(`${a ? "one" : `two ${a}`} three`) }';
  expect(await readFacts('a.js', source, 'raise', 'check')).toMatchObject([{ name: 'E', text: '' }]);
});

it('[R53] the parser does not treat an escape sequence as a file path', async () => {
  expect(await readFacts('a.js', 'fs.writeFileSync("\\n", a)', 'file')).toEqual([]);
  expect(await readFacts('a.js', 'fs.writeFileSync("a/b.txt", a)', 'file')).toMatchObject([
    { text: 'a/b.txt' },
  ]);
});

it('[R71] the parser ignores an error that a returned Go function creates without returning it', async () => {
  const wrapped = (body: string) =>
    `package a\n\nfunc F() Job {\n\treturn Wrap(func() error {\n${body}\t})\n}\n`;
  expect(await readFacts('a.go', wrapped('\t\terr := fmt.Errorf("no")\n\t\tlog(err)\n'), 'raise')).toEqual(
    [],
  );
  expect(await readFacts('a.go', wrapped('\t\treturn fmt.Errorf("no")\n'), 'raise')).toMatchObject([
    { name: 'fmt.Errorf', text: 'no' },
  ]);
});
