import { afterAll, describe, expect, it } from 'vitest';
import { detectLanguage, type LanguageId } from '../../../packages/base/src/languages/languages.ts';
import type { Declaration } from '../../../packages/reverse-spec/src/syntax/outline.ts';
import { createOutliner } from '../../../packages/reverse-spec/src/syntax/read-outline.ts';

const outliner = createOutliner();
afterAll(() => outliner.close());

/** Returns the names of declarations, members after their owner, with `-` before names that are not visible outside. */
async function names(language: LanguageId, source: string) {
  const { declarations, problems } = await outliner.outline(source, { language });
  return { names: flat(declarations, ''), problems };
}

function flat(declarations: readonly Declaration[], owner: string): string[] {
  return declarations.flatMap(({ name, kind, exported, members }) => [
    `${exported ? '' : '-'}${kind} ${owner}${name}`,
    ...flat(members, `${owner}${name}.`),
  ]);
}

describe('[R68] Kotlin outlines', () => {
  it('the outline keeps the members of a Kotlin class that delegates', async () => {
    const source =
      'class C(val ch: Channel) : Channel by ch {\n  fun one() = 1\n  companion object { val x = 1 }\n}\n';
    expect(await names('kotlin', source)).toEqual({
      names: ['class C', 'property C.ch', 'method C.one', 'class C.Companion', 'property C.Companion.x'],
      problems: [],
    });
  });

  it('the outline contains an annotated `actual class` of Kotlin with its annotations', async () => {
    const source = '@OptIn(A::class)\nactual class CRC32 {\n  actual fun f(): Int = 1\n}\n';
    const { declarations, problems } = await outliner.outline(source, { language: 'kotlin' });
    expect(declarations[0]).toMatchObject({
      name: 'CRC32',
      signature: '@OptIn(A::class)\nactual class CRC32',
    });
    expect(problems).toEqual([]);
  });

  it('the outline contains several annotated Kotlin classes without bodies, each with annotations and comment', async () => {
    const one = (name: string) =>
      `/** About ${name}. */\n@Documented\n@Retention(\n  value = A.B\n)\n@Opt(level = L.W)\npublic annotation class ${name}\n`;
    const source = `package p\n\nimport a.*\n\n${['X', 'Y', 'Z'].map(one).join('\n')}`;
    const { declarations, problems } = await outliner.outline(source, { language: 'kotlin' });
    expect(problems).toEqual([]);
    expect(declarations.slice(1).map(({ name, doc, endLine }) => [name, doc, endLine])).toEqual([
      ['X', 'About X.', 11],
      ['Y', 'About Y.', 19],
      ['Z', 'About Z.', 27],
    ]);
    for (const { signature } of declarations.slice(1)) expect(signature).toContain('@Opt(level = L.W)');
  });

  it('the outliner reports a Kotlin declaration that the parser mistook for something else', async () => {
    const { problems } = await outliner.outline('wibble class A {}\nclass B\n', { language: 'kotlin' });
    expect(problems.map(({ line }) => line)).toContain(1);
  });
});

describe('[R68] Rust outlines', () => {
  it('the outline lists every name of a nested `pub use` of Rust', async () => {
    const source =
      'pub use crate::{lines::{LineIter, LineStep}, other as o};\npub use core::option::Option::{self, None};\n';
    expect((await names('rust', source)).names).toEqual([
      're-export LineIter',
      're-export LineStep',
      're-export o',
      're-export Option',
      're-export None',
    ]);
  });

  it('the outline contains Rust items inside nested macro calls', async () => {
    const source =
      'cfg_net! {\n  /// A stream.\n  pub struct Tcp { pub a: u8 }\n  cfg_rt! {\n    pub fn g() {}\n  }\n}\npub fn h() {}\n';
    expect(await names('rust', source)).toEqual({
      names: ['struct Tcp', 'property Tcp.a', 'function g', 'function h'],
      problems: [],
    });
  });

  it('the outline ignores a Rust macro call without items', async () => {
    const source = 'bitflags! {\n  pub struct Flags: u32 {\n    const A = 1;\n  }\n}\npub fn h() {}\n';
    expect(await names('rust', source)).toEqual({ names: ['function h'], problems: [] });
  });
});

