import { expect, it } from 'vitest';
import { roleOf } from '../../../packages/reverse-spec/src/spec/prepare/scope.ts';
import { documentOf } from '../../support/spec-document.ts';

it('[R73] the section Intent quotes the manifest or, without a description there, the README, but quotes no notices or advice', async () => {
  const intent = async (words: string, manifest?: string) => {
    const files = {
      'README.md': `# jot\n\n${words}\n`,
      ...(manifest !== undefined && { 'Jot.podspec': manifest }),
      'Sources/a.swift': 'public func a() {}\n',
    };
    return (await documentOf(files, '.'))('Intent');
  };
  const podspec = "Pod::Spec.new do |s|\n  s.summary = 'A decoder for tokens'\nend\n";
  expect(await intent('**Jot** is a jar of *tokens*.', podspec)).toBe('A decoder for tokens (`Jot.podspec`)');
  for (const words of [
    'Simply include it and you are good to go.',
    '📚 [**Docs**](#docs) • [Start](#start)',
    '> **Note:** Jot is not maintained.',
  ])
    expect(await intent(words)).toMatch(/^The authors wrote no words/);
  expect(await intent('Adds [tokens](#a) to a [jar](#b) and more.')).toContain('(`README.md`)');
  expect(await intent('It is small.\n\n**Jot** is a jar of *tokens*.')).toContain('a jar of *tokens*.');
});

it('[R73] the section Intent does not quote an indented notice of reStructuredText', async () => {
  const readme =
    'jot\n===\n\n.. caution::\n\n    Jot is closed for changes.\n    It is an old library.\n\nJot is a small container.\n\n.. image:: a.png\n';
  const files = { 'README.rst': readme, 'a.go': 'package jot\n\nfunc A() {}\n' };
  expect((await documentOf(files, '.'))('Intent')).toBe('Jot is a small container. (`README.rst`)');
});

it('[R52] the section Intent quotes comments of single files only if there is no text about the package', async () => {
  const files = {
    'src/box.ts': '/** @file Keeps boxes of wood. */\n\nexport class Box {}\n',
    'src/lid.ts': '/** A lid of wood. */\nexport class Lid {}\n',
  };
  expect((await documentOf(files, 'src'))('Intent')).toContain('- `box.ts`: ');
  const described = { ...files, 'package.json': '{ "description": "Keeps boxes." }' };
  expect((await documentOf(described, 'src'))('Intent')).toBe('Keeps boxes. (`package.json`)');
});

it('[R65] Swift: the section Interface lists only public declarations, or all if none is public', async () => {
  const source = [
    'public struct Box {',
    '  let inner: Int',
    '  public var outer: Int',
    '  public init() {}',
    '}',
    'struct Hidden {}',
    'public protocol Shape {',
    '  var sides: Int { get }',
    '}',
    'public extension Shape {',
    '  func draw() {}',
    '  internal func hide() {}',
    '}',
    'extension Hidden {',
    '  func none() {}',
    '}',
    'extension Box: Equatable {}',
    '',
  ].join('\n');
  const shown = (await documentOf({ 'Sources/a.swift': source }, 'Sources'))('Interface');
  for (const name of ['var outer', '`Shape`', 'var sides', 'func draw', 'Equatable'])
    expect(shown).toContain(name);
  for (const name of ['let inner', 'struct Hidden', 'func hide', 'func none'])
    expect(shown).not.toContain(name);
  const program = { 'Sources/a.swift': 'struct App {\n  func run() {}\n}\n' };
  expect((await documentOf(program, 'Sources'))('Interface')).toContain('func run');
});

const upload = {
  'package.json': '{ "name": "jar", "main": "index.js" }',
  'index.js':
    "var disk = require('./disk')\n\nfunction Jar (options) {\n  this.store = disk(options)\n}\n\nJar.prototype.open = function (name) {\n  return this._lid(name)\n}\n\nJar.prototype._lid = function (name) {\n  return disk({ name: name })\n}\n\nfunction Hidden () {}\n\nHidden.prototype.run = function () {}\n\nfunction jar (options) {\n  new Hidden()\n  return new Jar(options)\n}\n\nmodule.exports = jar\nmodule.exports.disk = disk\n",
  'disk.js':
    'function Disk (opts) {}\n\nDisk.prototype.write = function write (a, b) {}\n\nmodule.exports = function (opts) {\n  return new Disk(opts)\n}\n',
};

