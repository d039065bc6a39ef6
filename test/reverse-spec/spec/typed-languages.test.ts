import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import { documentOf } from '../../support/spec-document.ts';
import { parts, project } from '../../support/spec-project.ts';

/** Returns a text without links and their places. */
function plain(text: string): string {
  return text.replace(/\[(`[^`]*`)\]\(<[^>]*>\)/g, '$1').replace(/ \(\[[^)]*\]\(<[^>]*>\)[^)]*\)/g, '');
}

async function sectionOf(files: Record<string, string>, target: string, title: string): Promise<string> {
  return plain((await documentOf(files, target))(title));
}

it('[R52] the section Intent quotes the whole comment of a Rust crate, but no comments of its inner modules', async () => {
  const files = {
    'src/lib.rs': '//! A box for use\n//! in kitchens.\n//!\n//! More.\n\nmod lid;\npub fn go() {}\n',
    'src/lid/mod.rs': '//! Lids of boxes.\n\npub fn lid() {}\n',
  };
  const intent = await sectionOf(files, 'src', 'Intent');
  expect(intent).toContain('A box for use in kitchens.');
  expect(intent).not.toContain('Lids');
});

it.each([
  ['[package]\nname = "box"\ndescription = """\nKeeps things.\n"""\n', '# box\n', 'Keeps things.'],
  [
    '',
    '# box\n\n[![crates.io](https://a.b/c.svg)](https://a.b/c)\n[![Docs](https://a.b/d.svg)](https://a.b/d)\n\n> Keeps things dry.\n\n## Usage\n',
    'Keeps things dry.',
  ],
])(
  '[R73] the section Intent quotes a manifest text of several lines or a quote of a README, but no badges: %j',
  async (manifest, readme, expected) => {
    const files = { 'Cargo.toml': manifest, 'README.md': readme, 'src/lib.rs': 'pub fn go() {}\n' };
    const intent = await sectionOf(files, 'src', 'Intent');
    expect(intent).toContain(expected);
    expect(intent).not.toContain('crates.io');
  },
);

it('[R73] the section Intent quotes the package comment of Go, but no paragraph of a README about a release', async () => {
  const readme = (words: string) => `# box\n\n${words}\n\nSee the documents for details of it.\n`;
  const intentOf = (words: string) =>
    sectionOf(
      { 'README.md': readme(words), 'a.go': '// Package box keeps things.\npackage box\n\nfunc Go() {}\n' },
      '.',
      'Intent',
    );
  const released = await intentOf('Box v3 is a major upgrade to the library that solves problems.');
  expect(released).toBe('Package box keeps things. (`a.go`)');
  expect(await intentOf('Box is a library for things of all sizes.')).toMatch(
    /^Package box[^\n]*\n\nBox is a library/,
  );
});

it('[R82] the title of a folder `src` is the name in the manifest beside it', async () => {
  const titleOf = async (files: Record<string, string>) => {
    const request = { targetPath: 'src', deep: false, outputDir: 'specs', astOnly: true };
    const { specPath } = await generate(request, parts(project(files), { language: 'en' }));
    return /^# (.*)$/m.exec(readFileSync(specPath, 'utf8'))?.[1];
  };
  const source = { 'src/lib.rs': 'pub fn go() {}\n' };
  expect(await titleOf({ ...source, 'Cargo.toml': '[package]\nname = "box"\n' })).toBe(
    'Specification of box',
  );
  expect(await titleOf(source)).toBe('Specification of src');
});

it('[R65] the section Interface omits Rust items that only documentation tests compile, and implementations without public methods', async () => {
  const source =
    '#[cfg(doctest)]\npub struct Doctests;\npub struct A;\nimpl A {\n    pub(crate) fn inner(&self) {}\n}\nimpl A {\n    pub fn open(&self) {}\n}\n';
  const shown = await sectionOf({ 'src/lib.rs': source }, 'src', 'Interface');
  expect(shown).not.toContain('Doctests');
  expect(shown.match(/· impl/g)).toHaveLength(1);
});

it.each([
  [
    'a.rs',
    'pub struct A { built: bool }\nimpl A {\n    pub fn go(&self) {\n        assert!(!self.built, "used twice");\n    }\n}\n',
    '- `A::go` raises `panic` (`used twice`) if `self.built`',
  ],
  [
    'a.rs',
    'pub struct A { size: u8 }\nimpl A {\n    pub fn go(&self) {\n        assert_eq!(self.size, max(1, 2), "too large");\n    }\n}\n',
    '- `A::go` raises `panic` (`too large`) if `self.size != max(1, 2)`',
  ],
  [
    'a.kt',
    'class A(private val b: Boolean) {\n  private var open = true\n  fun go() {\n    check(open) { "closed" }\n  }\n}\n',
    '- `A.go` raises `IllegalStateException` (`closed`) if not `open`',
  ],
  [
    'A.java',
    'public class A {\n  private boolean open;\n  public void go() {\n    checkState(open, "closed");\n  }\n}\n',
    '- `A.go` raises `IllegalStateException` (`closed`) if not `open`',
  ],
])(
  "[R71] the section Edge cases lists a check of an object's state with the error that it raises: %s %s",
  async (path, source, expected) => {
    expect(await sectionOf({ [path]: source }, path, 'Edge cases')).toBe(expected);
  },
);

it('[R71] the document lists a Rust check of an argument as a constraint, and does not list `assert` of C as an error', async () => {
  const section = await documentOf(
    { 'a.rs': 'pub fn go(a: u8) {\n    assert!(a > 1, "small");\n}\n' },
    'a.rs',
  );
  expect(section('Constraints')).toContain('`go` checks `assert!(a > 1, "small")`');
  expect(section('Edge cases')).toBe('Nothing.');
  const source = 'static int open_;\nint go(void) {\n  assert(open_);\n  return 1;\n}\n';
  expect(await sectionOf({ 'a.c': source }, 'a.c', 'Edge cases')).toBe('Nothing.');
});

it.each([
  [
    'a.rs',
    '/// Goes.\n///\n/// # Panics\n///\n/// This function will panic if it is called\n/// twice. Really.\npub fn go() { one(); }\nfn one() {}\n',
    '- `go` raises `panic`: This function will panic if it is called twice.',
  ],
  [
    'A.java',
    'public class A {\n  /**\n   * Goes.\n   * @throws IOException if the disk is full\n   * @throws E\n   */\n  public void go() throws IOException { one(); }\n  private void one() {}\n}\n',
    '- `A.go` raises `IOException`: if the disk is full',
  ],
  [
    'A.cs',
    'namespace N {\n  public class A {\n    /// <summary>Goes.</summary>\n    /// <exception cref="T:N.ClosedException">The <paramref name="box"/> is closed.</exception>\n    public void Go() { One(); }\n    private void One() {}\n  }\n}\n',
    '- `A.Go` raises `ClosedException`: The `box` is closed.',
  ],
])(
  '[R53] the section Constraints lists errors that the authors describe in comments: %s',
  async (path, source, expected) => {
    expect(await sectionOf({ [path]: source }, path, 'Constraints')).toBe(expected);
  },
);

it('[R53] the section Constraints omits a documented error if the function itself raises it, or if the function is private', async () => {
  const source =
    'public class A {\n  /** @throws IOException if it is full */\n  public void go(int a) throws IOException { if (a > 1) throw new IOException("full"); }\n  /** @throws IOException if it is wet */\n  private void one() {}\n}\n';
  expect(await sectionOf({ 'A.java': source }, 'A.java', 'Constraints')).toBe(
    '- `A.go` raises `IOException` (`full`) if `a > 1`',
  );
});

it('[R53] the section Constraints lists a rule that several overloads share once, with all places', async () => {
  const source =
    'public class A {\n  public void Go(string a) { if (a == null) throw new ArgumentNullException(nameof(a)); }\n  public void Go(string a, int b) { if (a == null) throw new ArgumentNullException(nameof(a)); }\n}\n';
  const text = (await documentOf({ 'A.cs': source }, 'A.cs'))('Constraints');
  expect(text).toMatch(
    /^- `A\.Go` raises `ArgumentNullException` if `a == null` \([^\n]*#L2[^\n]*L3[^\n]*\)$/,
  );
});

it('[R53] the document adds the condition of an `#if` to a C# error only if the `#if` is inside the function', async () => {
  const source =
    '#if TASKS\npublic class A {\n  public void Go(int a) {\n    if (a > 1) throw new E("no");\n#if DEBUG\n    if (a > 2) throw new E("never");\n#endif\n  }\n}\n#endif\n';
  const text = await sectionOf({ 'A.cs': source }, 'A.cs', 'Constraints');
  expect(text).toContain('(`no`) if `a > 1`\n');
  expect(text).toContain('(`never`) if `#if DEBUG` and `a > 2`');
});

it('[R75] a C# attribute on a property or field marks this member as deprecated, not its class', async () => {
  const source =
    'public class A {\n  [Obsolete("Use C")]\n  public int B { get; set; }\n  [Obsolete]\n  public int D;\n  [Obsolete("Go away")]\n  public void E() {}\n}\n';
  const text = await sectionOf({ 'A.cs': source }, 'A.cs', 'Technical debt');
  expect(text).toContain('| deprecated | `A.B` Use C |');
  expect(text).toContain('| deprecated | `A.D` |');
  expect(text).toContain('| deprecated | `A.E` Go away |');
  expect(text).not.toContain('`A`');
});

it('[R51] the section Interface lists parts of a C# partial class only if they have members or a base', async () => {
  const part = (body: string, base = '') =>
    `namespace N {\n  public partial class A${base} {\n    ${body}\n  }\n}\n`;
  const files = {
    's/A.cs': part('public void Go() {}'),
    's/B.cs': part('private void Inner() {}'),
    's/C.cs': part('private void Other() {}', ' : IBox'),
  };
  const shown = await sectionOf(files, 's', 'Interface');
  expect(shown.match(/#### /g)).toHaveLength(2);
  expect(shown).not.toContain('### `s/B.cs`');
});

it('[R51] the section Interface lists C++ methods in their class and functions in their header, not where they are defined', async () => {
  const files = {
    'include/box.hpp':
      'namespace n {\nclass Box {\n public:\n  void open();\n private:\n  void lock();\n};\nvoid pack(Box &b);\n}\n',
    'include/box_inl.hpp':
      '#include "box.hpp"\nnamespace n {\nvoid Box::open() {}\nvoid Box::lock() {}\nvoid pack(Box &b) {}\nvoid only_here() {}\n}\n',
  };
  const shown = await sectionOf(files, 'include', 'Interface');
  expect(shown.match(/#### `[^`]*`/g)).toEqual(['#### `n::Box`', '#### `n::pack`', '#### `n::only_here`']);
});

it('[R51] the section Interface lists each declaration of C headers once, with the fields of a struct as a list', async () => {
  const files = {
    'src/box.h':
      '#ifdef A\n#define LIB_PUBLIC(type) type\n#else\n#define LIB_PUBLIC(type) extern type\n#endif\ntypedef struct box {\n  int width; /* DEPRECATED in pixels */\n} box;\n/* Opens it. */\nLIB_PUBLIC(const char *) box_open(box *b);\n',
    'src/box.c':
      '#include "box.h"\nLIB_PUBLIC(const char *) box_open(box *b) { return box_name(b); }\nconst char *box_name(box *b) { return 0; }\n',
    'tests/run.c': '#include "common.h"\nint main(void) {\n  box b;\n  box_open(&b);\n  return 0;\n}\n',
  };
  const section = await documentOf(files, 'src');
  const shown = plain(section('Interface'));
  expect(shown.match(/#### `[^`]*`/g)).toEqual(['#### `LIB_PUBLIC`', '#### `box`', '#### `box_open`']);
  expect(shown).toContain('typedef struct box { … } box');
  expect(shown).toContain('- property `int width` — DEPRECATED in pixels');
  expect(shown).toContain('LIB_PUBLIC(const char *) box_open(box *b)');
  expect(plain(section('Test coverage'))).toContain('| `box_open` |');
});

it('[R53] the section Constraints lists all functions that document the same error, and omits a sentence without a condition', async () => {
  const source =
    '/// # Errors\n///\n/// If the disk is full, `Err` is returned.\npub fn one() { go(); }\n/// # Errors\n///\n/// If the disk is full, `Err` is returned.\npub fn two() { go(); }\n/// # Errors\n///\n/// On some platforms we mark the file.\npub fn three() { go(); }\nfn go() {}\n';
  expect(await sectionOf({ 'a.rs': source }, 'a.rs', 'Constraints')).toBe(
    '- `one`, `two` raises an error: If the disk is full, `Err` is returned.',
  );
});

it('[R53] the document shows Javadoc references in errors and deprecations as code', async () => {
  const source =
    'public class A {\n  /**\n   * @throws E if {@code a} is wet\n   * @deprecated Use {@link #two()}.\n   */\n  @Deprecated\n  public void one(int a) { two(); }\n  public void two() {}\n}\n';
  const section = await documentOf({ 'A.java': source }, 'A.java');
  expect(plain(section('Constraints'))).toBe('- `A.one` raises `E`: if `a` is wet');
  expect(section('Technical debt')).toContain('| deprecated | `A.one` Use `two()`. |');
});

it('[R75] a Kotlin annotation on a property of a constructor marks this property as deprecated, not its class', async () => {
  const source = 'class Box(\n  @Deprecated("Use lid.")\n  val top: String,\n  val lid: String,\n)\n';
  const text = await sectionOf({ 'a.kt': source }, 'a.kt', 'Technical debt');
  expect(text).toContain('| deprecated | `Box.top` Use lid. |');
});

it('[R74] a flow of Kotlin writes the type of an `is` case without `is`, and does not show the heading of a region as a comment', async () => {
  const source =
    'class Box {\n  // region opening\n  fun open(a: Any) {\n    when (a) {\n      is Lid -> one()\n      else -> two()\n    }\n  }\n  private fun one() {}\n  private fun two() {}\n}\n';
  const logic = await sectionOf({ 'a.kt': source }, 'a.kt', 'Business logic');
  expect(logic).toContain('If `a` is `Lid`: calls `Box.one`');
  expect(logic).not.toContain('region');
});

it('[R73] the section Intent quotes a README title that describes the project, but not a title that is only a name', async () => {
  const intentOf = (title: string) =>
    sectionOf(
      { 'README.md': `# ${title}\n\n- small\n- fast\n`, 'src/a.kt': 'fun a() {}\n' },
      'src',
      'Intent',
    );
  expect(await intentOf('Portable boxes for Kotlin')).toBe('Portable boxes for Kotlin (`README.md`)');
  expect(await intentOf('Box Kotlin')).toBe('The authors wrote no words about it.');
});

it('[R74] the section Business logic shows only one of several flows that differ in one step', async () => {
  const method = (name: string) =>
    `func ${name}() {\n\tprepare()\n\tdo${name}()\n\tfinish()\n}\n\nfunc do${name}() {}\n\n`;
  const source = `package a\n\n${['Open', 'Close'].map(method).join('')}func Move() {\n\tlift()\n\tpush()\n\tfinish()\n}\n\nfunc prepare() {}\n\nfunc finish() {}\n\nfunc lift() {}\n\nfunc push() {}\n`;
  const logic = await sectionOf({ 'a.go': source }, 'a.go', 'Business logic');
  expect(logic.match(/^\*\*`[^`]*`/gm)).toHaveLength(2);
});

it('[R74] a flow shows the overload that does the work if the longest overload only calls that one', async () => {
  const source =
    'public class A {\n  public void go(String a,\n      String b,\n      String c) {\n    go(a);\n  }\n  public void go(String a) {\n    one();\n    two();\n  }\n  private void one() {}\n  private void two() {}\n}\n';
  const text = (await documentOf({ 'A.java': source }, 'A.java'))('Business logic');
  expect(text).toContain('**[`A.go`](<../A.java#L7-L10>)**');
  expect(plain(text)).toContain('1. Calls `A.one`\n2. Calls `A.two`');
});

it('[R53] the document names a Go error after the error that it wraps, unless the wrapped error has no name', async () => {
  const source = (error: string) =>
    `package a\n\nfunc Go(a string) error {\n\tif a == "" {\n\t\treturn fmt.Errorf(${error})\n\t}\n\treturn nil\n}\n`;
  const ruleOf = (error: string) => sectionOf({ 'a.go': source(error) }, 'a.go', 'Constraints');
  expect(await ruleOf('"%w: %s", ErrClosed, a')).toBe('- `Go` raises `ErrClosed` if `a == ""`');
  expect(await ruleOf('"cannot open %q: %w", a, ErrClosed')).toBe(
    '- `Go` raises `ErrClosed` (`cannot open %q: %w`) if `a == ""`',
  );
  expect(await ruleOf('"cannot open %q: %w", a, err')).toBe(
    '- `Go` raises an error (`cannot open %q: %w`) if `a == ""`',
  );
});

it('[R52] the section Interface renders Javadoc lists and references as Markdown', async () => {
  const source =
    '/**\n * Runs {@link Box#open() boxes}:\n * <ul>\n *   <li>one</li>\n *   <li>two</li>\n * </ul>\n */\npublic class A {\n  public void go() {}\n}\n';
  const shown = await sectionOf({ 'A.java': source }, 'A.java', 'Interface');
  expect(shown).toContain('> Runs boxes:');
  expect(shown).toMatch(/> {1,4}- one\n> {1,4}- two/);
  expect(shown).not.toContain('<ul>');
});

it('[R74] flows of deprecated functions come after all others', async () => {
  const method = (name: string, mark = '') =>
    `  ${mark}\n  public void ${name}() {\n    one${name}();\n    two${name}();\n  }\n  private void one${name}() {}\n  private void two${name}() {}\n`;
  const source = `public class A {\n${method('go', '@Deprecated')}${method('run')}}\n`;
  const logic = await sectionOf({ 'A.java': source }, 'A.java', 'Business logic');
  expect(logic.match(/^\*\*`[^`]*`/gm)).toEqual(['**`A.run`', '**`A.go`']);
});

it.each([
  [
    'a.go',
    'package a\n\ntype Door interface {\n\tOpen()\n\tClose()\n}\n\ntype wood struct{}\n\nfunc (w wood) Open()  { push() }\nfunc (w wood) Close() {}\n\ntype lid struct{}\n\nfunc (l lid) Open() {}\n\nfunc Go(d Door) {\n\td.Open()\n\tpush()\n}\n\nfunc push() {}\n',
    '1. Calls `Door.Open` (implemented by `wood.Open`)\n   - Calls `push`',
  ],
  [
    'A.java',
    'public class A {\n  public interface Door { void open(); }\n  static class Wood implements Door { public void open() { push(); } void push() {} }\n  static class Lid { public void open() {} }\n  public void go(Door d) {\n    d.open();\n    one();\n  }\n  private void one() {}\n}\n',
    '1. Calls `A.Door.open` (implemented by `A.Wood.open`)\n   - Calls `A.Wood.push`',
  ],
])(
  '[R74] a flow names the methods that implement a called interface method, and includes the steps of a single implementation: %s',
  async (path, source, expected) => {
    expect(await sectionOf({ [path]: source }, path, 'Business logic')).toContain(expected);
  },
);

it('[R74] a flow does not include steps of an implementation if the interface has several', async () => {
  const source =
    'package a\n\ntype Door interface {\n\tOpen()\n}\n\ntype wood struct{}\n\nfunc (w wood) Open() { push() }\n\ntype lid struct{}\n\nfunc (l lid) Open() { lift() }\n\nfunc Go(d Door) {\n\td.Open()\n\tturn()\n}\n\nfunc push() {}\n\nfunc lift() {}\n\nfunc turn() {}\n';
  const logic = await sectionOf({ 'a.go': source }, 'a.go', 'Business logic');
  expect(logic).toContain('1. Calls `Door.Open` (implemented by `wood.Open`, `lid.Open`)\n2. Calls `turn`');
});

it('[R52] a macro of C with a default has the comment above its `#ifndef`, and the document shows each macro of a C++ header once', async () => {
  const source =
    '/* Maximum length of a line. */\n#ifndef BOX_MAX_LINE\n#define BOX_MAX_LINE 200\n#endif\n\n/* Other things. */\n#ifdef BOX_B\n#define BOX_A 1\n#else\n#define BOX_A 2\n#endif\nclass Box {\n public:\n  void open();\n};\n';
  const shown = await sectionOf({ 'box.hpp': source }, 'box.hpp', 'Interface');
  expect(shown).toContain('> Maximum length of a line.');
  expect(shown).not.toContain('> Other things.');
  expect(shown.match(/#### `BOX_A`/g)).toHaveLength(1);
});

it('[R53] the section Constraints links the innermost expression that reads an environment variable', async () => {
  const source =
    'fun width(): Int {\n  return listOf(\n    System.getenv("COLUMNS")\n  ).size\n}\nfun other() = System.getenv("COLUMNS")\n';
  const text = (await documentOf({ 'a.kt': source }, 'a.kt'))('Constraints');
  expect(text.match(/#L\d+(?:-L\d+)?(?=>)/g)).toEqual(['#L3', '#L6']);
});

it('[R73] the section Intent shows links of a README as their text', async () => {
  const files = {
    'README.md': '# box\n\n**Box** is a [parser](https://a.b/c) of things.\n',
    'a.go': 'package box\n\nfunc Go() {}\n',
  };
  expect(await sectionOf(files, '.', 'Intent')).toBe('Box is a parser of things. (`README.md`)');
});

it('[R53] the section Constraints lists no documented error about a parameter that the function does not have', async () => {
  const source =
    'public class A {\n  /** @throws NullPointerException if {@code a} is null */\n  public void one(String a) { go(); }\n  /** @throws NullPointerException if {@code a} is null */\n  public void two() { go(); }\n  private void go() {}\n}\n';
  expect(await sectionOf({ 'A.java': source }, 'A.java', 'Constraints')).toBe(
    '- `A.one` raises `NullPointerException`: if `a` is null',
  );
});

it('[R53] the section Constraints lists only files whose path is a whole argument', async () => {
  const source = (argument: string) =>
    `package a\n\nfunc Go(name string) error {\n\t_, err := os.Open(${argument})\n\treturn err\n}\n`;
  const rulesOf = (argument: string) => sectionOf({ 'a.go': source(argument) }, 'a.go', 'Constraints');
  expect(await rulesOf('"/etc/hosts"')).toContain('`/etc/hosts`');
  expect(await rulesOf('path.Clean("/" + name)')).toBe('Nothing.');
});

it('[R74] a flow does not merge calls after which the function returns, and states the number of implementations', async () => {
  const cases = [1, 2, 3, 4].map((at) => `\tif a == ${at} {\n\t\treturn d.Open()\n\t}\n`).join('');
  const type = (name: string) => `type ${name} struct{}\n\nfunc (d ${name}) Open() int { return 1 }\n\n`;
  const source = `package a\n\ntype Door interface {\n\tOpen() int\n}\n\nfunc Go(d Door, a int) int {\n${cases}\tone()\n\treturn 0\n}\n\nfunc one() {}\n\n${['b', 'c', 'e', 'f', 'g'].map(type).join('')}`;
  const logic = await sectionOf({ 'a.go': source }, 'a.go', 'Business logic');
  expect(logic.match(/calls `Door\.Open`.*/g)).toHaveLength(4);
  expect(logic).toContain('`f.Open` and more, 5 places in all)');
});