it('[R68] Ruby: the outliner reads conditions in a class, aliases by symbol, and `class << self` after `private`', async () => {
  const source = `class A
  if RUBY_VERSION > '3'
    def one; end
  else
    def two; end
  end
  attr_reader :m if X
  alias :a :b
  private
  class << self
    attr_reader :seen
  end
  def hidden; end
end
`;
  expect((await names('ruby', source)).names).toEqual([
    'class A',
    'method A.one',
    'method A.two',
    'property A.m',
    'method A.a',
    'property A.self.seen',
    '-method A.hidden',
  ]);
});

it('[R68] C++: the outliner parses declarations with macros in place of attributes', async () => {
  const source = `namespace absl {
ABSL_NAMESPACE_BEGIN
ABSL_ATTRIBUTE_CONST_FUNCTION constexpr int64_t F();
class E : public std::exception {
 public:
  const char* absl_nonnull what() const noexcept override;
  int x_ ABSL_GUARDED_BY(mu_) = 3;
  FMT_CONSTEXPR explicit E(int a = 0) {}
};
ABSL_NAMESPACE_END
}
`;
  expect(await names('cpp', source)).toEqual({
    names: [
      'namespace absl',
      'function absl.F',
      'class absl.E',
      'method absl.E.what',
      'property absl.E.x_',
      'constructor absl.E.E',
    ],
    problems: [],
  });
});

it('[R68] the outliner keeps enum names in capital letters that look like attributes', async () => {
  const source = 'enum kind {\n  FOO_DEPRECATED,\n  FOO_ATTRIBUTE = 3,\n  FOO_NOINLINE\n};\n';
  expect((await names('c', source)).names).toEqual([
    'enum kind',
    'case kind.FOO_DEPRECATED',
    'case kind.FOO_ATTRIBUTE',
    'case kind.FOO_NOINLINE',
  ]);
});

describe('[R68] preprocessor conditions', () => {
  it('the outliner reads preprocessor conditions in an enum and before a base list of C#', async () => {
    const source =
      'public enum E {\n  A,\n#if F\n  B,\n#endif\n  C\n}\npublic class W\n#if G\n  : IDisposable\n#endif\n{\n  public int X() => 1;\n}\n';
    expect(await names('csharp', source)).toEqual({
      names: ['enum E', 'case E.A', 'case E.B', 'case E.C', 'class W', 'method W.X'],
      problems: [],
    });
  });

  it('the outliner reads preprocessor conditions inside enums and structs of C', async () => {
    const source =
      'enum e { A,\n#if X\n B,\n#else\n B2,\n#endif\n C };\nstruct s { int a;\n#ifdef Y\n int b;\n#endif\n};\n';
    expect((await names('c', source)).names).toEqual([
      'enum e',
      'case e.A',
      'case e.B',
      'case e.B2',
      'case e.C',
      'struct s',
      'property s.a',
      'property s.b',
    ]);
  });

  it('the outliner names the branch that it did not parse, and finds its declarations by line patterns', async () => {
    const source = 'public class W\n#if G\n  : A\n#else\n  : B\n#endif\n{\n  public int X() => 1;\n}\n';
    const { problems, names: found } = await names('csharp', source);
    expect(found).toContain('method W.X');
    expect(problems).toEqual([{ line: 4, message: 'branch read by line patterns' }]);
  });
});

it('[R68] C: the outliner finds fields of named and unnamed unions', async () => {
  const source = 'struct s { int a; union { int i; float f; } u; union { int p; long q; }; };\n';
  expect((await names('c', source)).names).toEqual([
    'struct s',
    'property s.a',
    'property s.u',
    'property s.u.i',
    'property s.u.f',
    'property s.p',
    'property s.q',
  ]);
});

