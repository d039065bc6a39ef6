import { expect, it } from 'vitest';
import { ourCalls } from '../../../bench/accuracy/our-calls.ts';
import { documentOf } from '../../support/spec-document.ts';
import { project } from '../../support/spec-project.ts';

const headings = (section: string) =>
  [...section.matchAll(/^#### `([^`]+)`/gm)].map(([, name]) => name).sort();

const commonJs = {
  'package.json': '{ "name": "box", "main": "index.js" }',
  'index.js': [
    "var Lid = require('./lib/lid')",
    "var mixin = require('mixin')",
    "var moves = require('./lib/moves')",
    "var count = require('./lib/count')",
    'function Box () { this.size = 1; mixin(this, moves) }',
    'Box.prototype.open = function () { return count(this) }',
    'function box () { return new Box() }',
    'module.exports = box',
    'module.exports.Lid = Lid',
    "module.exports.wood = require('./lib/wood')",
    "var tools = require('./lib/tools')",
    'module.exports.kit = tools',
    '',
  ].join('\n'),
  'lib/lid.js':
    "var Cover = require('./cover')\nclass Lid extends Cover { close () {} }\nmodule.exports = Lid\n",
  'lib/cover.js': 'class Cover { lift () {} }\nmodule.exports = Cover\n',
  'lib/moves.js': 'exports.push = function () {}\n',
  'lib/wood.js': 'exports.oak = function () {}\n',
  'lib/tools.js': 'exports.saw = function () {}\n',
  'lib/count.js':
    'function Count () {}\nCount.prototype.more = function () { step(this) }\nfunction step () {}\nmodule.exports = Count\n',
};

it('[R65] the section Interface lists what users of a CommonJS package reach: exports, base classes and mixed-in objects', async () => {
  const section = await documentOf(commonJs, '.');
  expect(headings(section('Interface'))).toEqual(['Box', 'Cover', 'Lid', 'box', 'kit', 'oak', 'push', 'saw']);
  expect(section('Interface')).toContain("var Lid = require('./lib/lid')");
  expect(section('Interface')).toContain('module.exports.kit = tools');
  expect(section('Business logic')).not.toContain('**[`Count');
});

it.each([
  "Object.defineProperty(exports, 'count', { get: function () { return 1 } })\n",
  "exports['count'] = 1\n",
  'Object.assign(exports, { a: 1 })\n',
  'module.exports = wrap(1)\n',
])(
  '[R65] the section Interface lists all exports of a CommonJS package whose entry point is not certain: %s',
  async (more) => {
    const files = { ...commonJs, 'index.js': commonJs['index.js'] + more };
    expect(headings((await documentOf(files, '.'))('Interface'))).toContain('Count');
  },
);

it('[R55] the section Test coverage lists methods of objects that an exported JavaScript function returns', async () => {
  const files = {
    ...commonJs,
    'test/box.js':
      "var box = require('../')\nit('opens', function () {\n  var made = box()\n  made.open()\n})\n",
  };
  const coverage = (await documentOf(files, '.'))('Test coverage');
  expect(coverage).toMatch(/`Box.open` \|[^\n]*box\.js#L4/);
  expect(coverage).not.toMatch(/`Count.more` \|/);
});

const derived = (calls: string) => ({
  'pkg/__init__.py': 'from pkg.schema import Schema\n',
  'pkg/schema.py':
    'class Schema:\n    def dump(self, a):\n        return self._walk(a)\n\n    def load(self, a):\n        return self._turn(a)\n\n    def loads(self, a):\n        return self.load(a)\n\n    def _walk(self, a):\n        return one(a) + two(a)\n\n    def _turn(self, a):\n        return two(a) - three(a)\n\n\ndef three(a):\n    return a\n\n\ndef one(a):\n    return a\n\n\ndef two(a):\n    return a\n',
  'tests/test_schema.py': `from pkg import Schema\n\n\nclass Base:\n    def load(self, a):\n        return a\n\n\ndef test_one():\n    class Mine(Schema):\n        pass\n\n    mine = Mine()\n${calls}\n\ndef test_two():\n    class Mine(Base):\n        pass\n\n    Mine().load(1)\n`,
});

it('[R55] in a Python test, the section Test coverage attributes calls of a class to its base class', async () => {
  const files = derived('    mine.dump(1)\n    mine.load(2)\n    mine.load(3)\n');
  const section = await documentOf(files, '.');
  expect(section('Test coverage')).toMatch(/`Schema.dump` \|[^\n]*test_schema\.py#L14/);
  expect(section('Test coverage')).toMatch(/`Schema.load` \|[^\n]*#L15>\), \[L16\][^\n]*>\) \|/);
  expect(section('Test coverage')).not.toContain('L23');
  const flows = section('Business logic').match(/(?<=\*\*\[`)[^`]*/g);
  expect(flows).toEqual(['Schema.load', 'Schema.dump']);
});

it.each([
  [
    'a.js',
    'export function go(box) {\n  box[1] = () => { one() }\n  two()\n}\nfunction one() {}\nfunction two() {}\n',
    'box[1]',
  ],
  [
    'a.py',
    'def go(box):\n    box.run = lambda: one()\n    two()\n\ndef one():\n    pass\n\ndef two():\n    pass\n',
    'box.run',
  ],
  [
    'a.php',
    '<?php\nclass Box {\n  public function go() {\n    $this->run = function () { one(); };\n    two();\n  }\n}\nfunction one() {}\nfunction two() {}\n',
    '$this->run',
  ],
  [
    'a.swift',
    'public func go() {\n  let run: () -> Void = { one() }\n  two()\n}\nfunc one() {}\nfunc two() {}\n',
    'run',
  ],
])(
  '[R74] a flow names the variable or field that holds a function which runs later: %s',
  async (path, source, target) => {
    const flow = (await documentOf({ [path]: source }, '.'))('Business logic');
    expect(flow).toContain(`1. If the function kept in \`${target}\` runs: calls [\`one\`]`);
    expect(flow).toContain('2. Calls [`two`]');
  },
);

it('[R74] a flow puts steps with the same conditions below one line, in helpers and at each level', async () => {
  const source =
    'export function go(a) {\n  help(a)\n  one()\n}\nfunction help(a) {\n  if (a.isOpen) {\n    one()\n    if (a.isLong) {\n      two()\n      three()\n    }\n  }\n}\nfunction one() {}\nfunction two() {}\nfunction three() {}\n';
  const flow = (await documentOf({ 'a.js': source }, '.'))('Business logic').replace(/\]\([^)]*\)/g, ']');
  expect(flow).toContain(
    [
      '1. Calls [`help`]',
      '   - If `a.isOpen`:',
      '     - Calls [`one`]',
      '     - If `a.isLong`:',
      '       - Calls [`two`]',
      '       - Calls [`three`]',
      '2. Calls [`one`]',
    ].join('\n'),
  );
});

it('[R74] a flow states that a returned function runs later, but does not repeat this for functions inside the returned one', async () => {
  const source =
    'export function make() {\n  return function run() {\n    function stop() { one() }\n    stop()\n    two()\n  }\n}\nexport function other() {\n  return give()\n  function give() { return () => one() }\n}\nfunction one() {}\nfunction two() {}\n';
  const flow = (await documentOf({ 'a.js': source }, '.'))('Business logic').replace(/\]\([^)]*\)/g, ']');
  expect(flow).toContain(
    '1. If the returned function runs:\n   - Calls [`make.stop`]\n     - Calls [`one`]\n',
  );
  expect(flow).toContain('If the returned function runs: calls [`one`]');
});

it('[R55] the section Test coverage resolves names of RSpec: `described_class`, `let` and `subject`', async () => {
  const files = {
    'lib/net/box.rb':
      'module Net\n  class Box\n    attr_reader :size, :lid\n    def self.new(*args)\n      super\n    end\n    def open(a)\n    end\n    def close\n    end\n    protected\n    def bend\n    end\n  end\nend\n',
    'spec/box_spec.rb':
      'RSpec.describe Net::Box do\n  let(:type) { described_class }\n  subject(:box) { type.new(1) }\n  it "opens" do\n    box.open(2)\n    subject.size\n  end\nend\n',
    'spec/other_spec.rb':
      'RSpec.describe Other do\n  let(:box) { Other.new }\n  it "closes" do\n    box.close\n  end\nend\n',
  };
  const section = await documentOf(files, '.');
  const coverage = section('Test coverage');
  expect(coverage).toMatch(/`Net::Box#open` \|[^\n]*box_spec\.rb#L5/);
  expect(coverage).not.toContain('other_spec');
  expect(coverage).not.toMatch(/`Net::Box#lid` \|/);
  expect(section('Interface')).not.toContain('bend');
});

it.each([
  'const box = module.exports = {\n  get size () { return 1 },\n  open (a) { throw new Error("no box") },\n}\n',
  'const box = {\n  get size () { return 1 },\n  open (a) { throw new Error("no box") },\n}\nmodule.exports = box\n',
])('[R74] the section Interface shows an object that a CommonJS module exports: %s', async (source) => {
  const section = await documentOf(
    { 'package.json': '{ "name": "box", "main": "box.js" }', 'box.js': source },
    '.',
  );
  expect(section('Interface')).toContain('open (a)');
  expect(section('Interface')).toContain('get size ()');
  expect(section('Edge cases')).toContain('raises `Error` (`no box`)');
});

it('[R70] the call graph distinguishes a member of an exported object from an imported function of the same name', async () => {
  const source =
    "const URL = require('url').URL\nmodule.exports = {\n  get URL () { return new URL(this.a) },\n  host () { one() ; return new URL(this.b) },\n}\nfunction one () {}\n";
  const flows = (await documentOf({ 'a.js': source }, '.'))('Business logic');
  expect(flows).toContain('[`one`]');
  expect(flows).not.toContain('[`URL`]');
});

it('[R55] the section Test coverage finds calls of objects in Python, through a package that imports all names', async () => {
  const files = {
    'pkg/__init__.py': 'from pkg.schema import *\n',
    'pkg/schema.py':
      'class Base:\n    def __init__(self, a):\n        check(a)\n\n\nclass Schema(Base):\n    def __init__(self, a):\n        super().__init__(a)\n        other(a)\n\n    def __call__(self, data):\n        check(data)\n        return other(data)\n\n\ndef check(a):\n    raise ValueError(", ".join(a))\n\n\ndef other(a):\n    return a\n',
    'tests/test_schema.py':
      'from pkg import Schema\n\n\ndef test_one():\n    schema = Schema(1)\n    schema(2)\n    print(schema)\n',
  };
  const section = await documentOf(files, '.');
  expect(section('Test coverage')).toMatch(/`Schema.__call__` \|[^\n]*#L6>\) \|/);
  expect(section('Business logic')).toContain('Calls the constructor of [`Base`]');
  expect(section('Business logic')).not.toContain('Creates [`Base`]');
  expect(section('Edge cases')).toContain('raises `ValueError` ([');
});

it('[R74] flows of deprecated functions come last', async () => {
  const steps = '{\n  one();\n  two();\n}\n';
  const source = `/** @deprecated Use open. */\nexport function lift() ${steps}export function open() ${steps}function one() {}\nfunction two() {}\n`;
  const test =
    "import { lift, open } from '../src/a';\nit('a', () => {\n  lift();\n  lift();\n  open();\n});\n";
  const logic = (await documentOf({ 'src/a.ts': source, 'test/a.test.ts': test }, 'src'))('Business logic');
  expect(logic.match(/(?<=\*\*\[`)[^`]*/g)?.[0]).toBe('open');
});

it('[R71] the document joins the labels of a PHP `match (true)` case by `||`, and omits a comment that is only a tag', async () => {
  const source =
    "<?php\nclass Box {\n  /** @throws Problem */\n  public function open($a) {\n    return match (true) {\n      $a === 1, $a === 2 => one($a),\n      default => throw new Problem('no box'),\n    };\n  }\n}\nfunction one($a) {}\n";
  const section = await documentOf({ 'a.php': source }, '.');
  expect(section('Business logic')).toContain('If `$a === 1 || $a === 2`: calls [`one`]');
  expect(section('Edge cases') + section('Constraints')).toContain('if not `$a === 1 || $a === 2`');
  expect(section('Interface')).not.toContain('@throws');
});

it('[R53] a flow names the call that receives a Swift closure, unless the call runs the closure immediately', async () => {
  const source =
    'public func go(_ list: [Int]) {\n  make(1).later { one() }\n  list.map { two($0) }\n}\nfunc make(_ a: Int) -> Int { return a }\nfunc one() {}\nfunc two(_ a: Int) {}\n';
  const flow = (await documentOf({ 'a.swift': source }, '.'))('Business logic');
  expect(flow).toContain('If the function passed to `later` runs: calls [`one`]');
  expect(flow).toContain('Calls [`two`]');
});

it('[R11] the section Interface does not parse a header of Objective-C as C', async () => {
  const files = {
    'box.h': '#import <Foundation/Foundation.h>\n@interface Box : NSObject\n- (void)open;\n@end\n',
    'lid.h': '/* @interface */\nint lid(int a);\n',
  };
  const shown = (await documentOf(files, '.'))('Interface');
  expect(shown).toContain('`lid`');
  expect(shown).not.toContain('box.h');
});

it('[R70] the call graph resolves `this` in members of an exported object, but not in other functions of the file', async () => {
  const source =
    'module.exports = {\n  get (a) { return a },\n  set size (a) {\n    const clean = () => { other() }\n    clean()\n    this._size = this.get(a)\n  },\n}\nfunction other () { this.get(1) }\n';
  const { edges } = await ourCalls(project({ 'a.js': source }));
  expect(edges.map(({ from, to }) => `${from.name} > ${to.name}`)).toEqual([
    'size.clean > other',
    'size > size.clean',
    'size > get',
  ]);
});

it('[R52] the document joins methods of `module_function` in Ruby by a dot, and shows a class once that a second file opens again', async () => {
  const files = {
    'lib/box.rb':
      'class Box\n  def open\n    Paint.coat(1)\n    Paint.mix(2)\n    Paint.dry(3)\n  end\nend\n',
    'lib/lid.rb': 'class Box\n  # @api private\n  def bend\n  end\nend\n',
    'lib/paint.rb':
      'module Paint\n  def coat(a)\n  end\n  module_function :coat\n  def mix(a)\n  end\n  extend self\nend\nmodule Paint\n  def self.dry(a)\n  end\n  module_function\n  def wet(a)\n  end\nend\n',
  };
  const section = await documentOf(files, '.');
  const flows = section('Business logic');
  for (const name of ['Paint.coat', 'Paint.mix', 'Paint.dry']) expect(flows).toContain(`\`${name}\``);
  expect(section('Interface').match(/#### `Box`/g)).toHaveLength(1);
});

it('[R52] the document shows a class once that is the default export and an export by name', async () => {
  const source =
    'class Box {\n  open() {}\n}\nclass Lid {}\nexport { Box, Lid as Cover };\nexport default Box;\nexport { Lid };\n';
  const section = await documentOf({ 'a.ts': source }, '.');
  expect(headings(section('Interface'))).toEqual(['Box', 'Cover', 'Lid']);
});

it('[R70] Ruby: the call graph resolves calls of setters, but does not resolve a name to an inherited method if the class has an attribute of that name', async () => {
  const source =
    'class Base\n  def type\n    1\n  end\n  def kind\n    2\n  end\nend\nclass Box < Base\n  attr_reader :type\n  def key\n    3\n  end\n  def key=(a)\n    @key = a\n  end\n  def go\n    self.key = 1\n    kind\n    type\n  end\nend\n';
  const { edges } = await ourCalls(project({ 'lib/box.rb': source }));
  expect(edges.map(({ from, to }) => `${from.name} > ${to.name}`)).toEqual([
    'Box.go > Box.key=',
    'Box.go > Base.kind',
  ]);
});

it('[R55] the section Test coverage resolves exported constants of TypeScript and modules of Ruby', async () => {
  const files = {
    'src/index.ts':
      "import { Registry } from './registry';\nexport { Box } from './box';\nexport const Main = Registry.main;\nexport const Count = Registry.count + 1;\n",
    'src/registry.ts':
      "import { Box } from './box';\nexport class Registry {\n  static readonly main: Box = new Box();\n  static count = 1;\n}\n",
    'src/box.ts': 'export class Box {\n  open() {}\n  shut() {}\n}\n',
    'test/a.test.ts':
      "import { Main, Count } from '../src';\nit('a', () => {\n  Main.open();\n  Count.shut();\n});\n",
  };
  const coverage = (await documentOf(files, 'src'))('Test coverage');
  expect(coverage).toMatch(/`Box.open` \|[^\n]*#L3/);
  expect(coverage).not.toMatch(/`Box.shut` \|/);
  const ruby = {
    'lib/net.rb': 'module Net\n  class << self\n    def parse(a)\n      Box.new(a)\n    end\n  end\nend\n',
    'lib/net/box.rb': 'module Net\n  class Box\n    def parse(a)\n    end\n  end\nend\n',
    'test/net_test.rb': 'class NetTest\n  def test_it\n    Net.parse(1)\n  end\nend\n',
  };
  const found = (await documentOf(ruby, '.'))('Test coverage');
  expect(found).toMatch(/`Net[.#]parse` \|[^\n]*#L3/);
  expect(found).not.toMatch(/`Net::Box#parse` \|/);
});
