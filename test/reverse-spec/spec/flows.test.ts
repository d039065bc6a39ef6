import { expect, it } from 'vitest';
import { documentOf } from '../../support/spec-document.ts';

it.each([
  [
    'a.ts',
    'export function go(next: () => void, a: number) {\n  if (a > 1) next();\n  one();\n}\nfunction one() {}\n',
    'next',
  ],
  [
    'a.ts',
    'interface Door { open?: () => void }\nexport function go(door: Door) {\n  door.open();\n  one();\n}\nfunction one() {}\n',
    'door.open',
  ],
  [
    'a.go',
    'package a\n\ntype Door struct{ onOpen func() }\n\nfunc (d *Door) Go() {\n\td.onOpen()\n\tone()\n}\n\nfunc one() {}\n',
    'd.onOpen',
  ],
  ['a.php', '<?php\nfunction go($next) {\n  $next();\n  one();\n}\nfunction one() {}\n', '$next'],
  ['a.py', 'def go(then):\n    then()\n    one()\n\ndef one():\n    pass\n', 'then'],
  ['a.rb', 'def go(block)\n  block.call\n  one\nend\ndef one\nend\n', 'block.call'],
  ['a.swift', 'public func go(then: () -> Void) {\n  then()\n  one()\n}\nfunc one() {}\n', 'then'],
])(
  '[R74] a flow shows calls of functions that are stored in parameters and fields: %s %s',
  async (path, source, held) => {
    const logic = (await documentOf({ [path]: source }, path))('Business logic');
    expect(logic).toContain(`alls \`${held}\` (`);
  },
);