it('[R68] C#: the outliner treats the parameters of a record, but not those of a class, as properties', async () => {
  const source = 'public record P(string Name, int Age = 3);\npublic class Q(int hidden) { }\n';
  expect((await names('csharp', source)).names).toEqual([
    'class P',
    'property P.Name',
    'property P.Age',
    'class Q',
  ]);
});

it('[R68] PHP: the outliner treats a class constant as a constant', async () => {
  expect((await names('php', '<?php\nclass A { public const X = 1; public $y; }\n')).names).toEqual([
    'class A',
    'constant A.X',
    'property A.y',
  ]);
});

describe('[R68] a file is recognised as its own language', () => {
  it.each([
    [
      'a.h',
      'struct curl_x {\n  int a;\n};\n/* a virtual, constexpr-like override */\nint f(struct curl_x *x);\n',
      'c',
    ],
    ['b.h', 'namespace a {\nclass B {\n public:\n  B();\n};\n}\n', 'cpp'],
    ['Makefile.inc', 'CSOURCES = a.c \\\n  b.c\nif X\nendif\n', undefined],
    ['table.inc', '#include <vector>\nnamespace a {\nstd::vector<int> t;\nconstexpr int n = 3;\n}\n', 'cpp'],
    ['page.inc', '<?php\nfunction f() {}\n', 'php'],
    ['script', '#!/usr/bin/env perl\nuse strict;\nmy $x = shift;\nsub f { return $x->{a}; }\n', undefined],
    ['tool.pl', 'use strict;\nmy %a = (b => 1);\nprintf("%s", $a{b});\nsub f { }\n', undefined],
    ['view.blade.php', '<script>\nconst a = 1;\n</script>\n@if ($x)\n@endif\n', undefined],
    ['run', '#!/usr/bin/python3.11 -u\nprint(1)\n', 'python'],
    ['run2', '#!/usr/bin/env -S node --no-warnings\n', 'javascript'],
  ])('detectLanguage recognises the language of %s from its name and content', (path, source, expected) => {
    expect(detectLanguage({ path, source })).toBe(expected);
  });
});

describe('[R68] C++ with macros', () => {
  it.each([
    [
      'a macro among template parameters',
      'template <typename T, ENABLE_IF(!is_same<T, int>::value && A < B)>\nint f(T x);\n',
      ['function f'],
    ],
    [
      '`{}` as a default before a trailing return type',
      'auto f(int a, loc l = {}) -> int {\n  return 1;\n}\n',
      ['function f'],
    ],
    ['two words in capitals before a type', 'LIB_API LIB_FUNC auto f(int a) -> int;\n', ['function f']],
    [
      'a word in capitals before a destructor',
      'struct A {\n  LIB_API ~A() noexcept;\n};\n',
      ['struct A', 'method A.~A'],
    ],
    [
      'a word in capitals after `constexpr`',
      'constexpr LIB_INLINE_VARIABLE uint32_t point = 1;\n',
      ['constant point'],
    ],
    ['a way of calling between type and name', 'int LIB_CALL f(char* a);\n', ['function f']],
    [
      'words in capitals behind parameters',
      'struct V {\n  LIB_INLINE V(const char* x LIB_BUILTIN) : a(x) {}\n};\n',
      ['struct V', 'constructor V.V'],
    ],
    [
      'calls of macros as statements',
      'LIB_FORMAT_AS(signed char, int);\nLIB_HIDDEN("x")  // why\nint f();\n',
      ['function f'],
    ],
    [
      'blocks of `TRY` and `CATCH`',
      'int f() {\n  LIB_TRY {\n    g();\n  }\n  LIB_CATCH(...) {}\n  return 1;\n}\nint h();\n',
      ['function f', 'function h'],
    ],
    [
      'names in parentheses, and an attribute on a line of its own',
      'struct R {\n  static constexpr int(min)() { return 0; }\n  int at() const noexcept\n      LIB_ATTRIBUTE_X {\n    return 1;\n  }\n};\n',
      ['struct R', 'method R.min', 'method R.at'],
    ],
    [
      'an unnamed enum with a base, and casts to `unsigned`',
      'struct B {\n  enum : unsigned { a = 1 };\n  void f(int s) { d = (unsigned(s) << 2) | 1; }\n};\n',
      ['struct B', 'enum B.<anonymous>', 'case B.<anonymous>.a', 'method B.f'],
    ],
  ])('the outliner reads C++ with %s', async (_, source, expected) => {
    expect(await names('cpp', source)).toEqual({ names: expected, problems: [] });
  });
});