it('[R74] the document shows public methods of an object that an exported JavaScript function returns, but no private methods', async () => {
  const section = await documentOf(upload, '.');
  const shown = section('Interface');
  expect(shown).toContain('Jar.prototype.open = function (name)');
  expect(shown).toContain('Not exported; its objects are what `jar` returns.');
  expect(shown).toContain('Disk.prototype.write = function write (a, b)');
  expect(shown).not.toContain('Hidden.prototype.run');
});

it('[R74] a flow has the name of the file if the module is a function, and a step with a constructor call says "Creates"', async () => {
  const flows = (await documentOf(upload, '.'))('Business logic');
  expect(flows).toContain('Creates [`Jar`]');
  expect(flows).toContain('[`disk.js`](<../disk.js#L5-L7>)');
  expect(flows).not.toContain('Calls [`Jar`]');
});

it('[R70] the call graph assigns calls inside an object literal to the function that contains the literal', async () => {
  const files = {
    'a.ts':
      'export function run(a: number) {\n  const context = { one: one(a), later: () => two(a) };\n  two(a);\n  return context;\n}\nfunction one(a: number) {}\nfunction two(a: number) {}\n',
  };
  const flows = (await documentOf(files, 'a.ts'))('Business logic');
  expect(flows).toContain('1. Calls [`one`]');
  expect(flows).not.toContain('run.context`');
});

it('[R74] the flow of an overload has the steps of the lines that it links to', async () => {
  const files = {
    'A.cs':
      'public class A {\n  public void Go(int a) { One(); }\n  public void Go(string a) {\n    Two();\n    Three();\n  }\n  private void One() { }\n  private void Two() { }\n  private void Three() { }\n}\n',
  };
  const flows = (await documentOf(files, 'A.cs'))('Business logic');
  expect(flows).toContain('Calls [`A.Two`]');
  expect(flows).not.toContain('A.One');
});

const parser = {
  'include/args/args.hpp':
    '#pragma once\nnamespace args {\nclass Argument {\npublic:\n  Argument &append() { return *this; }\n  Argument &scan() { return *this; }\n};\nclass Parser {\npublic:\n  explicit Parser(const char *name) {}\n  Argument &add(const char *name) { return last; }\n  Argument last;\n};\n}\n',
  'test/test_args.cpp':
    '#ifdef MODULE\nimport args;\n#else\n#include <args/args.hpp>\n#endif\n\nTEST_CASE("add") {\n  args::Parser program("x");\n  program.add("--dir").append();\n  std::Argument other;\n  other.scan();\n}\n',
};

