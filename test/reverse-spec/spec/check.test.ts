import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import {
  type CheckReport,
  type CheckRequest,
  checkSpecs,
  fails,
} from '../../../packages/reverse-spec/src/spec/check.ts';
import { parseRules } from '../../../packages/reverse-spec/src/spec/drift/rules.ts';
import { parts, project, write } from '../../support/spec-project.ts';

type Files = Record<string, string>;

async function specified(before: Files): Promise<string> {
  const cwd = project({ 'package.json': '{}', ...before });
  await runBatch({ force: false, astOnly: true, outputDir: 'specs', concurrency: 2 }, parts(cwd));
  return cwd;
}

async function check(cwd: string, more: Partial<CheckRequest> = {}): Promise<CheckReport> {
  return checkSpecs({ paths: [], outputDir: 'specs', ...more }, parts(cwd));
}

async function drift(before: Files, after: Files, more: Partial<CheckRequest> = {}): Promise<string[]> {
  const cwd = await specified(before);
  for (const path of Object.keys(before)) rmSync(join(cwd, path));
  write(cwd, after);
  return brief(await check(cwd, more));
}

function brief({ items }: CheckReport): string[] {
  return items.map(
    ({ severity, changeType, symbolName, location }) => `${severity} ${changeType} ${symbolName} ${location}`,
  );
}

