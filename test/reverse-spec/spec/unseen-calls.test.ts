import { expect, it } from 'vitest';
import { ourCalls } from '../../../bench/accuracy/our-calls.ts';
import { documentOf } from '../../support/spec-document.ts';
import { project } from '../../support/spec-project.ts';

async function callsOf(files: Record<string, string>): Promise<string[]> {
  const { edges } = await ourCalls(project(files));
  return edges
    .filter(({ kind }) => kind === 'call')
    .map(({ from, to }) => `${from.name} > ${to.name}:${to.startLine}`);
}

it('[R70] Swift: the call graph resolves methods of an extension of a library type, but adds no constructor', async () => {
  const source =
    'extension Data {\n  func crc() -> Int { return 1 }\n}\nclass Archive {\n  init(a: Int) {}\n}\nextension Archive {\n  convenience init(b: Int) {}\n}\nfunc run(d: Data) {\n  let empty = Data()\n  let sum = d.crc()\n  let made = Archive(a: 1)\n}\n';
  expect(await callsOf({ 'Sources/a.swift': source })).toEqual(['run > Data.crc:2', 'run > Archive.init:5']);
});

it('[R70] Kotlin: the call graph omits a call of a name that is both a class and a function', async () => {
  const source =
    'class Row private constructor(val a: Int)\nfun Row(make: () -> Int): Row = Row(1)\nfun plain(a: Int) { }\nfun run() {\n  plain(1)\n  Row(2)\n}\n';
  expect(await callsOf({ 'a.kt': source })).toEqual(['run > plain:3']);
});

it('[R70] PHP: the call graph resolves a call to the method of a trait, or to the method of the interface if no trait has one', async () => {
  const files = {
    'src/Aware.php': '<?php\nnamespace A;\ninterface Aware { public function box(); }\n',
    'src/AwareTrait.php': '<?php\nnamespace A;\ntrait AwareTrait { public function box() { return 1; } }\n',
    'src/One.php':
      '<?php\nnamespace A;\nclass One implements Aware {\n  use AwareTrait;\n  public function go() { return $this->box(); }\n}\n',
    'src/Two.php':
      '<?php\nnamespace A;\nabstract class Two implements Aware {\n  public function go() { return $this->box(); }\n}\n',
  };
  const calls = (await callsOf(files)).map((call) => call.replace(/:\d+$/, ''));
  expect(calls).toEqual(['One.go > AwareTrait.box', 'Two.go > Aware.box']);
});

it('[R70] Ruby: the call graph contains methods called without brackets, but no local variables and no conversions', async () => {
  const source =
    'class A\n  def value\n    1\n  end\n  def go\n    found = value\n    puts found\n    String(found)\n  end\nend\nclass String\nend\n';
  expect(await callsOf({ 'lib/a.rb': source })).toEqual(['A.go > A.value:2']);
});

it('[R70] C#: the call graph resolves an extension method of a library type only if the receiver is declared with that type', async () => {
  const files = {
    'src/G.csproj': '<Project></Project>',
    'src/Scan.cs':
      'public static class Scanning {\n  public static void Scan(this IServiceCollection services) { }\n}\npublic class Use {\n  private IServiceCollection Known { get; }\n  private IOther Other { get; }\n  public void Go() {\n    Known.Scan();\n    Other.Scan();\n  }\n}\n',
  };
  expect(await callsOf(files)).toEqual(['Use.Go > Scanning.Scan:2']);
});

