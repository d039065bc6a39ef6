import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import { checkSpecs } from '../../../packages/reverse-spec/src/spec/check.ts';
import { detectDrift } from '../../../packages/reverse-spec/src/spec/drift.ts';
import { parts, project, write } from '../../support/spec-project.ts';

type Files = Record<string, string>;

async function changed(before: Files, after: Files): Promise<string> {
  const cwd = project({ 'package.json': '{}', ...before });
  await runBatch({ force: false, astOnly: true, outputDir: 'specs', concurrency: 2 }, parts(cwd));
  for (const path of Object.keys(before)) rmSync(join(cwd, path));
  write(cwd, after);
  return cwd;
}

async function drift(before: Files, after: Files): Promise<string[]> {
  const cwd = await changed(before, after);
  const { items } = await checkSpecs({ paths: [], outputDir: 'specs' }, parts(cwd));
  return items.map(({ severity, changeType, symbolName }) => `${severity} ${changeType} ${symbolName}`);
}

describe('[R78] different spellings of one type', () => {
  const same: [file: string, before: string, after: string][] = [
    ['a.py', 'def f(a: t.Optional[str] = None) -> "Foo": ...', 'def f(a: str | None = None) -> Foo: ...'],
    ['a.py', 'def f(a: Union[int, None, str]): ...', 'def f(a: str | int | None): ...'],
    [
      'a.py',
      'def f(a: t.List["Foo"]) -> t.Dict[str, t.Any]: ...',
      'def f(a: list[Foo]) -> dict[str, Any]: ...',
    ],
    [
      'a.py',
      'def f(a: t.Callable[[t.Optional[int]], str]): ...',
      'def f(a: cabc.Callable[[int | None], str]): ...',
    ],
    ['a.py', 'def f() -> t.ContextManager[int]: ...', 'def f() -> AbstractContextManager[int]: ...'],
    ['a.py', 'F = t.TypeVar("F", bound=t.Type[A])', 'F = t.TypeVar("F", bound="type[A]")'],
    [
      'a.py',
      '@t.overload\ndef f(a: "A") -> "B": ...\n@t.overload\ndef f(a: int) -> t.Optional[int]: ...\ndef f(a): ...',
      '@t.overload\ndef f(a: A) -> B: ...\n@t.overload\ndef f(a: int) -> int | None: ...\ndef f(a): ...',
    ],
    ['a.py', 'A = t.Union[str, t.List[str]]', 'A = t.Union[str, list[str]]'],
    ['a.py', "def f(a: t.Literal['x', 'y']): ...", 'def f(a: te.Literal["x"] | te.Literal["y"]): ...'],
    ['a.py', 'class A:\n    x: t.Optional[int] = None', 'class A:\n    x: int | None = None'],
    ['a.ts', 'export function f(a: Array<string>): void {}', 'export function f(a: string[]): void {}'],
    ['a.ts', 'export let a: ReadonlyArray<A | B>;', 'export let a: readonly (A | B)[];'],
    ['a.ts', "export type A = 'x' | 'y';", 'export type A = "x" | "y";'],
    ['a.go', 'package a\n\nfunc F(x interface{}) {}', 'package a\n\nfunc F(x any) {}'],
    ['a.php', '<?php\nfunction f(?Foo $a): int|string {}', '<?php\nfunction f(null|Foo $a): string|int {}'],
    ['a.php', '<?php\nfunction f(\\Foo $a) {}', '<?php\nfunction f(Foo $a) {}'],
    [
      'a.cs',
      'public class A { public void F(System.String a) {} }',
      'public class A { public void F(string a) {} }',
    ],
  ];
  it.each(same)('%s: check treats `%s` and `%s` as the same signature', async (file, before, after) => {
    expect(await drift({ [`src/${file}`]: `${before}\n` }, { [`src/${file}`]: `${after}\n` })).toEqual([]);
  });

  const different: [file: string, before: string, after: string][] = [
    ['a.py', 'def f(a: t.Optional[str]): ...', 'def f(a: str): ...'],
    ['a.py', 'def f(a: t.List[str]): ...', 'def f(a: list[int]): ...'],
    ['a.py', "def f(a: t.Literal['x']): ...", 'def f(a: x): ...'],
    ['a.py', 'def f(a: str = "None"): ...', 'def f(a: str = None): ...'],
    ['a.py', 'def f(a: own.Optional[str]): ...', 'def f(a: str | None): ...'],
    ['a.ts', 'export function f(a: Array<string>): void {}', 'export function f(a: number[]): void {}'],
    ['a.go', 'package a\n\nfunc F(x interface{ Close() }) {}', 'package a\n\nfunc F(x any) {}'],
    ['a.php', '<?php\nfunction f(?Foo $a) {}', '<?php\nfunction f(Foo $a) {}'],
    [
      'a.cs',
      'public class A { public void F(My.String a) {} }',
      'public class A { public void F(string a) {} }',
    ],
  ];
  it.each(different)(
    '%s: check treats `%s` and `%s` as different signatures',
    async (file, before, after) => {
      const found = await drift({ [`src/${file}`]: `${before}\n` }, { [`src/${file}`]: `${after}\n` });
      expect(found).toHaveLength(1);
    },
  );
});