it('[R55] C++: Test coverage finds calls on an object whose type the test writes with its namespace', async () => {
  const coverage = (await documentOf(parser, 'include'))('Test coverage');
  expect(coverage).toMatch(/`args::Parser::add` \|[^\n]*test_args\.cpp#L9/);
  expect(coverage).toMatch(/`args::Argument::append` \|[^\n]*test_args\.cpp#L9/);
  // A test calls something of this name: the document calls it neither used nor unused.
  expect(coverage).not.toContain('`args::Argument::scan`');
});

it('[R68] the parser finds no declarations in comments, even in a file with syntax errors', async () => {
  const source =
    '/*\nof this software and associated files (the "Software"), to deal\n*/\nint real(int a);\nchar operator+(A a) { return a **; }\nint other(int a) {\n#if X\n';
  const shown = (await documentOf({ 'a.hpp': source }, 'a.hpp'))('Interface');
  expect(shown).toContain('`real`');
  expect(shown).not.toContain('`files`');
});

it('[R55] the section Test coverage finds calls of functions that a CommonJS module re-exports', async () => {
  const files = {
    'index.js':
      "exports.raw = require('./lib/raw')\nexports.sew = require('./lib/sew').thread\nexports.cut = require('./lib/cut')\n",
    'lib/raw.js': 'module.exports = function (a) {}\n',
    'lib/sew.js': 'exports.thread = function (a) {}\nexports.cut = function (a) {}\n',
    'lib/cut.js': 'function cut (a) {}\nmodule.exports = cut\n',
    'test/all.js': "const all = require('..')\nall.raw(1)\nall.sew(1)\nall.cut(1)\n",
  };
  const coverage = (await documentOf(files, '.'))('Test coverage');
  for (const [name, line] of [
    ['module.exports', 2],
    ['thread', 3],
    ['cut', 4],
  ])
    expect(coverage).toMatch(new RegExp(`\`${name}\` \\|[^\\n]*all\\.js#L${line}\\b`));
  expect(coverage).toContain('3 of 4');
});

const guards = {
  'src/G.csproj': '<Project></Project>',
  'src/Guard.cs':
    'namespace G;\npublic interface IGuard { }\npublic class Guard : IGuard {\n  public static IGuard Against { get; } = new Guard();\n}\n',
  'src/Null.cs':
    'namespace G;\npublic static partial class Extensions {\n  public static T Null<T>(this IGuard guard, T input) { return input; }\n  public static T Empty<T>(this IGuard guard, T input) { guard.Null(input); return input; }\n  public static int Twice(this Other other, int a) { return a; }\n}\n',
  'tests/GTests.cs':
    'using G;\npublic class GTests {\n  public void Runs() {\n    Guard.Against.Null(1);\n    Guard.Against.Twice(1);\n  }\n}\n',
};

it('[R55] [R70] C#: the call graph resolves extension methods only on the type that they extend', async () => {
  const section = await documentOf(guards, 'src');
  expect(section('Test coverage')).toMatch(/`Extensions.Null` \|[^\n]*GTests\.cs#L4/);
  expect(section('Test coverage')).not.toContain('`Extensions.Twice`');
  expect(section('Business logic')).toContain('Calls [`Extensions.Null`]');
});

it('[R70] Kotlin: the call graph resolves extension functions on the type that they extend', async () => {
  const files = {
    'a.kt':
      'class Route\nclass Other\nfun Route.get(path: String) { }\nfun Other.post(path: String) { }\nfun run(route: Route) {\n  route.get("a")\n  route.post("a")\n}\n',
  };
  const flows = (await documentOf(files, 'a.kt'))('Business logic');
  expect(flows).toContain('Calls [`get`]');
  expect(flows).not.toContain('`post`');
});

it('[R55] Test coverage resolves methods of a constant by the declared type of the constant', async () => {
  const files = {
    'src/types.ts': 'export interface Fetch {\n  create(a: number): Fetch;\n  raw(a: number): void;\n}\n',
    'src/index.ts':
      "import type { Fetch } from './types.ts';\nimport { make } from './make.ts';\nexport const $fetch: Fetch = make();\n",
    'src/make.ts': 'export function make(): any {}\n',
    'test/a.test.ts':
      "import { $fetch } from '../src/index.ts';\nit('a', () => {\n  $fetch.create(1).raw(2);\n  other.raw(3);\n});\n",
  };
  const coverage = (await documentOf(files, 'src'))('Test coverage');
  expect(coverage).toMatch(/`Fetch.create` \|[^\n]*a\.test\.ts#L3/);
  expect(coverage).toMatch(/`Fetch.raw` \|[^\n]*a\.test\.ts#L3[^,L]*\|/);
});

it('[R80] an example ends at the end of the statement that contains the call', async () => {
  const files = {
    'src/a.ts': 'export function create(options: object) {}\n',
    'test/a.test.ts':
      "import { create } from '../src/a.ts';\ndescribe('a', () => {\n  it('merges', () => {\n    const made = create({\n      query: {\n        a: 0,\n      },\n      params: {\n        b: 2,\n      },\n    });\n    expect(made).toBe(1);\n    expect(made).toBe(2);\n    expect(made).toBe(3);\n    expect(made).toBe(4);\n    expect(made).toBe(5);\n    expect(made).toBe(6);\n    expect(made).toBe(7);\n  });\n});\n",
  };
  const shown = (await documentOf(files, 'src'))('Interface');
  expect(shown).toContain('  params: {\n    b: 2,\n  },\n})');
});

it('[R65] Rust: Interface omits implementations of types in private modules, but lists exported macros', async () => {
  const files = {
    'Cargo.toml': '[package]\nname = "a"\n',
    'src/lib.rs': 'mod ptr;\nmod macros;\n\npub struct Open;\n\nimpl Open {\n    pub fn go(&self) {}\n}\n',
    'src/ptr.rs': 'pub struct Own;\n\nimpl Own {\n    pub fn new() -> Self { Own }\n}\n',
    'src/macros.rs': '/// Fails.\n#[macro_export]\nmacro_rules! bail {\n    ($a:expr) => { $a };\n}\n',
  };
  const interfaces = (await documentOf(files, '.'))('Interface');
  expect(interfaces.match(/^#### `\w+`/gm)).toEqual(['#### `Open`', '#### `Open`', '#### `bail`']);
});

it('[R52] the section Interface shows signatures without comments and enum cases, and omits tags without text', async () => {
  const rust =
    'pub struct A;\n\nimpl A {\n    /// Goes.\n    #[cfg(a)]\n    /// More.\n    #[cfg(bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb)]\n    pub fn go(&self, first: usize, second: usize) {}\n}\n';
  expect((await documentOf({ 'a.rs': rust }, 'a.rs'))('Interface')).not.toContain('///');
  const swift = 'public enum Kind {\n  /// First.\n  case one\n  case two\n}\n';
  const enums = (await documentOf({ 'Sources/a.swift': swift }, 'Sources/a.swift'))('Interface');
  expect(enums).toContain('```swift\npublic enum Kind\n```');
  const csharp =
    'namespace N.Box {\n  /// <typeparam name="T"></typeparam>\n  public class Box<T> {\n    /// <remarks></remarks>\n    public int Size() { return 1; }\n  }\n}\n';
  expect((await documentOf({ 'a.cs': csharp }, 'a.cs'))('Interface')).not.toContain('@');
});

it('[R52] the document shows a purpose once even if two files contain this purpose, and shows a repeated syntax error in one row', async () => {
  const files = {
    'pyproject.toml': '[project]\nname = "a"\ndescription = "Keeps many boxes"\n',
    'a/__init__.py': '"""Keeps many boxes."""\n\ndef go(x):\n    return x\n',
  };
  expect((await documentOf(files, '.'))('Intent').match(/Keeps/g)).toHaveLength(1);
  const broken = 'macro_rules! a {\n    (~$b:tt) => { ~$b };\n    (~) => { ~ };\n}\npub fn go() {}\n';
  const debt = (await documentOf({ 'a.rs': broken }, 'a.rs'))('Technical debt');
  expect(debt.match(/syntax error/g)).toHaveLength(1);
});

it('[R65] the document takes flows and uses from a script, and takes the section Interface from the declaration file beside the script', async () => {
  const files = {
    'package.json': '{ "name": "box", "exports": { "types": "./index.d.ts", "default": "./index.js" } }',
    'index.d.ts': 'export default class Box {\n  open(a: number): void;\n}\n',
    'index.js':
      'export default class Box {\n  open(a) {\n    one(a);\n    two(a);\n  }\n}\nfunction one(a) {}\nfunction two(a) {}\n',
    'test/a.test.js':
      "import Box from '../index.js'\ntest('a', () => {\n  const box = new Box()\n  box.open(1)\n})\n",
  };
  const section = await documentOf(files, '.');
  expect(section('Interface').match(/^#### .*/gm)).toEqual([
    '#### `Box` · class · [L1-L3](<../index.d.ts#L1-L3>)',
  ]);
  expect(section('Business logic')).toContain('**[`Box.open`](<../index.js#L2-L5>)**');
  expect(section('Test coverage')).not.toContain('No use found');
});

it('[R71] [R75] Kotlin: the document lists no error for a parameter named `error`, and lists the reason of a deprecated function', async () => {
  const source =
    'inline fun <V, E> V?.orElse(error: () -> E): E {\n  if (this == null) error()\n  return error()\n}\n@Deprecated("Use b.")\nfun old(a: Int) { }\n';
  const section = await documentOf({ 'a.kt': source }, 'a.kt');
  expect(section('Edge cases')).toBe('Nothing.');
  expect(section('Technical debt')).toContain('| `old` Use b. |');
});

it('[R55] the section Test coverage does not list a type as unused if tests use its members', async () => {
  const files = {
    'Cargo.toml': '[package]\nname = "a"\n',
    'src/lib.rs':
      'pub struct Box;\n\nimpl Box {\n    pub fn make() -> u8 { 1 }\n}\n\npub struct Lid;\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn t() { let _ = Box::make(); }\n}\n',
  };
  const coverage = (await documentOf(files, 'src/lib.rs'))('Test coverage');
  expect(coverage).toContain('No use found in tests: `Lid`.');
});

it('[R72] roleOf treats a file with tests of types as a test', () => {
  expect(['index.test-d.ts', 'index.d.ts'].map(roleOf)).toEqual(['test', 'source']);
});
