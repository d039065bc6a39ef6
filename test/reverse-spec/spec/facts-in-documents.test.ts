import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import { documentOf } from '../../support/spec-document.ts';
import { parts, project } from '../../support/spec-project.ts';

const go = {
  'cmd/command.go':
    '// Package cmd is a commander.\npackage cmd\n\n// Command is one.\ntype Command struct{}\n\n// Gen writes.\nfunc (c *Command) Gen(w string) error {\n\tif w == "" {\n\t\treturn errors.New("no writer")\n\t}\n\treturn c.emit(w)\n}\n\nfunc (c *Command) emit(w string) error { return nil }\n\n// Other does.\nfunc (c *Command) Other() {}\n',
  'cmd/command_test.go':
    'package cmd\n\nfunc TestGen(t *testing.T) {\n\tc := &Command{}\n\tc.Gen("x")\n\t// c.Other() is not called\n}\n',
};

it('[R52] [R73] the section Intent quotes what the authors wrote about the package; if there is no such text, it says so', async () => {
  expect((await documentOf(go, 'cmd'))('Intent')).toBe('Package cmd is a commander. (`cmd/command.go`)');
  const readme = {
    'a/README.md': '# A\n\n[![badge](x)](y)\n\nA counts things,\ncarefully.\n',
    'a/a.ts': '/** One. */\nexport const a = 1;\n',
  };
  expect((await documentOf(readme, 'a'))('Intent')).toBe('A counts things, carefully. (`a/README.md`)');
  const silent = { 'a/a.ts': '/** About a. */\nexport const a = 1;\n' };
  expect((await documentOf(silent, 'a'))('Intent')).toBe(
    'The authors wrote no words about it as a whole; their comments on its declarations are below.',
  );
  const named = { 'a/box.ts': '/** A box. Of wood. */\nexport class Box {}\n' };
  expect((await documentOf(named, 'a'))('Intent')).toMatch(/^The authors wrote no words about it as a whole/);
  const mute = { 'a/a.ts': 'export const a = 1;\n' };
  expect((await documentOf(mute, 'a'))('Intent')).toBe('The authors wrote no words about it.');
});

it('[R53] the sections of a document list calls, checks and limits with links to their lines', async () => {
  const section = await documentOf(go, 'cmd');
  expect(section('Business logic')).toBe(
    [
      '**[`Command.Gen`](<../cmd/command.go#L8-L13>)** — Gen writes.',
      '',
      '1. If `w == ""`: raises an error (`no writer`) ([cmd/command.go#L10](<../cmd/command.go#L10>))',
      '2. Calls [`Command.emit`](<../cmd/command.go#L15>)',
    ].join('\n'),
  );
  expect(section('Constraints')).toBe(
    '- `Command.Gen` raises an error (`no writer`) if `w == ""` ([cmd/command.go#L10](<../cmd/command.go#L10>))',
  );
  expect(section('Edge cases')).toBe('Nothing.');
});

it('[R53] a section without facts consists of one line', async () => {
  const section = await documentOf({ 'a.ts': 'export const a = 1;\n' }, 'a.ts');
  for (const title of [
    'Intent',
    'Business logic',
    'Data structures',
    'Constraints',
    'Edge cases',
    'Technical debt',
  ])
    expect(section(title).split('\n')).toHaveLength(1);
});

it('[R54] the section Technical debt lists deprecated, unfinished and disabled code', async () => {
  const section = await documentOf(
    {
      'a.ts':
        '/** Old.\n * @deprecated use b */\nexport function a() {\n  // FIXME: leaks\n  // eslint-disable-next-line no-console\n}\n',
    },
    'a.ts',
  );
  expect(section('Technical debt').split('\n').slice(2)).toEqual([
    '| deprecated | `a` use b | [a.ts#L2](<../a.ts#L2>) |',
    '| FIXME | leaks | [a.ts#L4](<../a.ts#L4>) |',
    '| suppressed check | eslint-disable-next-line no-console | [a.ts#L5](<../a.ts#L5>) |',
  ]);
});