it.each([
  ['a.php', '<?php\nfunction go($next) {\n  next($next);\n  one();\n}\nfunction one() {}\n'],
  [
    'A.java',
    'public class A {\n  int size;\n  public void go(int count) {\n    count();\n    this.size();\n    one();\n  }\n  private void one() {}\n}\n',
  ],
  [
    'a.rs',
    'pub struct A { len: usize }\nimpl A {\n    pub fn go(&self) {\n        self.len();\n        self.one();\n    }\n    fn one(&self) {}\n}\n',
  ],
  ['a.swift', 'public func go(map: [String: Int]) {\n  _ = map["a"]\n  one()\n}\nfunc one() {}\n'],
  [
    'a.ts',
    'export class A extends Emitter {\n  go(res: Response) {\n    this.emit("a");\n    res.end();\n    this.one();\n  }\n  one() {}\n}\n',
  ],
])('[R70] a flow does not treat a method or a subscript as a stored function: %s', async (path, source) => {
  expect((await documentOf({ [path]: source }, path))('Business logic')).not.toMatch(/alls `/);
});

it('[R74] a flow states after which calls the function returns', async () => {
  const source =
    'export function go(a: number) {\n  if (a > 1) {\n    one();\n    return;\n  }\n  if (a > 2) return two();\n  if (a > 3) {\n    one();\n    a += 1;\n    return;\n  }\n  two();\n}\nfunction one() {}\nfunction two() {}\n';
  expect((await documentOf({ 'a.ts': source }, 'a.ts'))('Business logic').split('\n').slice(2)).toEqual([
    '1. If `a > 1`: calls [`one`](<../a.ts#L14>), and returns',
    '2. If `a > 2`: calls [`two`](<../a.ts#L15>), and returns',
    '3. If `a > 3`: calls [`one`](<../a.ts#L14>)',
    '4. Calls [`two`](<../a.ts#L15>)',
  ]);
});

it('[R71] the document lists an error that a catch clause stores as raised later; empty switch cases share the next body', async () => {
  const source =
    'export function go(a: number) {\n  let failure;\n  try {\n    switch (a) {\n      case 1:\n      case 2:\n        throw new RangeError("small");\n      case 3:\n        break;\n    }\n  } catch (error) {\n    failure = error;\n  }\n  if (failure) throw failure;\n  try {\n    throw new Error("gone");\n  } catch (error) {\n    log(error);\n  }\n}\n';
  expect((await documentOf({ 'a.ts': source }, 'a.ts'))('Constraints')).toBe(
    '- `go` raises `RangeError` (`small`) if `a` is `1, 2` ([a.ts#L7](<../a.ts#L7>))',
  );
});

it('[R74] a flow shows that code in a `defer` block of Swift runs when the function ends', async () => {
  const source = 'public func go() {\n  defer { last() }\n  first()\n}\nfunc first() {}\nfunc last() {}\n';
  expect((await documentOf({ 'a.swift': source }, 'a.swift'))('Business logic')).toContain(
    'If the function ends: calls [`last`]',
  );
});

it('[R74] a flow shows a call of a function in a field of an object type', async () => {
  const source =
    'type Command = { run?: () => void; name: string };\nexport function go(command: Command) {\n  command.run();\n  command.name.trim();\n  one();\n}\nfunction one() {}\n';
  const logic = (await documentOf({ 'a.ts': source }, 'a.ts'))('Business logic');
  expect(logic).toContain('1. Calls `command.run` ([a.ts#L3](<../a.ts#L3>))\n2. Calls [`one`]');
});

it('[R52] the section Data structures repeats no comments of the interface, and omits comment tags without text', async () => {
  const source =
    '<?php\n/** Keeps boxes. */\nclass Box {\n  /** @return void */\n  public function go() {}\n  /** @param int $n Number of boxes */\n  public function add(int $n) {}\n}\n/**\n * Helps boxes.\n * @internal\n */\nclass Help {}\n';
  const section = await documentOf({ 'a.php': source }, 'a.php');
  expect(section('Data structures')).not.toContain('Keeps boxes');
  expect(section('Data structures')).toContain('| class (internal) |  | Helps boxes. |');
  expect(section('Interface')).toContain('go()`\n');
  expect(section('Interface')).toContain('Number of boxes');
});

it('[R71] the document lists an error in a callback with the call that receives the callback as its condition', async () => {
  const kotlin =
    'class A(val f: String?) {\n  fun go(x: Int) {\n    option("-h") { throw E("later") }\n    x.let { throw F("now") }\n  }\n}\n';
  const shown = (await documentOf({ 'a.kt': kotlin }, 'a.kt'))('Edge cases');
  expect(shown).toContain('raises `E` (`later`) if the function passed to `option` runs');
  expect(shown).toContain('raises `F` (`now`) ([');
  const java =
    'class A { void go() { pool.submit(() -> { throw new E("later"); }); } void cast(Throwable t) { throw (IOException) t; } }';
  const rules = (await documentOf({ 'A.java': java }, 'A.java'))('Edge cases');
  expect(rules).toContain('if the function passed to `submit` runs');
  expect(rules).toContain('`A.cast` raises `IOException`');
});

it('[R53] the document lists the argument of a throwing C++ macro as the raised error', async () => {
  const source =
    'int go(int a) {\n  if (a < 0) { BOX_THROW(BoxError("small")); }\n  THROW_COUNT(a);\n  return a;\n}\n';
  expect((await documentOf({ 'a.hpp': source }, 'a.hpp'))('Constraints')).toBe(
    '- `go` raises `BoxError` (`small`) if `a < 0` ([a.hpp#L2](<../a.hpp#L2>))',
  );
});

it('[R74] a flow shows the steps of a helper that only passes its arguments on, and shows each Ruby `yield`', async () => {
  const source =
    'export function go(a: number) {\n  first(a);\n}\nexport function also(a: number) {\n  first(a);\n}\nfunction first(a: number) {\n  second(a);\n}\nfunction second(a: number) {\n  third();\n  fourth();\n}\nfunction third() {}\nfunction fourth() {}\n';
  const logic = (await documentOf({ 'a.ts': source }, 'a.ts'))('Business logic');
  expect(logic.split('\n').slice(2)).toEqual([
    '1. Calls [`first`](<../a.ts#L7-L9>)',
    '   - Calls [`second`](<../a.ts#L10-L13>)',
    '     - Calls [`third`](<../a.ts#L14>)',
    '     - Calls [`fourth`](<../a.ts#L15>)',
  ]);
  const ruby =
    'class Box\n  def go\n    open\n    yield self\n  end\n\n  private\n\n  def open\n  end\nend\n';
  expect((await documentOf({ 'a.rb': ruby }, 'a.rb'))('Business logic')).toContain('2. Calls `yield`');
});

it('[R65] the section Interface omits Rust items that are hidden from the documentation', async () => {
  const source = '#[doc(hidden)]\npub fn inner() {}\n\n/// Opens.\npub fn open() {}\n';
  const shown = (await documentOf({ 'src/lib.rs': source, 'Cargo.toml': '[package]\nname = "a"\n' }, 'src'))(
    'Interface',
  );
  expect(shown).toContain('#### `open`');
  expect(shown).not.toContain('#### `inner`');
});

it('[R74] a flow does not treat a call in the condition before a `return` as the last call', async () => {
  const source =
    '<?php\nclass A {\n  function go($a) {\n    if ($a !== null && $this->one()) {\n      return $a;\n    }\n    return $this->two();\n  }\n  private function one() {}\n  private function two() {}\n}\n';
  expect((await documentOf({ 'a.php': source }, 'a.php'))('Business logic')).not.toContain('and returns');
});

it('[R70] the call graph takes the types of PHP properties from doc comments', async () => {
  const source =
    '<?php\ninterface Pool {\n  public function take($id);\n}\nclass Box {\n  /**\n   * @var Pool\n   */\n  protected $pool;\n  /** @var Pool|null */\n  protected $other;\n  function go($id) {\n    $this->pool->take($id);\n    $this->other->take($id);\n    return $this->one();\n  }\n  private function one() {}\n}\n';
  const logic = (await documentOf({ 'a.php': source }, 'a.php'))('Business logic');
  expect(logic.split('\n').slice(2)).toEqual([
    '1. Calls [`Pool::take`](<../a.php#L3>)',
    '2. Calls [`Box::one`](<../a.php#L17>)',
  ]);
});

it('[R71] the document quotes complete Swift conditions, including commas and `#if`', async () => {
  const source =
    'public func go(a: Int, b: Int?) throws {\n  if a > 0, b != nil {\n    throw E.one("first")\n  }\n#if os(Linux)\n  guard a < 9, b == nil else {\n    throw E.two("second")\n  }\n#else\n  throw E.three("third")\n#endif\n}\nenum E: Error { case one(String), two(String), three(String) }\n';
  const shown = await documentOf({ 'a.swift': source }, 'a.swift');
  const rules = `${shown('Constraints')}\n${shown('Edge cases')}`;
  expect(rules).toContain('if `a > 0, b != nil` (');
  expect(rules).toContain('if `#if os(Linux)` and not `a < 9, b == nil` (');
  expect(rules).toContain('if not `#if os(Linux)` and not `a > 0, b != nil` (');
});

it('[R71] the document lists the modifier of a Ruby statement as a condition, and lists a Rust error with its enum case', async () => {
  const ruby =
    'class Box\n  def go\n    open if ready?\n    close\n  end\n  def ready?\n  end\n  def open\n  end\n  def close\n  end\nend\n';
  expect((await documentOf({ 'a.rb': ruby }, 'a.rb'))('Business logic')).toMatch(
    /1\. Calls \[`Box#ready\?`\]\S+\n2\. If `ready\?`: calls \[`Box#open`\]/,
  );
  const rust =
    'pub fn go(a: u8) -> Result<u8, Error> {\n    if a == 0 { return Err(Error::new(Kind::Empty)); }\n    Ok(a)\n}\n';
  expect((await documentOf({ 'a.rs': rust }, 'a.rs'))('Constraints')).toBe(
    '- `go` raises `Error` (`Kind::Empty`) if `a == 0` ([a.rs#L2](<../a.rs#L2>))',
  );
});

it('[R54] the section Technical debt omits a comment that only mentions a tag such as TODO', async () => {
  const source =
    '// Before version TODO the data was text.\n// Kept as text. TODO: change it\n/*\n * FIXME(ada) the size\n */\nexport const a = 1;\n';
  const debt = (await documentOf({ 'a.ts': source }, 'a.ts'))('Technical debt');
  expect(debt).toContain('| TODO | change it |');
  expect(debt).toContain('| FIXME | the size |');
  expect(debt).not.toContain('the data was');
});

it('[R65] the section Interface lists trait implementations without comments on one line, and joins names of one statement', async () => {
  const rust =
    'pub struct Box;\nimpl Display for Box {\n    fn fmt(&self) {}\n}\nimpl Debug for Box {\n    fn fmt(&self) {}\n}\n/// Opens a box.\nimpl Open for Box {\n    fn open(&self) {}\n}\n';
  const shown = (await documentOf({ 'a.rs': rust }, 'a.rs'))('Interface');
  expect(shown).toContain(
    'Implementations: [`Display for Box`](<../a.rs#L2-L4>), [`Debug for Box`](<../a.rs#L5-L7>)',
  );
  expect(shown).toContain('#### `Open for Box`');
  const ruby = 'class Box\n  attr_reader :size, :lid\n  def go\n  end\nend\n';
  expect((await documentOf({ 'a.rb': ruby }, 'a.rb'))('Interface').match(/attr_reader/g)).toHaveLength(1);
});

it('[R74] a flow of a public method includes the protected method that it calls', async () => {
  const source =
    '<?php\nclass Box {\n  public function get($id) {\n    return $this->find($id);\n  }\n  protected function find($id) {\n    $this->one();\n    $this->two();\n    return $this->three();\n  }\n  private function one() {}\n  private function two() {}\n  private function three() {}\n}\n';
  const flows = (await documentOf({ 'a.php': source }, 'a.php'))('Business logic').match(/\*\*\[`[^`]*`/g);
  expect(flows).toEqual(['**[`Box::get`']);
});

it('[R65] the document lists members of a hidden embedded struct under the Go struct that embeds it, and describes their flows', async () => {
  const source =
    'package a\n\ntype Box struct {\n\t*box\n}\n\ntype box struct {\n\tSize int\n\tlid int\n}\n\n// Put adds.\nfunc (b *box) Put(n int) error {\n\tb.grow()\n\tb.shut()\n\treturn nil\n}\n\nfunc (b *box) grow() {}\nfunc (b *box) shut() {}\n\ntype Other struct {\n\tbox box\n}\n';
  const section = await documentOf({ 'a.go': source }, 'a.go');
  const box = section('Interface').split('#### `Other`');
  expect(box[0]).toContain('- method `func (b *box) Put(n int) error` — Put adds.');
  expect(box[0]).toContain('- property `Size int`');
  expect(box[0]).not.toMatch(/lid|grow/);
  expect(box[1]).not.toContain('Put');
  expect(section('Business logic')).toContain('**[`box.Put`]');
});

it('[R53] the document shows the message of an error even if the message is stored in a variable first', async () => {
  const source =
    'def go(a):\n    if a is None:\n        msg = (\n            "A box "\n            "is needed"\n        )\n        raise ValueError(msg)\n    raise KeyError(a)\n';
  const rules = (await documentOf({ 'a.py': source }, 'a.py'))('Constraints');
  expect(rules).toContain('raises `ValueError` (`A box is needed`) if `a is None`');
  expect(rules).toContain('raises `KeyError` if');
});

it('[R74] a flow has no steps for accessors', async () => {
  const source =
    'class Box {\n  int size;\n  public int getSize() {\n    return size;\n  }\n  public int go() {\n    if (getSize() > 1) { open(); }\n    return shut();\n  }\n  private void open() {}\n  private int shut() { return 1; }\n}\n';
  expect((await documentOf({ 'Box.java': `public ${source}` }, 'Box.java'))('Business logic')).not.toContain(
    'getSize`](',
  );
});

it('[R70] the call graph finds a call of a Kotlin parameter with a function type, and ignores calls in default values', async () => {
  const source =
    'fun go(map: Map<String, Int> = emptyMap(), next: (Int) -> Unit) {\n  next(1)\n  one()\n}\nprivate fun one() {}\n';
  const logic = (await documentOf({ 'a.kt': source }, 'a.kt'))('Business logic');
  expect(logic).toContain('Calls `next`');
  expect(logic).not.toContain('emptyMap');
});

it('[R71] the document writes the opposite of `!x` as `x`, and shows one flow for names such as `put8` and `put16`', async () => {
  const source =
    'export function put8(a: number) {\n  if (!isOpen(a)) return;\n  one();\n  two();\n}\nexport function put16(a: number) {\n  one();\n  two();\n}\nexport function check(found: boolean) {\n  if (!found) { one(); } else { two(); }\n}\nfunction one() {}\nfunction two() {}\nfunction isOpen(a: number) { return a > 1; }\n';
  const logic = (await documentOf({ 'a.ts': source }, 'a.ts'))('Business logic');
  expect(logic).toContain('If `found`: calls [`two`]');
  expect(logic.match(/\*\*\[`put\d+/g)).toHaveLength(1);
});

it('[R74] a tested function that only calls another function comes first, and its flow shows the steps of that function', async () => {
  const other = (name: string) => `export function ${name}(a: number) {\n  one();\n  two();\n}\n`;
  const files = {
    'src/a.ts': `${['b1a', 'b1b', 'b1c', 'b1d', 'b1e', 'b1f', 'b1g', 'b1h'].map(other).join('')}export function decode(a: number) {\n  return decodeAll(a);\n}\n${other('decodeAll')}function one() {}\nfunction two() {}\n`,
    'test/a.test.ts':
      "import { decode } from '../src/a';\nit('decodes', () => {\n  decode(1);\n  decode(2);\n});\n",
  };
  const [first = ''] = (await documentOf(files, 'src'))('Business logic').split('\n\n**');
  expect(first.match(/(?<=\[`)[^`]*/g)).toEqual(['decode', 'decodeAll', 'one', 'two']);
});

it('[R70] the call graph does not treat a name in a string of a Rust macro as a call', async () => {
  const source =
    'pub fn go(a: u8) {\n    println!("one({})", two(a));\n    two(a);\n}\nfn one(a: u8) {}\nfn two(a: u8) -> u8 { a }\n';
  const logic = (await documentOf({ 'a.rs': source }, 'a.rs'))('Business logic');
  expect(logic).toContain('`two`');
  expect(logic).not.toContain('`one`');
});

it('[R74] a flow shows the steps of public functions that have no flow of their own', async () => {
  const names = [...'abcdefgh'];
  const one = (name: string) =>
    `export function use${name}(a: string) {\n  inner(a);\n  last${name}(a);\n}\n`;
  const source = `${names.map(one).join('')}export function inner(a: string) {\n  first(a);\n}\nfunction first(a: string) {}\n${names.map((name) => `function last${name}(a: string) {}\n`).join('')}`;
  const logic = (await documentOf({ 'a.ts': source }, 'a.ts'))('Business logic');
  expect(logic).not.toContain('**[`inner`');
  expect(logic.split('\n').filter((line) => line.includes('[`first`'))).toEqual([
    '   - Calls [`first`](<../a.ts#L36>)',
  ]);
});

it('[R74] methods of one type with the same steps share one flow', async () => {
  const method = (name: string) => `  ${name}(a: string) {\n    this.one();\n    this.two();\n  }\n`;
  const source = `export class Box {\n${method('open')}${method('close')}  private one() {}\n  private two() {}\n}\n`;
  const logic = (await documentOf({ 'a.ts': source }, 'a.ts'))('Business logic');
  expect(logic.match(/^\*\*/gm)).toHaveLength(1);
});

it('[R74] a flow joins class and name by a dot for a Ruby class method', async () => {
  const source =
    'class A\n  class << self\n    def go(a)\n      raise ArgumentError, "bad" if a.nil?\n      one\n      two\n    end\n    def one; end\n    def two; end\n  end\nend\n';
  const section = await documentOf({ 'lib/a.rb': source }, 'lib/a.rb');
  expect(section('Business logic')).toContain('**[`A.go`]');
  expect(section('Constraints')).toContain('`A.go` raises');
  expect(section('Interface')).toContain('- class method `def go(a)`');
});

it('[R52] the section Interface shows a comment that announces a list together with the list', async () => {
  const source =
    'package a\n\n// Settings configures A:\n//\n// Name is its name.\n//\n// Size is its size.\ntype Settings struct {\n\tName string\n}\n';
  expect((await documentOf({ 'a.go': source }, 'a.go'))('Interface')).toContain('> Size is its size.');
});

async function logicOf(path: string, source: string): Promise<string> {
  const logic = (await documentOf({ [path]: source }, path))('Business logic');
  return logic.replace(/ ?\[(`[^`]*`)\]\(<[^>]*>\)/g, ' $1').replace(/ \([^()]*\[?[^()]*#L[^)]*\)\)?/g, '');
}

it.each([
  [
    'a.go',
    'package a\n\nfunc Go(a int) int {\n\tif a == 1 {\n\t\treturn 2\n\t}\n\tif err := one(); err != nil {\n\t\treturn 0\n\t}\n\ttwo()\n\tif a > 4 {\n\t\treturn 5\n\t}\n\treturn 0\n}\n\nfunc one() error { return nil }\n\nfunc two() {}\n',
    'If `a == 1`: returns `2`',
  ],
  [
    'A.java',
    'public class A {\n  public int go(int a) {\n    if (a == 1) return 2;\n    one();\n    two();\n    return 0;\n  }\n  private void one() {}\n  private void two() {}\n}\n',
    'If `a == 1`: returns `2`',
  ],
  [
    'a.kt',
    'fun go(a: Int): Int {\n  if (a == 1) return 2\n  one()\n  two()\n  return 0\n}\nprivate fun one() {}\nprivate fun two() {}\n',
    'If `a == 1`: returns `2`',
  ],
  [
    'A.cs',
    'public class A {\n  public void Go(int a) {\n    if (a == 1) return;\n    One();\n    Two();\n  }\n  private void One() {}\n  private void Two() {}\n}\n',
    'If `a == 1`: returns',
  ],
  [
    'a.rs',
    'pub fn go(a: u8) -> u8 {\n    if a == 1 {\n        return 2;\n    }\n    one();\n    two();\n    0\n}\nfn one() {}\nfn two() {}\n',
    'If `a == 1`: returns `2`',
  ],
])(
  '[R74] a flow shows where a function returns before its later steps: %s',
  async (path, source, expected) => {
    const lines = (await logicOf(path, source)).split('\n').filter((line) => line.includes('returns'));
    expect(lines).toEqual([expect.stringContaining(expected)]);
  },
);

it('[R74] a flow shows no return whose value is a step, and shows no return of a function inside the function', async () => {
  const source =
    'package a\n\nfunc Go(a int) int {\n\tif a == 1 {\n\t\treturn one(\n\t\t\ttwo())\n\t}\n\trun(func() {\n\t\tif a == 2 {\n\t\t\treturn\n\t\t}\n\t})\n\ttwo()\n\treturn 0\n}\n\nfunc one(a int) int { return a }\n\nfunc two() int { return 1 }\n\nfunc run(f func()) {}\n';
  expect((await logicOf('a.go', source)).match(/: returns/g)).toBeNull();
});

it('[R74] a flow shows the cases of a `select` of Go as conditions', async () => {
  const source =
    'package a\n\nfunc Go(a chan int, b chan int) {\n\tselect {\n\tcase v := <-a:\n\t\tone(v)\n\tdefault:\n\t\ttwo()\n\t}\n}\n\nfunc one(a int) {}\n\nfunc two() {}\n';
  const logic = await logicOf('a.go', source);
  expect(logic).toContain('If `v := <-a`: calls `one`');
  expect(logic).toContain('If not `v := <-a`: calls `two`');
});

it('[R74] a flow merges more than three calls of one function, and shows the comment of a function only once', async () => {
  const cases = (count: number) =>
    Array.from({ length: count }, (_, at) => `\tif a == ${at} {\n\t\tone()\n\t}\n`).join('');
  const source = (count: number) =>
    `package a\n\nfunc Go(a int) {\n${cases(count)}\ttwo()\n}\n\n// one does it.\nfunc one() {}\n\nfunc two() {}\n`;
  expect((await logicOf('a.go', source(3))).match(/calls `one`.*/gi)).toEqual([
    'calls `one` — one does it.',
    'calls `one`',
    'calls `one`',
  ]);
  expect((await logicOf('a.go', source(4))).match(/calls `one`.*/gi)).toEqual([
    'Calls `one` (4 places, under different conditions) — one does it.',
  ]);
});

it('[R74] a flow groups the steps of a helper below the conditions that they share', async () => {
  const source =
    'package a\n\nfunc Go(a int) {\n\thelp(a)\n\ttwo()\n}\n\nfunc help(a int) {\n\tif a == 1 {\n\t\tone()\n\t\ttwo()\n\t}\n}\n\nfunc one() {}\n\nfunc two() {}\n';
  expect(await logicOf('a.go', source)).toContain(
    '1. Calls `help`\n   - If `a == 1`:\n     - Calls `one`\n     - Calls `two`\n',
  );
});

it('[R74] a flow omits getters of C++, but shows other short functions', async () => {
  const source =
    'class Box {\npublic:\n  int get_size() const { return size_; }\n  int fill() { return 1; }\n  void go();\nprivate:\n  int size_;\n};\nvoid Box::go() {\n  get_size();\n  fill();\n  fill_all();\n}\n';
  const logic = await logicOf('box.hpp', source);
  expect(logic).toContain('`Box::fill`');
  expect(logic).not.toContain('get_size');
});