it('[R55] the section Test coverage finds exports that an entry file re-exports by lists and stars', async () => {
  const files = {
    'src/index.ts': "export { Bench } from './bench'\nexport * from './other'\n",
    'src/bench.ts': 'export class Bench {\n  add(a: number) {}\n  rest() {}\n}\n',
    'src/other.ts': 'export function other(a: number) {}\n',
    'test/a.test.ts':
      "import { Bench, other } from '../src'\ntest('a', () => {\n  const bench = new Bench()\n  bench.add(1)\n  other(1)\n})\n",
  };
  const coverage = (await documentOf(files, 'src'))('Test coverage');
  expect(coverage).toMatch(/`Bench.add` \|[^\n]*a\.test\.ts#L4/);
  expect(coverage).toMatch(/`other` \|[^\n]*a\.test\.ts#L5/);
  expect(coverage).toContain('No use found in tests: `Bench.rest`.');
});

it('[R74] flows of functions that the entry file exports come before flows of internal shared functions', async () => {
  const helper = (name: string) =>
    `export function ${name}(a: number) {\n  one(a);\n  two(a);\n  three(a);\n}\n`;
  const files = {
    'src/index.ts': "export { main } from './main';\n",
    'src/main.ts': `import { one, two } from './parts';\nexport function main(a: number) {\n  one(a);\n  two(a);\n}\n`,
    'src/parts.ts': `export function one(a: number) {}\nexport function two(a: number) {}\nfunction three(a: number) {}\n${['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7', 'h8', 'h9'].map(helper).join('')}`,
  };
  const flows = (await documentOf(files, 'src'))('Business logic').match(/(?<=\*\*\[`)[^`]*/g);
  expect(flows?.[0]).toBe('main');
});

it('[R73] Intent quotes the manifest instead of a README remark about standards, and Intent of a Kotlin platform folder quotes the README of the project', async () => {
  const files = {
    'README.md': '# box\n\nThis package is compliant with PSR-1.\n',
    'composer.json': '{ "name": "a/box", "description": "A container of things." }',
    'src/a.php': '<?php\nfunction a() {}\n',
  };
  expect((await documentOf(files, '.'))('Intent')).toBe('A container of things. (`composer.json`)');
  const kotlin = {
    'README.md': '# box\n\nThis library draws boxes.\n',
    'box/src/commonMain/kotlin/a/b.kt': 'fun a() { }\n',
  };
  expect((await documentOf(kotlin, 'box/src/commonMain/kotlin/a'))('Intent')).toBe(
    'This library draws boxes. (`README.md`)',
  );
});

it('[R52] the section Intent prefers the README paragraph that defines the project to other sentences', async () => {
  const intent = async (readme: string) => {
    const files = {
      'README.md': `# jot\n\n${readme}`,
      'a.js': '// vim: ts=2:sw=2:expandtab\n\nexports.a = 1\n',
      'b.js': '// not used\n\nexports.b = 1\n',
    };
    return (await documentOf(files, '.'))('Intent');
  };
  for (const definition of ['A reader of forms.', 'Jot is quick.', 'This library reads forms.'])
    expect(await intent(`The notes come first.\n\n${definition}\n`)).toBe(`${definition} (\`README.md\`)`);
  expect(await intent('The parser keeps its input.\n\n## Usage\n\nThis is a parser of forms.\n')).toBe(
    'This is a parser of forms. (`README.md`)',
  );
  expect(await intent('The parser keeps its input.\n')).toContain('keeps its input');
});

it('[R80] an example does not begin or end inside a statement', async () => {
  const files = {
    'src/A.java': 'package a;\npublic class A {\n  public String show() { return ""; }\n}\n',
    'test/ATest.java': `package a;\nclass ATest {\n  void shows() {\n${'    one();\n'.repeat(12)}    assertEquals(""\n${'        + "line"\n'.repeat(14)}        + "last",\n        new A().show());\n  }\n}\n`,
  };
  expect((await documentOf(files, 'src'))('Interface')).not.toContain('+ "line"');
});

it('[R52] the section Interface omits comment tags for type checkers, but keeps the text of tags such as @return', async () => {
  const source =
    '<?php\n/**\n * @phpstan-import-type A from B\n * @final\n */\nclass One {\n  /** @inheritDoc */\n  public function go() {}\n  /** @return int the count */\n  public function count() {}\n}\n/**\n * @internal\n *\n * Keeps boxes.\n */\nclass Two {}\n/** @deprecated use One */\nclass Three {}\n';
  const shown = (await documentOf({ 'src/a.php': source }, 'src/a.php'))('Interface');
  expect(shown).not.toMatch(/phpstan|@final|inheritDoc/);
  for (const words of ['@return int the count', '> @deprecated use One']) expect(shown).toContain(words);
});

it('[R73] the section Intent does not quote instructions or badges of a README', async () => {
  const intent = async (readme: string) =>
    (
      await documentOf(
        {
          'README.md': readme,
          'a.js': 'exports.a = 1\n',
        },
        '.',
      )
    )('Intent');
  expect(
    await intent('# session\n\n## Usage\n\nSettings of the session are listed here. The default is 5.\n'),
  ).toMatch(/^The authors wrote no words/);
  expect(
    await intent('# log\n\nA logger, written in [![Kotlin](a.svg)](https://a.org). It is small.\n'),
  ).toBe('A logger, written in Kotlin. It is small. (`README.md`)');
  expect(
    await intent(
      '# route\n\nThis library routes. [Why it is fast.][post]\n\n## Usage\n\nThe route is added.\n',
    ),
  ).toBe('This library routes. Why it is fast. (`README.md`)');
});

it.each([
  [
    'a.swift',
    'public class A {\n  public func items() {}\n  public func run() {\n    if let items = b() { pass(items) }\n    guard let items = c() else { return }\n    pass(items)\n    each { items -> Int in pass(items) }\n  }\n}\n',
  ],
  [
    'a.hpp',
    'int begin(int a);\nvoid pass(int a);\ninline void run() {\n  auto line = [](int begin) { pass(begin); };\n}\n',
  ],
])(
  '[R70] the call graph knows that a variable of a condition or an unnamed function hides a function of the same name: %s',
  async (path, source) => {
    expect((await documentOf({ [path]: source }, path))('Business logic')).not.toContain('Passes');
  },
);

it('[R70] the call graph treats passing a method on as a use of the method, but does not treat passing a property as a use', async () => {
  const files = {
    'a.py':
      'class A:\n    @property\n    def size(self):\n        return 1\n\n    def grow(self):\n        return 2\n\n    def run(self):\n        show(self.size, self.grow)\n        self.lid()\n\n    def lid(self):\n        pass\n',
    'a.js':
      'export class B {\n  get size() { return 1 }\n  grow() {}\n  run() { show(this.size, this.grow); this.lid() }\n  lid() {}\n}\n',
  };
  for (const path of ['a.py', 'a.js']) {
    const flows = (await documentOf(files, path))('Business logic');
    expect(flows).toContain('.grow`]');
    expect(flows).not.toContain('size');
  }
});

it('[R74] methods that a hidden class implements for an exported interface have flows, and other methods of that class are helpers', async () => {
  const files = {
    'shape.ts': 'export interface Shape {\n  draw(): void;\n}\n',
    'box.ts':
      "import type { Shape } from './shape';\n\nclass Box implements Shape {\n  draw() {\n    this.lid();\n    this.side();\n  }\n  lid() {\n    this.side();\n  }\n  side() {}\n}\n\nexport const box: Shape = new Box();\n",
  };
  const flows = (await documentOf(files, '.'))('Business logic').match(/(?<=\*\*\[`)[^`]*/g);
  expect(flows).toEqual(['Box.draw']);
});

it('[R74] the flow that tests use most comes first; it shows the steps of functions that are passed as arguments', async () => {
  const files = {
    'src/form.js':
      'export class Form {\n  low() {\n    one();\n    two();\n  }\n  parse(req) {\n    this.low();\n    const take = () => {\n      one();\n    };\n    req.on("data", take);\n  }\n}\nfunction one() {}\nfunction two() {}\n',
    'test/form.test.js':
      "import { Form } from '../src/form.js';\nit('parses', () => {\n  new Form().parse(1);\n  new Form().parse(2);\n});\n",
  };
  const flows = (await documentOf(files, 'src'))('Business logic');
  expect(flows.match(/(?<=\*\*\[`)[^`]*/g)).toEqual(['Form.parse', 'Form.low']);
  expect(flows).toMatch(/Passes \[`Form\.parse\.take`\][^\n]*\n {3}- Calls \[`one`\]/);
});

it('[R54] the section Technical debt lists a check that is often suppressed in one row with all places', async () => {
  const files = { 'a.py': 'a = 1  # noqa E501\nb = 1  # noqa E501\nc = 1  # noqa E402\n' };
  const debt = (await documentOf(files, 'a.py'))('Technical debt');
  expect(debt.match(/E501/g)).toHaveLength(1);
  expect(debt).toMatch(/E501 \|[^\n]*a\.py#L1[^\n]*L2/);
  expect(debt).toContain('E402');
});

it('[R71] the document omits a condition that follows from another condition', async () => {
  const files = {
    'a.js':
      "export function f(n) {\n  if (n === 'a') g();\n  else if (n === 'b') h();\n  else if (n === 'c') throw new Error('no');\n  else throw new Error('other');\n}\n",
  };
  const rules = (await documentOf(files, 'a.js'))('Constraints');
  expect(rules).toContain("(`no`) if `n === 'c'` (");
  expect(rules).toContain("(`other`) if `n !== 'a'` and `n !== 'b'` and `n !== 'c'` (");
});

it('[R52] Interface shows a reference in a comment as its name, and shows a class without a name under the name of its variable', async () => {
  const kotlin = '/** Wraps [Box] for a [List of boxes](a.md) and `a[0]`. */\nfun wrap() { }\n';
  expect(
    (await documentOf({ 'a.kt': `${kotlin}fun run() { wrap(); b() }\nfun b() { }\n` }, 'a.kt'))(
      'Business logic',
    ),
  ).toContain('Wraps Box for a [List of boxes](a.md) and `a[0]`.');
  const script = {
    'a.js': 'const Problem = class extends Error {\n  go() {}\n};\n\nexport default Problem;\n',
  };
  expect((await documentOf(script, 'a.js'))('Interface')).not.toContain('`extends`');
});

it('[R52] the section Interface does not treat linter directives and inherited comments as documentation', async () => {
  const swift = {
    'a.swift':
      '// swiftlint:disable function_body_length\npublic func run() {\n  one()\n  two()\n}\nfunc one() {}\nfunc two() {}\n',
  };
  expect((await documentOf(swift, 'a.swift'))('Business logic')).not.toContain('swiftlint');
  const csharp = { 'Box.cs': '/// <inheritdoc cref="IBox{T}"/>\npublic class Box { }\n' };
  expect((await documentOf(csharp, '.'))('Intent')).not.toContain('inheritdoc');
});

it('[R70] Go: the call graph resolves calls that name an embedded type, or a generic function or type with type arguments', async () => {
  const source =
    'package a\n\ntype Base[T any] struct{}\n\nfunc (b *Base[T]) Run() {}\n\ntype Box[T any] struct {\n\t*Base[T]\n}\n\nfunc (b *Box[T]) Run() {\n\tb.Base.Run()\n\tb.Stop()\n}\n\nfunc (b *Base[T]) Stop() {}\n\nfunc One[T any](a int) *Box[T] { return nil }\n\nfunc Two[T any](a, b int) {}\n\nfunc go1() {\n\tOne[string](1).Run()\n\tTwo[string](1, 2)\n}\n';
  expect(await callsOf({ 'a.go': source })).toEqual([
    'Box.Run > Base.Run:5',
    'Box.Run > Base.Stop:16',
    'go1 > One:18',
    'go1 > Box.Run:11',
    'go1 > Two:20',
  ]);
});

it('[R70] the call graph resolves calls through types in comments of PHP, JavaScript and Ruby', async () => {
  const files = {
    'src/A.php':
      '<?php\nnamespace N;\nclass A {\n  /** @return \\N\\A */\n  public static function make() { return b(); }\n  /** @return int|A */\n  public static function other() {}\n  public function go() {}\n}\n',
    'src/B.php':
      '<?php\nnamespace N;\nclass B {\n  /** @param A $a */\n  public function run($a) { $a->go(); A::make()->go(); A::other()->go(); }\n}\n',
    'a.js':
      'class Box {\n  open() {}\n}\n/** @returns {Box} */\nfunction make() {}\n/** @param {Box} box */\nfunction run(box) {\n  box.open();\n  make().open();\n}\n',
    'lib/a.rb':
      'class Box\n  def open\n  end\nend\nclass Maker\n  # @return [Box]\n  def make\n    x\n  end\n  def run\n    make.open\n  end\nend\n',
  };
  expect(await callsOf(files)).toEqual([
    'run > Box.open:2',
    'run > make:5',
    'run > Box.open:2',
    'Maker.run > Maker.make:7',
    'Maker.run > Box.open:2',
    'B.run > A.go:8',
    'B.run > A.make:5',
    'B.run > A.go:8',
    'B.run > A.other:7',
  ]);
});

it('[R70] Ruby: the call graph knows the types of class variables and of objects that a method creates', async () => {
  const source =
    'class A\n  class << self\n    attr_reader :conf\n    def cache\n      @cache ||= Cache.new\n    end\n    def reset\n      cache.reset\n    end\n  end\n  @conf = Conf.new\n  def initialize\n    @conf = self.class.conf\n  end\n  def call\n    @conf.ok?\n  end\nend\nclass Conf\n  def ok?\n  end\nend\nclass Cache\n  def reset\n  end\nend\n';
  expect(await callsOf({ 'lib/a.rb': source })).toEqual([
    'A.cache > Cache:23',
    'A.reset > A.cache:4',
    'A.reset > Cache.reset:24',
    'A. > Conf:19',
    'A.call > Conf.ok?:20',
  ]);
});

it('[R70] the call graph contains recursive calls, except in Java, where a call of the same name may run an overload', async () => {
  const files = {
    'a.ts': 'export function walk(a: number) {\n  walk(a - 1);\n}\n',
    'A.java':
      'public class A {\n  A(int a) {}\n  static A init() { return new A(1); }\n  void go(int a) { go("a"); }\n  void go(String a) {}\n}\n',
  };
  expect(await callsOf(files)).toEqual(['A.init > A.A:2', 'walk > walk:1']);
});

it('[R70] Python: the call graph resolves a name in each function by the import of that function', async () => {
  const files = {
    'a/__init__.py':
      'def one():\n    from ._one import run\n    def inner():\n        run()\n    return inner\n\ndef two():\n    from ._two import run\n    run()\n\ndef three():\n    run()\n',
    'a/_one.py': 'def run():\n    pass\n',
    'a/_two.py': 'x = 1\n\ndef run():\n    pass\n',
  };
  const { edges } = await ourCalls(project(files));
  expect(
    edges.filter(({ kind }) => kind === 'call').map(({ from, to }) => `${from.name} > ${to.path}`),
  ).toEqual(['one.inner > a/_one.py', 'two > a/_two.py']);
});

it('[R70] Go: a variable of an `if` statement does not hide the receiver in the rest of the method', async () => {
  const source =
    'package a\n\ntype Client struct{}\n\nfunc (c *Client) Do(body any) {\n\tif c, ok := body.(Closer); ok {\n\t\t_ = c\n\t}\n\tc.done()\n}\n\nfunc (c *Client) done() {}\n';
  expect(await callsOf({ 'a.go': source })).toEqual(['Client.Do > Client.done:12']);
});

it('[R70] JavaScript: the parser treats functions assigned to the exported object as its members', async () => {
  const files = {
    'a.js':
      'var box = {\n  open: undefined,\n  size: 1\n};\nfunction one () {}\nbox.open = function open (a) {\n  one();\n  one(a);\n};\nbox.Lid = Lid;\nfunction Lid () {}\nexport default box;\n',
  };
  const section = await documentOf(files, 'a.js');
  expect(section('Interface')).toContain('#### `box`');
  expect(section('Interface')).toContain('- method `box.open = function open (a)`');
  expect(section('Interface')).not.toContain('- property `open');
  expect(section('Business logic')).toContain('**[`box.open`]');
});

it('[R70] Ruby: the call graph treats `@size` as a variable even if a method has the same name', async () => {
  const source =
    'class Pool\n  def initialize\n    @size = Stack.new\n  end\n  def size\n    @size.length\n  end\nend\nclass Stack\n  def length\n  end\nend\n';
  expect(await callsOf({ 'lib/a.rb': source })).toEqual([
    'Pool.initialize > Stack:9',
    'Pool.size > Stack.length:10',
  ]);
});