it('[R55] the section Test coverage lists the tests that call a method with file and line, but not a test that only mentions the method in a comment', async () => {
  const section = await documentOf(go, 'cmd');
  const coverage = section('Test coverage');
  expect(coverage).toContain('| `Command.Gen` |  | [cmd/command_test.go#L5](<../cmd/command_test.go#L5>) |');
  expect(coverage).toMatch(/No use found in tests: .*`Command\.Other`/);
  const ts = await documentOf(
    {
      'src/box.ts': 'export class Box {\n  open(): void {}\n  shut(): void {}\n}\n',
      'test/box.test.ts': "import { Box } from '../src/box.ts';\nconst box = new Box();\nbox.open();\n",
    },
    'src',
  );
  expect(ts('Test coverage')).toContain(
    '| `Box.open` |  | [test/box.test.ts#L3](<../test/box.test.ts#L3>) |',
  );
  expect(ts('Test coverage')).toContain('No use found in tests: `Box.shut`.');
});

it('[R20] a diagram has at most 25 nodes (files or folders), and a document links to the documents of its dependencies', async () => {
  const files: Record<string, string> = {};
  for (let at = 0; at < 60; at += 1) {
    const next = at + 1 < 60 ? `import '../f${(at + 1) % 6}/m${at + 1}.ts';\n` : '';
    files[`src/f${at % 6}/m${at}.ts`] = `${next}export const m${at} = ${at};\n`;
  }
  const section = await documentOf(files, 'src');
  const graph = /```mermaid\n([\s\S]*?)```/.exec(section('Dependencies'))?.[1] ?? '';
  expect(graph.match(/^\s+n\d+\[/gm)?.length).toBe(6);
  expect(graph).toContain('-->');
  const cwd = project({
    'a/a.ts': 'export const a = 1;\n',
    'b/b.ts': "import { a } from '../a/a.ts';\nexport const b = a;\n",
  });
  await runBatch(
    { force: false, astOnly: true, outputDir: 'specs', concurrency: 1 },
    parts(cwd, { language: 'en' }),
  );
  expect(readFileSync(join(cwd, 'specs/b.spec.md'), 'utf8')).toContain(
    '| `b.ts` |  | [`a/a.ts`](<a.spec.md>) |',
  );
});

it('[R58] generate rewrites a document if a function body changed, and detects the change without a model', async () => {
  const cwd = project({ 'a.ts': 'export function a(n: number) {}\n' });
  const request = { force: false, astOnly: true, outputDir: 'specs', concurrency: 1 };
  await runBatch(request, parts(cwd));
  const { writeFileSync } = await import('node:fs');
  writeFileSync(
    join(cwd, 'a.ts'),
    "export function a(n: number) { if (n < 0) throw new RangeError('negative'); }\n",
  );
  const { renewed } = await runBatch(request, parts(cwd));
  expect(renewed).toEqual([{ target: '.', reasons: ['code'] }]);
});

it('[R52] the section Intent begins with the first sentence of the README, not its slogan; the title is the project name', async () => {
  const cwd = project({
    'README.md': '# Thing\n\n... so better sign this\n\nHelpers to pass data around.\n',
    'pyproject.toml': '[project]\nname = "thing"\n',
    'docs/conf.py': 'project = "Thing"\n',
    'src/thing.py': 'def a():\n    pass\n',
  });
  const request = { force: false, astOnly: true, outputDir: 'specs', concurrency: 1 };
  await runBatch({ ...request, granularity: 'package' }, parts(cwd, { language: 'en' }));
  const text = readFileSync(join(cwd, 'specs/_root.spec.md'), 'utf8');
  expect(text).toContain(
    '# Specification of thing\n\n## Intent\n\nHelpers to pass data around. (`README.md`)',
  );
  expect(text).not.toContain('conf.py');
});

it('[R53] [R70] the section Business logic lists a method call only if the source names the type of the receiver', async () => {
  const section = await documentOf(
    {
      'src/group.ts':
        'export class Group {\n  kill() { process.kill(1); }\n  end() { this.kill(); }\n  finish() { this.end(); }\n}\nexport function run(group: Group) { const settle = () => {}; settle(); group.end(); other.end(); }\n',
      'src/other.ts': 'export function watch(child: Child, task: Task) { child.finish(); task.settle(); }\n',
    },
    'src',
  );
  expect(section('Business logic').match(/`[\w.]+`/g)).toEqual(
    ['run', 'run.settle', 'Group.end', 'Group.kill', 'Group.finish', 'Group.end'].map(
      (name) => `\`${name}\``,
    ),
  );
});

it('[R53] the document merges overloads into one function, and lists an error with the branches and the clause that contain it', async () => {
  const section = await documentOf(
    {
      'a.py':
        'import typing as t\n\n@t.overload\ndef go(n: int) -> int: ...\n@t.overload\ndef go(n: str) -> str: ...\ndef go(n):\n    check()\n    if KIND == 1:\n        pass\n    elif KIND == 2:\n        pass\n    else:\n        raise TypeError("Unknown "\n                        "kind")\n    try:\n        check()\n    except ValueError as e:\n        raise Bad("no") from e\n    raise t.cast(Bad, last)\n\ndef check():\n    try:\n        pass\n    except OSError:\n        raise\n',
    },
    'a.py',
  );
  expect(section('Business logic').split('\n').slice(0, 3)).toEqual([
    '**[`go`](<../a.py#L7-L20>)**',
    '',
    '1. Calls [`check`](<../a.py#L22-L26>)',
  ]);
  expect(section('Edge cases').split('\n')).toEqual([
    '- `go` raises `TypeError` (`Unknown kind`) if `KIND != 1` and `KIND != 2` ([a.py#L14-L15](<../a.py#L14-L15>))',
    '- `go` raises `Bad` (`no`) if an error is caught (`except ValueError as e`) ([a.py#L19](<../a.py#L19>))',
  ]);
});

it('[R55] the section Test coverage counts no imports, resolves re-exports, and does not treat a folder named spec as tests', async () => {
  const section = await documentOf(
    {
      'src/box.ts': 'export interface Box {}\nexport interface Lid {}\n',
      'src/index.ts': "export { Box } from './box.ts';\n",
      'src/spec/other.ts': "import type { Lid } from '../box.ts';\nexport type Other = Lid;\n",
      'test/box.test.ts':
        "import type {\n  Box,\n  Lid,\n} from '../src/box.ts';\nconst box: Box = {};\nconst other: Box = box;\n",
    },
    'src',
  );
  const coverage = section('Test coverage');
  expect(coverage.split('\n').slice(4)).toEqual([
    '| `Box` | `src/box.ts` | [test/box.test.ts#L5](<../test/box.test.ts#L5>) |',
    '',
    'No use found in tests: `Lid`, `Other`.',
  ]);
});

it('[R10] prepare groups re-exports, keeps the lines of long members, and lists all files that are not sources on one line', async () => {
  const long = `  go(\n    first: string,\n    second: ${'Long'.repeat(40)},\n  ): void;`;
  const section = await documentOf(
    {
      'src/a.ts': `export interface A {\n${long}\n}\n`,
      'src/index.ts': "export { A } from './a.ts';\nexport { A as B } from './a.ts';\n",
      'src/notes.txt': 'x\n',
      'src/more.txt': 'x\n',
    },
    'src',
  );
  expect(section('Interface')).toContain(
    "2 re-exports · [L1-L2](<../src/index.ts#L1-L2>)\n\n```typescript\nexport { A } from './a.ts'\nexport { A as B } from './a.ts'\n```",
  );
  expect(section('Interface')).toContain(
    `- method \`go\`\n\n  \`\`\`typescript\n  go(\n    first: string,\n`,
  );
  expect(section('Dependencies')).toMatch(/No sources: `src\/more.txt`, `src\/notes.txt`\.$/);
});

it('[R50] diagrams omit edges that follow from other edges, keep cycles, and show another folder as one node', async () => {
  const files = {
    'lib/x.ts': 'export const x = 1;\n',
    'lib/y.ts': 'export const y = 1;\n',
    'src/a.ts': "import './b.ts';\nimport './c.ts';\nimport '../lib/x.ts';\n",
    'src/b.ts': "import './c.ts';\n",
    'src/c.ts': "import './b.ts';\nimport '../lib/x.ts';\nimport '../lib/y.ts';\n",
  };
  const section = await documentOf(files, 'src');
  const drawn = /```mermaid\n([\s\S]*?)\n```/.exec(section('Dependencies'))?.[1]?.split('\n').slice(1) ?? [];
  expect(drawn.map((line) => line.trim())).toEqual([
    'n0["a.ts"]',
    'n1["b.ts"]',
    'n2["c.ts"]',
    'n3["lib/"]',
    ...['n0 --> n2', 'n1 --> n2', 'n2 --> n1', 'n2 --> n3'],
  ]);
  expect(section('Dependencies')).toContain('2 arrows that follow from those drawn are left out.');
});

it('[R50] diagrams show calls between the files of one Go package', async () => {
  const section = await documentOf(
    {
      'a/a.go': 'package a\n\nfunc A() { B() }\n',
      'a/b.go': 'package a\n\nfunc B() {}\n',
    },
    'a',
  );
  expect(section('Dependencies')).toContain('n0 --> n1\n```\n\nAn arrow is a call');
});

it('[R52] the index describes each module in one sentence, or lists its declarations', async () => {
  const cwd = project({
    'a/README.md': 'A counts. It counts well.\n',
    'a/a.ts': 'export const a = 1;\n',
    'b/b.ts': '/** About b. */\nexport const b = 1;\nexport const c = 1;\n',
  });
  const request = { force: false, astOnly: true, outputDir: 'specs', concurrency: 1 };
  await runBatch({ ...request, granularity: 'folder' }, parts(cwd, { language: 'en' }));
  const index = readFileSync(join(cwd, 'specs/_index.spec.md'), 'utf8');
  expect(index).toContain('| [`a`](<a.spec.md>) | 1 | 1 | low | A counts. |');
  expect(index).toContain('| [`b`](<b.spec.md>) | 1 | 2 | low | declares `b`, `c` |');
});

it('[R73] Intent quotes the README of a parent folder, and says if this README is about the whole project', async () => {
  const files = {
    'README.md': '# Tool\n\nTool sends logs.\n',
    'src/tool/README': '',
    'src/tool/part/a.ts': 'export const a = 1;\n',
    'lib/gson/gradle.properties': 'POM_DESCRIPTION=Converts with Gson.\n',
    'lib/gson/src/main/java/x/A.java': 'package x;\npublic class A {}\n',
  };
  expect((await documentOf(files, 'lib/gson/src/main/java/x'))('Intent')).toBe(
    'Converts with Gson. (`lib/gson/gradle.properties`)',
  );
  expect((await documentOf(files, 'src/tool/part'))('Intent')).toBe(
    'Part of a project about which its authors say: Tool sends logs. (`README.md`)',
  );
  const commented = { 'a/x.ts': '/** About a. */\nexport const a = 1;\n' };
  expect((await documentOf(commented, 'a'))('Intent')).toBe(
    'The authors wrote no words about it as a whole; their comments on its declarations are below.',
  );
});

it('[R72] tests in Rust sources, tests in callbacks and parametrised tests count as tests; examples do not', async () => {
  const rust = await documentOf(
    {
      'Cargo.toml': '[package]\nname = "x"\n',
      'src/lib.rs':
        'pub fn one() -> u8 { 1 }\npub fn two() -> u8 { 2 }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn t() {\n        assert_eq!(one(), 1);\n    }\n}\n',
      'examples/show.rs': 'use x::two;\n\nfn main() {\n    two();\n}\n',
    },
    'src',
  );
  expect(rust('Test coverage')).toContain('| `one` | `src/lib.rs` | [src/lib.rs#L9](<../src/lib.rs#L9>) |');
  expect(rust('Test coverage')).toContain('No use found in tests: `two`.');
  expect(rust('Constraints')).toBe('Nothing.');
  const python = await documentOf(
    {
      'pkg/a.py': 'def low(n):\n    return n\n\ndef up(n):\n    return n\n',
      'tests/test_a.py':
        'import pytest\nfrom pkg.a import low, up\n\n@pytest.mark.parametrize("f", [low, up])\ndef test_f(f):\n    assert f(1)\n',
    },
    'pkg',
  );
  expect(python('Test coverage')).toContain('Uses found in tests: 2 of 2 exports and methods.');
});

it('[R80] the section Interface shows how tests and examples use an export, with links', async () => {
  const section = await documentOf(
    {
      'src/box.ts': 'export class Box {\n  open(): void {}\n}\n',
      'test/box.test.ts':
        "import { Box } from '../src/box.ts';\n\nfunction opens() {\n  const box = new Box();\n  box.open();\n}\n",
    },
    'src',
  );
  expect(section('Interface')).toContain(
    '### Usage\n\n`Box.open` ([test/box.test.ts#L3-L6](<../test/box.test.ts#L3-L6>))\n\n```typescript\nfunction opens() {\n  const box = new Box();\n  box.open();\n}\n```',
  );
});

it('[R74] a documented flow includes the steps of helpers where the public function calls them, in source order', async () => {
  const section = await documentOf(
    {
      'a.go':
        '// Package a serves.\npackage a\n\ntype Mux struct{ handler H }\n\n// Serve answers one request.\nfunc (m *Mux) Serve(r *R) {\n\tm.reset()\n\tif r.ok {\n\t\tm.handler.Run(r)\n\t}\n}\n\nfunc (m *Mux) reset() { m.handler = wrap(m.route) }\n\n// route finds the handler.\nfunc (m *Mux) route(r *R) {}\n\nfunc wrap(f F) H { return nil }\n',
    },
    'a.go',
  );
  expect(section('Business logic').replace(/\(<[^>]*>\)/g, '')).toBe(
    [
      '**[`Mux.Serve`]** — Serve answers one request.',
      '',
      '1. Calls [`Mux.reset`]',
      '   - Calls [`wrap`]',
      '   - Passes [`Mux.route`] on — route finds the handler.',
      '2. If `r.ok`: runs what `handler` holds: [`Mux.route`]',
    ].join('\n'),
  );
});

it('[R73] the section Intent takes no title from code in a README, and replaces reStructuredText links by their text', async () => {
  const readme =
    'walk\n====\nA library for walking.\n\n### Example\n\nThe same as above, except that links is on:\n\n```sh\n# The directory to walk:\nexport X=/tmp\n```\n';
  const files = { 'walk/README.md': readme, 'walk/a.ts': 'export const a = 1;\n' };
  expect((await documentOf(files, 'walk'))('Intent')).toBe('A library for walking. (`walk/README.md`)');
  const rst = {
    'jwt/README.rst':
      'jwt\n===\n\nImplements `RFC 7519 <https://a.org/rfc>`_ with :class:`Token` and ``sign``.\n',
    'jwt/a.py': 'A = 1\n',
  };
  expect((await documentOf(rst, 'jwt'))('Intent')).toBe(
    'Implements RFC 7519 with `Token` and `sign`. (`jwt/README.rst`)',
  );
});

const crate = {
  'Cargo.toml': '[package]\nname = "walk"\n',
  'src/lib.rs':
    'mod inner;\npub use crate::inner::Open;\n\n/// Walks.\npub fn walk(o: &Open) {\n    o.check();\n    inner::help();\n}\n',
  'src/inner.rs':
    '/// Is open.\npub struct Open(pub u8, u8);\n\nimpl Open {\n    pub fn seen(&self) {}\n    pub(crate) fn check(&self) {}\n}\n\npub fn help() {}\n',
};

it('[R65] the section Interface lists what users of the package can reach, and counts all other declarations', async () => {
  const shown = (await documentOf(crate, '.'))('Interface');
  expect(shown).toContain('pub struct Open(pub u8, u8)');
  expect(shown).toContain('pub fn seen(&self)');
  expect(shown).not.toMatch(/fn check|fn help/);
  expect(shown).toContain('2 declarations that users of the package cannot reach are not listed.');
});

it('[R65] the section Interface omits the main function of a program if the package also has a library', async () => {
  const files = { ...crate, 'compare/walk.c': 'int main(void) { return 0; }\n' };
  expect((await documentOf(files, '.'))('Interface')).not.toContain('int main');
  expect((await documentOf(files, 'compare'))('Interface')).toContain('int main');
});

it('[R65] the section Interface lists the declarations of a module that is internal as a whole', async () => {
  const files = { 'go.mod': 'module a\n', 'internal/b/b.go': 'package b\n\n// Run runs.\nfunc Run() {}\n' };
  const shown = (await documentOf(files, 'internal/b'))('Interface');
  expect(shown).toContain('func Run()');
  expect(shown).not.toContain('cannot reach');
});

it('[R74] a flow joins names as the language does, and includes the steps of helpers that users cannot reach', async () => {
  const logic = (await documentOf(crate, '.'))('Business logic');
  expect(logic).toContain('1. Calls [`Open::check`]');
  const ruby = {
    'lib/a.rb':
      'module A\n  class Box\n    def open\n      lift\n      look if ready?\n    end\n\n    def lift; end\n    def look; end\n    def ready?; end\n  end\nend\n',
  };
  expect((await documentOf(ruby, 'lib/a.rb'))('Business logic')).toContain('**[`A::Box#open`]');
});

it('[R74] the section Business logic describes a program from its main function on', async () => {
  const files = {
    'src/main.rs': 'fn main() {\n    run();\n}\n\nfn run() {\n    read();\n}\n\nfn read() {}\n',
  };
  expect((await documentOf(files, 'src/main.rs'))('Business logic')).toContain('1. Calls [`run`]');
});

it('[R71] a flow shows calls of one function under different conditions as separate steps, but merges 15 such calls into one step', async () => {
  const logic = async (body: string) =>
    (
      await documentOf(
        {
          'a.ts': `export function go(a: number) {\n${body}\n  two();\n}\nfunction one() {}\nfunction two() {}\n`,
        },
        'a.ts',
      )
    )('Business logic');
  expect(await logic('  if (a > 1) one();\n  if (a < 0) one();\n  if (a < 0) one();')).toContain(
    '1. If `a > 1`: calls [`one`](<../a.ts#L7>)\n2. If `a < 0`: calls [`one`](<../a.ts#L7>)\n3. Calls [`two`]',
  );
  const many = Array.from({ length: 15 }, (_each, at) => `  if (a > ${at}) one();\n`).join('');
  expect(await logic(many)).toMatch(
    /1\. Calls \[`one`\]\(\S+\) \(15 places, under different conditions\)\n2\. /,
  );
  expect(await logic(`  one();\n${many}`)).toMatch(/1\. Calls \[`one`\]\(\S+\)\n2\. /);
  expect(await logic('  if (a > 1) one();')).toContain('1. If `a > 1`: calls [`one`]');
});

it('[R71] the document lists an error with the compared values, and writes `!==` for the negation of `===`', async () => {
  const files = {
    'a.ts':
      'export function go(a: string) {\n  switch (a) {\n    case "x":\n      throw new Error("is x");\n    default:\n      throw new Error("unknown");\n  }\n}\nexport function no(b: string) {\n  if (b === "y") {\n    return;\n  } else {\n    throw new Error("not y");\n  }\n}\n',
  };
  expect((await documentOf(files, 'a.ts'))('Constraints').split('\n')).toEqual([
    '- `go` raises `Error` (`is x`) if `a` is `"x"` ([a.ts#L4](<../a.ts#L4>))',
    '- `go` raises `Error` (`unknown`) if `a` matches no other case ([a.ts#L6](<../a.ts#L6>))',
    '- `no` raises `Error` (`not y`) if `b !== "y"` ([a.ts#L13](<../a.ts#L13>))',
  ]);
});

it('[R80] the section Interface does not show a test as an example if the test expects a failure', async () => {
  const files = (test: string) => ({
    'a.py': 'def take(n):\n    return n\n',
    'tests/test_a.py': `import pytest\nfrom a import take\n\n\ndef test_take():\n${test}`,
  });
  const fails = await documentOf(files('    with pytest.raises(E):\n        take(-1)\n'), 'a.py');
  expect(fails('Interface')).not.toContain('### Usage');
  expect((await documentOf(files('    assert take(1) == 1\n'), 'a.py'))('Interface')).toContain(
    'assert take(1) == 1',
  );
});

it('[R74] a flow lists steps with the same conditions together below these conditions', async () => {
  const files = {
    'a.ts':
      'export function go(a: number, b: number) {\n  if (a > 1) {\n    one();\n    if (b > 1) two();\n  }\n  if (b > 2) two();\n}\nfunction one() {}\nfunction two() {}\nexport function no(a: number) {\n  if (a > 1) one();\n  if (a > 2) go(a, a);\n}\n',
  };
  const logic = (await documentOf(files, 'a.ts'))('Business logic');
  expect(logic).toContain('   - If `b > 1`: calls [`two`](<../a.ts#L9>)\n2. If `b > 2`: calls [`two`]');
  const nested = { 'a.ts': files['a.ts'].replace('  if (b > 2) two();\n', '') };
  expect((await documentOf(nested, 'a.ts'))('Business logic')).toContain(
    '1. If `a > 1`:\n   - Calls [`one`](<../a.ts#L7>)\n   - If `b > 1`: calls [`two`](<../a.ts#L8>)',
  );
});

it('[R74] a flow does not describe calls of a returned function or a deferred statement as immediate', async () => {
  const files = {
    'go.mod': 'module a\n',
    'a.go':
      'package a\n\nfunc Wrap(n int) func() {\n\tdefer end()\n\tbegin()\n\treturn func() {\n\t\tlater()\n\t}\n}\n\nfunc begin() {}\nfunc end()   {}\nfunc later() {}\n',
  };
  expect((await documentOf(files, 'a.go'))('Business logic').split('\n').slice(2)).toEqual([
    '1. If the function ends: calls [`end`](<../a.go#L12>)',
    '2. Calls [`begin`](<../a.go#L11>)',
    '3. If the returned function runs: calls [`later`](<../a.go#L13>)',
  ]);
});

it('[R74] functions defined inside an exported function have their own flows; flows of methods that all objects have are last', async () => {
  const files = {
    'a.ts':
      "export function create() {\n  const run = async function run(a: number) {\n    one(a);\n    two(a);\n  };\n  return run;\n}\nfunction one(a: number) {}\nfunction two(a: number) {}\nexport class Box {\n  toString() {\n    one(1);\n    two(2);\n    return '';\n  }\n}\n",
  };
  const flows = (await documentOf(files, 'a.ts'))('Business logic').match(/\*\*\[`[^`]*`/g);
  expect(flows).toEqual(['**[`create.run`', '**[`Box.toString`']);
});

it('[R70] the call graph resolves `super` to the extended class, not to an interface', async () => {
  const files = (base: string) => ({
    'a.ts': `export interface Shown {}\nexport class Base {\n  constructor() {}\n}\nexport class Box extends ${base} implements Shown {\n  constructor() {\n    super();\n    this.one();\n  }\n  one() {}\n}\n`,
  });
  expect((await documentOf(files('Error'), 'a.ts'))('Business logic')).not.toContain('Shown');
  expect((await documentOf(files('Base'), 'a.ts'))('Business logic')).toContain(
    'Calls the constructor of [`Base`]',
  );
});
