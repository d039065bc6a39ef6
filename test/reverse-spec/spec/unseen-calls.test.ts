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

it('[R70] Swift: an extension of a library type has methods, but does not say how that type is made', async () => {
  const source =
    'extension Data {\n  func crc() -> Int { return 1 }\n}\nclass Archive {\n  init(a: Int) {}\n}\nextension Archive {\n  convenience init(b: Int) {}\n}\nfunc run(d: Data) {\n  let empty = Data()\n  let sum = d.crc()\n  let made = Archive(a: 1)\n}\n';
  expect(await callsOf({ 'Sources/a.swift': source })).toEqual(['run > Data.crc:2', 'run > Archive.init:5']);
});

it('[R70] Kotlin: a call of a name that is a class and a function beside it is left out', async () => {
  const source =
    'class Row private constructor(val a: Int)\nfun Row(make: () -> Int): Row = Row(1)\nfun plain(a: Int) { }\nfun run() {\n  plain(1)\n  Row(2)\n}\n';
  expect(await callsOf({ 'a.kt': source })).toEqual(['run > plain:3']);
});

it('[R70] PHP: the method of a trait runs, not that of the interface; without a trait the interface is all that is known', async () => {
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

it('[R70] Ruby: a local variable that is read and a conversion are not calls, a method without brackets is one', async () => {
  const source =
    'class A\n  def value\n    1\n  end\n  def go\n    found = value\n    puts found\n    String(found)\n  end\nend\nclass String\nend\n';
  expect(await callsOf({ 'lib/a.rb': source })).toEqual(['A.go > A.value:2']);
});

it('[R70] C#: an extension of a type of a library is called on what is written to be of that type', async () => {
  const files = {
    'src/G.csproj': '<Project></Project>',
    'src/Scan.cs':
      'public static class Scanning {\n  public static void Scan(this IServiceCollection services) { }\n}\npublic class Use {\n  private IServiceCollection Known { get; }\n  private IOther Other { get; }\n  public void Go() {\n    Known.Scan();\n    Other.Scan();\n  }\n}\n',
  };
  expect(await callsOf(files)).toEqual(['Use.Go > Scanning.Scan:2']);
});

it('[R55] tests find what an entry file passes on with export lists and stars', async () => {
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

it('[R74] flows of what the entry file passes on come before those of functions that files share', async () => {
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

it('[R73] the purpose is not a remark on standards, and that of a platform folder of Kotlin is the project’s', async () => {
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

it('[R80] an example does not begin or end inside a statement', async () => {
  const files = {
    'src/A.java': 'package a;\npublic class A {\n  public String show() { return ""; }\n}\n',
    'test/ATest.java': `package a;\nclass ATest {\n  void shows() {\n${'    one();\n'.repeat(12)}    assertEquals(""\n${'        + "line"\n'.repeat(14)}        + "last",\n        new A().show());\n  }\n}\n`,
  };
  expect((await documentOf(files, 'src'))('Interface')).not.toContain('+ "line"');
});

it('[R52] tags for checkers are not words about a declaration, what they are followed by is', async () => {
  const source =
    '<?php\n/**\n * @phpstan-import-type A from B\n * @final\n */\nclass One {\n  /** @inheritDoc */\n  public function go() {}\n  /** @return int the count */\n  public function count() {}\n}\n/**\n * @internal\n *\n * Keeps boxes.\n */\nclass Two {}\n/** @deprecated use One */\nclass Three {}\n';
  const shown = (await documentOf({ 'src/a.php': source }, 'src/a.php'))('Interface');
  expect(shown).not.toMatch(/phpstan|@final|inheritDoc/);
  for (const words of ['@return int the count', '> @deprecated use One']) expect(shown).toContain(words);
});

it('[R73] the purpose is not taken from instructions, and badges are not words', async () => {
  const intent = async (readme: string) =>
    (
      await documentOf(
        {
          'README.md': readme,
          'package.json': '{ "description": "Keeps sessions." }',
          'a.js': 'exports.a = 1\n',
        },
        '.',
      )
    )('Intent');
  expect(
    await intent('# session\n\n## Usage\n\nSettings of the session are listed here. The default is 5.\n'),
  ).toBe('Keeps sessions. (`package.json`)');
  expect(
    await intent('# log\n\nA logger, written in [![Kotlin](a.svg)](https://a.org). It is small.\n'),
  ).toBe('A logger, written in Kotlin. It is small. (`README.md`)');
  expect(
    await intent(
      '# route\n\nThis library routes. [Why it is fast.][post]\n\n## Usage\n\nThe route is added.\n',
    ),
  ).toBe('This library routes. Why it is fast. (`README.md`)');
});