describe('[R63] check of all specs', () => {
  it('check reports the drift of every module with its location and its spec, and writes no file', async () => {
    const cwd = await specified({
      'src/a/a.ts': 'export function a(x: string): void {}\n',
      'src/b/b.ts': 'export const b = 1;\nexport const c = 2;\n',
    });
    write(cwd, {
      'src/a/a.ts': 'export function a(x: number): void {}\n',
      'src/b/b.ts': 'export const c = 2;\n',
    });
    const before = readdirSync(cwd, { recursive: true }).sort();
    const report = await check(cwd);
    expect(report).toMatchObject({ specs: 2, failures: [], summary: { high: 1, medium: 1, low: 0 } });
    expect(report.items.map(({ location, specPath }) => [location, specPath])).toEqual([
      ['src/b/b.ts:1', 'specs/src+b.spec.md'],
      ['src/a/a.ts:1', 'specs/src+a.spec.md'],
    ]);
    expect(readdirSync(cwd, { recursive: true }).sort()).toEqual(before);
  });

  it('check accepts specs, folders of specs, and source files that have specs', async () => {
    const cwd = await specified({
      'src/a/a.ts': 'export const a = 1;\n',
      'src/b/b.ts': 'export const b = 1;\n',
    });
    write(cwd, { 'src/a/a.ts': 'export const x = 1n;\n', 'src/b/b.ts': 'export const y = [1];\n' });
    const found = async (...paths: string[]) =>
      (await check(cwd, { paths })).items
        .filter(({ severity }) => severity === 'HIGH')
        .map(({ symbolName }) => symbolName);
    expect(await found('specs/src+a.spec.md')).toEqual(['a']);
    expect(await found('src/b/b.ts')).toEqual(['b']);
    expect(await found('src')).toEqual(['a', 'b']);
    expect(await found('specs')).toEqual(['a', 'b']);
    expect(await found('README.md')).toEqual([]);
  });

  it('check fails and names the spec if it cannot compare this spec with the source', async () => {
    const cwd = await specified({ 'src/a/a.ts': 'export const a = 1;\n' });
    write(cwd, { 'specs/.baseline/src+a.json': '{}' });
    const report = await check(cwd);
    expect(report.failures).toMatchObject([{ specPath: expect.stringContaining('.spec.md') }]);
    expect(fails(report, 'NONE')).toBe(true);
  });

  it('check fails if a finding has at least the requested level', async () => {
    const cwd = await specified({ 'src/a/a.ts': 'export const a: string = "";\n' });
    write(cwd, { 'src/a/a.ts': 'export const a: number = 1;\n' });
    const report = await check(cwd);
    expect((['HIGH', 'MEDIUM', 'LOW', 'NONE'] as const).map((level) => fails(report, level))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('check names the command that creates specs if no spec exists', async () => {
    await expect(check(project({}))).rejects.toMatchObject({ code: 'no_specs' });
  });

  it('check fails if a spec named in the call is missing, but not if a source file was removed', async () => {
    const cwd = project({ 'src/a.ts': 'export const a = 1;\n' });
    await expect(check(cwd, { paths: ['specs/typo.spec.md'] })).rejects.toMatchObject({
      code: 'spec_not_found',
    });
    expect(await check(cwd, { paths: ['src/gone.ts'] })).toMatchObject({ specs: 0 });
  });
});

describe('[R64] the ignore file of check', () => {
  const java = (body: string) => `package p;\npublic class A {\n${body}\n}\n`;

  it.each<[what: string, file: string, before: string, after: string]>([
    [
      'an annotation',
      'src/A.java',
      java('  public int f() { return 1; }'),
      java('  @Override @SuppressWarnings({"a", "b"})\n  public int f() { return 1; }'),
    ],
    [
      'a name of a parameter in Java',
      'src/A.java',
      java('  public void f(final List<String> a, int[] b) {}'),
      java('  public void f(final List<String> names, int[] sizes) {}'),
    ],
    [
      'a name of a parameter in Go',
      'src/a.go',
      'package a\n\nfunc F(a, b int, c *T) error { return nil }\n',
      'package a\n\nfunc F(x, y int, z *T) error { return nil }\n',
    ],
    [
      'a name of a parameter in Rust',
      'src/a.rs',
      'pub fn f(a: &str, mut b: u8) {}\n',
      'pub fn f(name: &str, size: u8) {}\n',
    ],
    [
      'an attribute of Rust',
      'src/a.rs',
      'pub fn f() -> u8 { 1 }\n',
      '#[must_use]\n#[inline]\npub fn f() -> u8 { 1 }\n',
    ],
    [
      'an attribute of C#',
      'src/a.cs',
      'public class A { public int F() => 1; }\n',
      '[Obsolete("x")]\npublic class A { [Pure] public int F() => 1; }\n',
    ],
    [
      'the value of a version',
      'src/a.ts',
      "export const VERSION = '1.0.0';\n",
      "export const VERSION = '1.1.0';\n",
    ],
  ])('check ignores a change of %s by default', async (...[, file, before, after]) => {
    expect(await drift({ [file]: before }, { [file]: after })).toEqual([]);
  });

  it.each<[what: string, file: string, before: string, after: string]>([
    [
      'a type of a parameter',
      'src/A.java',
      java('  public void f(int a) {}'),
      java('  public void f(long a) {}'),
    ],
    [
      'the order of types in Go',
      'src/a.go',
      'package a\n\nfunc F(a int, b string) {}\n',
      'package a\n\nfunc F(b string, a int) {}\n',
    ],
    [
      'a name of a parameter in Python',
      'src/a.py',
      'def f(a, b=1):\n    pass\n',
      'def f(x, b=1):\n    pass\n',
    ],
    ['a name of a parameter in Kotlin', 'src/a.kt', 'fun f(a: Int) = 1\n', 'fun f(b: Int) = 1\n'],
    [
      'a decorator of Python',
      'src/a.py',
      'class A:\n    def f(self):\n        pass\n',
      'class A:\n    @property\n    def f(self):\n        pass\n',
    ],
    ['the value of another constant', 'src/a.ts', 'export const LIMIT = 10;\n', 'export const LIMIT = 20;\n'],
  ])('check reports a change of %s', async (...[, file, before, after]) => {
    const found = await drift({ [file]: before }, { [file]: after });
    expect(found.map((item) => item.split(' ')[0])).toEqual(['MEDIUM']);
  });

  it('the ignore file of check excludes kinds, paths and symbols', async () => {
    const before = {
      'src/a.ts': 'export const LIMIT = 1;\nexport function gone(): void {}\n',
      'src/gen/g.ts': 'export const g = 1;\n',
    };
    const after = { 'src/a.ts': 'export const LIMIT = 2;\n', 'src/gen/h.ts': 'export const other = [1];\n' };
    const rules = '# what does not count\nignore values\npath src/gen/**\nsymbol go*\n';
    const found = await drift(
      { ...before, '.reverse-spec-ignore': rules },
      { ...after, '.reverse-spec-ignore': rules },
    );
    expect(found).toEqual([]);
  });

  it('the ignore file of check can override default rules; for an unknown line, check fails and quotes the line', () => {
    expect(parseRules('count annotations\nvisibility all')).toMatchObject({
      ignore: ['attributes', 'version-values', 'parameter-names'],
      visibility: 'all',
    });
    expect(() => parseRules('path a/**\nignore everything')).toThrow(/第 2 行/);
  });
});

describe('[R65] check of exports that users of the package can reach', () => {
  it.each<[what: string, file: string, before: string, after: string]>([
    ['pub(crate)', 'src/a.rs', 'pub(crate) fn f(a: u8) {}\npub fn g() {}\n', 'pub fn g() {}\n'],
    [
      'an implementation for a private type',
      'src/a.rs',
      'struct P;\nimpl Drop for P { fn drop(&mut self) {} }\npub fn g() {}\n',
      'pub fn g() {}\n',
    ],
    [
      'a class of a Java package alone',
      'src/B.java',
      'package p;\nclass B { void f() {} }\n',
      'package p;\n',
    ],
    [
      'internal of C#',
      'src/a.cs',
      'namespace N { internal class A { public int X; } public class B {} }\n',
      'namespace N { public class B {} }\n',
    ],
    ['internal of Kotlin', 'src/a.kt', 'internal class A\nclass B\n', 'class B\n'],
    [
      'an internal package of Go',
      'src/internal/a.go',
      'package internal\n\nfunc F() {}\n',
      'package internal\n',
    ],
    [
      'what its comment calls internal',
      'src/a.ts',
      '/** @internal */\nexport function f(): void {}\nexport const a = 1;\n',
      'export const a = 1;\n',
    ],
  ])(
    'check reports no removal of a declaration that users cannot reach: %s',
    async (...[, file, before, after]) => {
      expect(await drift({ [file]: before }, { [file]: after })).toEqual([]);
      const wide = await drift({ [file]: before }, { [file]: after }, { visibility: 'all' });
      expect(wide[0]).toMatch(/^HIGH removal/);
    },
  );

  it('check includes the implementation of a trait for a public type', async () => {
    const type = 'pub struct P;\n';
    const found = await drift(
      { 'src/a.rs': `${type}impl Clone for P { fn clone(&self) -> P { P } }\n` },
      { 'src/a.rs': type },
    );
    expect(found).toEqual(['HIGH removal Clone for P src/a.rs:2']);
  });
});

describe('[R66] moved exports in check', () => {
  it('check reports an export that moved to another module as a move, not as a removal', async () => {
    const moved = 'export function load(id: string, options: { deep: boolean }): Promise<void> {}\n';
    const found = await drift(
      { 'src/a/a.ts': `${moved}export const one = 1;\n`, 'src/b/b.ts': 'export const two = 2;\n' },
      { 'src/a/a.ts': 'export const one = 1;\n', 'src/b/b.ts': `export const two = 2;\n${moved}` },
    );
    expect(found).toEqual(['LOW move load src/b/b.ts:2']);
  });

  it('check reports no removal if a file moved and the members in the file were reordered', async () => {
    const type = (...members: string[]) => `export class A {\n${members.join('\n')}\n}\n`;
    const [one, two] = ['  one(a: string): void {}', '  two(b: number): string { return ""; }'];
    const found = await drift(
      { 'src/a.ts': type(one, two) },
      { 'src/deep/b.ts': type(two, one), 'src/c.ts': 'export const c = 1;\n' },
    );
    expect(found.filter((item) => !item.startsWith('LOW'))).toEqual([]);
  });

  it('check reports no removal of a struct that moved into a macro call, and no removal of an unchanged Ruby alias', async () => {
    const found = await drift(
      { 'src/a.rs': 'pub struct Tcp { pub a: u8 }\n', 'src/b.rb': 'class B\n  alias_method :x, :y\nend\n' },
      {
        'src/a.rs': 'cfg_net! {\n  pub struct Tcp { pub a: u8 }\n}\n',
        'src/b.rb': 'class B\n  alias_method :x, :y\nend\n',
      },
    );
    expect(found).toEqual([]);
  });

  it('check prints paths relative to the repository, from any working directory', async () => {
    const top = project({ 'web/package.json': '{}', 'web/src/a.ts': 'export const a = 1;\n' });
    execFileSync('git', ['init', '-q'], { cwd: top });
    const cwd = join(top, 'web');
    await runBatch({ force: false, astOnly: true, outputDir: 'specs', concurrency: 1 }, parts(cwd));
    write(cwd, { 'src/a.ts': 'export const b = [1];\n' });
    expect(brief(await check(cwd))[0]).toBe('HIGH removal a web/src/a.ts:1');
  });
});

describe('[R63] check of a whole project', () => {
  it('check reports exports of a new folder as missing from the specs', async () => {
    const before = { 'src/a/a.ts': 'export const a = 1;\n' };
    const found = await drift(before, { ...before, 'src/new/n.ts': 'export const n = 1;\n' });
    expect(found).toEqual(['LOW addition n src/new/n.ts:1']);
  });

  it('check reports no new folder if only some modules have specs, or if the call names specs', async () => {
    const before = { 'src/a/a.ts': 'export const a = 1;\n' };
    const cwd = await specified(before);
    write(cwd, { 'src/new/n.ts': 'export const n = 1;\n' });
    expect(brief(await check(cwd, { paths: ['src/a'] }))).toEqual([]);
    rmSync(join(cwd, 'specs/_index.spec.md'));
    expect(brief(await check(cwd))).toEqual([]);
  });

  it('check finds the project from any folder of the repository', async () => {
    const cwd = await specified({ 'src/a/a.ts': 'export const a = 1;\n' });
    execFileSync('git', ['init', '-q'], { cwd });
    write(cwd, { 'src/a/a.ts': 'export const b = "x".length;\n' });
    const report = await check(join(cwd, 'src/a'));
    expect(report.failures).toEqual([]);
    expect(report.items.map(({ location }) => location)).toContain('src/a/a.ts:1');
    expect(report.summary.high).toBe(1);
  });
});

it('[R66] check recognises a Rust macro that another macro exports', async () => {
  const rules = '{ ($x:expr) => {}; }';
  const found = await drift(
    { 'src/lib.rs': `#[macro_export]\nmacro_rules! select ${rules}\n` },
    {
      'src/lib.rs': `macro_rules! doc {\n  ($s:item) => {\n    #[macro_export]\n    $s\n  };\n}\n#[cfg(doc)]\ndoc! {macro_rules! select { () => {}; }}\n#[cfg(not(doc))]\ndoc! {macro_rules! select ${rules}}\n`,
    },
  );
  expect(found.filter((item) => !item.startsWith('LOW'))).toEqual([]);
});

it('[R65] check ignores a changed private field of a tuple struct, and reports a changed public field', async () => {
  const file = (fields: string) => ({
    'src/lib.rs': `#[cfg_attr(not(x), allow(y))]\npub struct Id(${fields});\n`,
  });
  expect(await drift(file('pub u8, Inner<A, B>'), file('pub u8, Other'))).toEqual([]);
  expect(await drift(file('pub u8, u8'), file('pub u16, u8'))).toHaveLength(1);
});
