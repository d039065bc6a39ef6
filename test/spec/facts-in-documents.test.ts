import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBatch } from '../../src/spec/batch.ts';
import { generate } from '../../src/spec/generate.ts';
import { parts, project } from '../support/spec-project.ts';

async function documentOf(
  files: Record<string, string>,
  targetPath: string,
): Promise<(title: string) => string> {
  const cwd = project(files);
  const request = { targetPath, deep: false, outputDir: 'specs', astOnly: true };
  const { specPath } = await generate(request, parts(cwd, { language: 'en' }));
  const text = readFileSync(specPath, 'utf8');
  return (title) => {
    const start = text.indexOf(`\n## ${title}\n`);
    const end = text.indexOf('\n## ', start + 1);
    return text
      .slice(start, end === -1 ? text.length : end)
      .replace(`\n## ${title}\n\n`, '')
      .trimEnd();
  };
}

const go = {
  'cmd/command.go':
    '// Package cmd is a commander.\npackage cmd\n\n// Command is one.\ntype Command struct{}\n\n// Gen writes.\nfunc (c *Command) Gen(w string) error {\n\tif w == "" {\n\t\treturn errors.New("no writer")\n\t}\n\treturn c.emit(w)\n}\n\nfunc (c *Command) emit(w string) error { return nil }\n\n// Other does.\nfunc (c *Command) Other() {}\n',
  'cmd/command_test.go':
    'package cmd\n\nfunc TestGen(t *testing.T) {\n\tc := &Command{}\n\tc.Gen("x")\n\t// c.Other() is not called\n}\n',
};

it('[R52] intent is what the authors wrote about the package, or one line', async () => {
  expect((await documentOf(go, 'cmd'))('Intent')).toBe('- `cmd/command.go`: Package cmd is a commander.');
  const readme = {
    'a/README.md': '# A\n\n[![badge](x)](y)\n\nA counts things,\ncarefully.\n',
    'a/a.ts': '/** One. */\nexport const a = 1;\n',
  };
  expect((await documentOf(readme, 'a'))('Intent')).toBe('A counts things, carefully. (`a/README.md`)');
  const silent = { 'a/a.ts': '/** About a. */\nexport const a = 1;\n' };
  expect((await documentOf(silent, 'a'))('Intent')).toBe('The authors wrote no words about it.');
});

it('[R53] sections state calls, checks and limits with links to their lines', async () => {
  const section = await documentOf(go, 'cmd');
  expect(section('Business logic')).toBe(
    '- `Command.Gen` ([cmd/command.go#L8-L13](<../cmd/command.go#L8-L13>)) calls `Command.emit` ([cmd/command.go#L15](<../cmd/command.go#L15>))',
  );
  expect(section('Constraints')).toBe(
    '- `Command.Gen` checks its arguments: `errors.New` when `w == ""`: `no writer` ([cmd/command.go#L10](<../cmd/command.go#L10>))',
  );
  expect(section('Edge cases')).toBe('Nothing.');
});

it('[R53] a section without facts is one line', async () => {
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

it('[R54] technical debt names what is deprecated, unfinished and switched off', async () => {
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

it('[R55] test coverage names the tests that call a method, by file and line, comments left out', async () => {
  const section = await documentOf(go, 'cmd');
  const coverage = section('Test coverage');
  expect(coverage).toContain(
    '| `Command.Gen` | `cmd/command.go` | [cmd/command_test.go#L5](<../cmd/command_test.go#L5>) |',
  );
  expect(coverage).toMatch(/Not used by tests: .*`Command\.Other`/);
  const ts = await documentOf(
    {
      'src/box.ts': 'export class Box {\n  open(): void {}\n  shut(): void {}\n}\n',
      'test/box.test.ts': "import { Box } from '../src/box.ts';\nconst box = new Box();\nbox.open();\n",
    },
    'src',
  );
  expect(ts('Test coverage')).toContain(
    '| `Box.open` | `src/box.ts` | [test/box.test.ts#L3](<../test/box.test.ts#L3>) |',
  );
  expect(ts('Test coverage')).toContain('Not used by tests: `Box.shut`.');
});

it('[R20] diagrams have at most 25 nodes, grouped by folder; documents link to those of their dependencies', async () => {
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
    '| `b/b.ts` | [`a/a.ts`](<a.spec.md>) | project |',
  );
});

it('[R58] a body that does something else is a reason, without a call of a model', async () => {
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