describe('[R78] private modules', () => {
  it('check ignores a private module of Python, except for names that a public module imports', async () => {
    const files = (type: string) => ({
      'src/pkg/__init__.py': 'from ._core import open_it as open_it\n',
      'src/pkg/_core.py': `def open_it(a: ${type}): ...\ndef helper(a: ${type}): ...\n`,
      'src/pkg/_win/console.py': `def raw(a: ${type}): ...\n`,
    });
    expect(await drift(files('int'), files('str'))).toEqual(['MEDIUM modification open_it']);
  });

  it('check includes all names of a private module if a public module imports them with `*`', async () => {
    const files = (type: string) => ({
      'src/pkg/__init__.py': 'from ._core import *\n',
      'src/pkg/_core.py': `def helper(a: ${type}): ...\n`,
    });
    expect(await drift(files('int'), files('str'))).toEqual(['MEDIUM modification helper']);
  });

  it('check ignores a Rust file that no `pub mod` declares, except for names in `pub use`', async () => {
    const files = (type: string) => ({
      'src/lib.rs': 'mod imp;\npub mod open;\npub use imp::Shown;\n',
      'src/imp.rs': `pub fn hidden(a: ${type}) {}\npub struct Shown { pub a: ${type} }\n`,
      'src/open.rs': `pub fn seen(a: ${type}) {}\n`,
    });
    const found = await drift(files('u8'), files('u16'));
    expect(found.filter((item) => item.includes('hidden'))).toEqual([]);
    expect(found.join()).toContain('seen');
    expect(found.join()).toContain('Shown');
  });
});

describe('[R78] names that a module still provides', () => {
  it('check reports a removed name of a Python module, unless `__getattr__` provides the name', async () => {
    const shim = 'def __getattr__(name):\n    if name in {"Old", "Older"}:\n        return _Old\n';
    const found = await drift(
      { 'src/a.py': 'class Old: ...\nclass Older: ...\nclass Gone: ...\n' },
      { 'src/a.py': `class _Old: ...\n${shim}` },
    );
    expect(found.filter((item) => item.startsWith('HIGH'))).toEqual(['HIGH removal Gone']);
  });

  it('check does not report a name behind `export *` as removed, but reports its changed signature', async () => {
    const found = await drift(
      {
        'src/index.ts': "export { a, gone } from './a.js';\n",
        'src/a.ts': 'export const a = 1;\nexport const gone = 1;\n',
      },
      { 'src/index.ts': "export * from './a.js';\n", 'src/a.ts': 'export const a = 1;\n' },
    );
    expect(found.filter((item) => item.startsWith('HIGH'))).toEqual([
      'HIGH removal gone',
      'HIGH removal gone',
    ]);
    const moved = await drift(
      { 'src/a.ts': 'export function f(a: string): void {}\n' },
      { 'src/a.ts': "export * from './f.js';\n", 'src/f.ts': 'export function f(a: number): void {}\n' },
    );
    expect(moved).toContain('MEDIUM modification f');
    expect(moved.filter((item) => item.startsWith('HIGH'))).toEqual([]);
  });

  it('check does not report a name behind `import *` of Python or `pub use …::*` of Rust as removed', async () => {
    const python = await drift(
      { 'src/p/__init__.py': 'def f(): ...\n', 'src/p/core.py': 'def g(): ...\n' },
      { 'src/p/__init__.py': 'from .core import *\n', 'src/p/core.py': 'def f(x, y=1): ...\ndef g(): ...\n' },
    );
    expect(python.filter((item) => item.startsWith('HIGH'))).toEqual([]);
    const rust = await drift(
      {
        'src/lib.rs': 'pub mod a;\npub fn f() {}\n',
        'src/a.rs': 'pub fn g() {}\n',
        'Cargo.toml': '[package]\nname = "x"\n',
      },
      {
        'src/lib.rs': 'pub mod a;\npub use a::*;\n',
        'src/a.rs': 'pub fn f(x: u8) {}\npub fn g() {}\n',
        'Cargo.toml': '[package]\nname = "x"\n',
      },
    );
    expect(rust.filter((item) => item.startsWith('HIGH'))).toEqual([]);
  });

  it('check does not report a PHP class as removed if `class_alias` or `autoload` names it', async () => {
    const php = await drift(
      { 'src/a.php': '<?php\nclass Old {}\nclass Gone {}\n' },
      { 'src/a.php': "<?php\nclass Other { public int $x = 1; }\nclass_alias(Other::class, 'Old');\n" },
    );
    expect(php.filter((item) => item.startsWith('HIGH'))).toEqual(['HIGH removal Gone']);
    const ruby = await drift(
      { 'src/a.rb': 'module A\n  class Old\n    def a; end\n  end\nend\n' },
      { 'src/a.rb': "module A\n  autoload :Old, 'a/old'\nend\n" },
    );
    expect(ruby.filter((item) => item.startsWith('HIGH'))).toEqual([]);
  });

  it('diff does not report a name as removed if the module still provides it in another way', async () => {
    const cwd = await changed(
      { 'src/a.py': 'class Old: ...\n' },
      { 'src/a.py': 'def __getattr__(name):\n    if name == "Old": return 1\n' },
    );
    const { summary } = await detectDrift({ specPath: 'specs/src.spec.md', sourcePath: 'src' }, parts(cwd));
    expect(summary.high).toBe(0);
  });
});