it('[R68] Ruby: the outliner treats a block that creates a class as a class', async () => {
  const source = 'Point = Struct.new(:x) do\n  def length; end\nend\nApp = proc do\n  def setup; end\nend\n';
  expect((await names('ruby', source)).names).toEqual([
    'constant Point',
    'method Point.length',
    'constant App',
  ]);
});

it('[R68] C++: the outliner does not list an include guard as a macro, even if a line inside cannot be parsed', async () => {
  const source = '#ifndef LIB_X_H_\n#define LIB_X_H_\nint f();\n@@@ !!\n#endif\n';
  const { names: found, problems } = await names('cpp', source);
  expect(found).toEqual(['function f']);
  expect(problems).not.toEqual([]);
});

it('[R68] C++: the outliner keeps the first line of a template declared as a friend', async () => {
  const source = 'struct A {\n  template <typename T>\n  friend int f(T x);\n};\n';
  const { declarations } = await outliner.outline(source, { language: 'cpp' });
  expect(declarations[0]?.members[0]?.signature).toBe('template <typename T>\n  friend int f(T x)');
});

it('[R68] C: the outliner reads an attribute below a name, and the end of a typedef in a file with syntax errors', async () => {
  const source =
    'typedef enum {\n  A_ONE,\n  FILE_ATTRIBUTE_HIDDEN,\n  A_OLD\n  LIB_DEPRECATED(7.1, "x") = 4,\n  A_TWO\n} a_kind;\n';
  const expected = ['A_ONE', 'FILE_ATTRIBUTE_HIDDEN', 'A_OLD', 'A_TWO'].map((name) => `case a_kind.${name}`);
  expect(await names('c', source)).toEqual({ names: ['enum a_kind', ...expected], problems: [] });
  const broken = await names('c', `${source}@@@ !!\n`);
  expect(broken.names).toEqual(['enum a_kind', ...expected]);
  expect(broken.problems).not.toEqual([]);
});

it('[R68] C++: the outliner reads values of traits, dependent base types and attributes below a parameter', async () => {
  const source = `class A : B {
 public:
  using typename Base::pointer;
  A(List<int> l
        LIB_ATTRIBUTE_LIFETIME_BOUND,
    int n);
  void go() {
    if (is_there<T>::value &&
        std::is_same_v<A, std::allocator<T>>) {
      return;
    }
  }
  int last();
};
`;
  const { names: found, problems } = await names('cpp', source);
  expect(problems).toEqual([]);
  expect(found).toEqual(expect.arrayContaining(['class A', 'method A.go', 'method A.last']));
});

it('[R68] Ruby: the outliner reads delegated methods, and `public` with names after `private`', async () => {
  const source =
    'class A\n  def_delegators(:@b, :one, :two=)\n  delegate :three, to: :b\n  private\n  def shown; end\n  def hidden; end\n  public :shown\nend\n';
  const { declarations } = await outliner.outline(source, { path: 'a.rb' });
  const members = declarations[0]?.members ?? [];
  expect(members.flatMap(({ name, exported }) => (exported ? [name] : []))).toEqual([
    'one',
    'two=',
    'three',
    'shown',
  ]);
});
