import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { matcherOf } from '../../../packages/base/src/text/glob.ts';
import { runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import { checkSpecs } from '../../../packages/reverse-spec/src/spec/check.ts';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import {
  type FileRole,
  roleOf,
  scanTarget,
  scopeOf,
} from '../../../packages/reverse-spec/src/spec/prepare/scope.ts';
import { prepare } from '../../../packages/reverse-spec/src/spec/prepare.ts';
import { resolveTarget } from '../../../packages/reverse-spec/src/spec/reading/target.ts';
import { parts, project } from '../../support/spec-project.ts';

const roles: [path: string, role: FileRole][] = [
  ['src/flask/app.py', 'source'],
  ['tests/helpers.py', 'test'],
  ['gson/src/test/java/com/google/gson/GsonTest.java', 'test'],
  ['okio/src/jvmTest/kotlin/okio/Common.kt', 'test'],
  ['fuzzing/afl.c', 'test'],
  ['src/fuzzing/engine.c', 'source'],
  ['test.c', 'test'],
  ['src/testing.c', 'source'],
  ['docs/conf.py', 'example'],
  ['docs/site/build.ts', 'example'],
  ['doc/man_docs.go', 'source'],
  ['src/docs/page.ts', 'source'],
  ['src/spec/save-spec.ts', 'source'],
  ['src/box.spec.ts', 'test'],
  ['Src/Newtonsoft.Json.Tests/Issues/Issue1.cs', 'test'],
  ['packages/core/test/run.ts', 'test'],
  ['django/test/client.py', 'source'],
  ['src/spec/prepare.ts', 'source'],
  ['spec/spec_helper.rb', 'test'],
  ['lib/rack/test/cookie_jar.rb', 'source'],
  ['test/lib/helper.rb', 'test'],
  ['lib/rack/test/cookie_jar_spec.rb', 'test'],
  ['src/main/java/org/test/Runner.java', 'source'],
  ['src/JsonConverterBench.php', 'example'],
  ['src/Workbench.ts', 'source'],
  ['scripts/release.js', 'example'],
  ['packages/core/tools/release.js', 'example'],
  ['meson/version.py', 'example'],
  ['src/tools/hammer.js', 'source'],
  ['src/example.cpp', 'example'],
  ['src/main/java/a/Example.java', 'source'],
  ['src/box.bench.ts', 'example'],
  ['setup.py', 'example'],
  ['Xcode/BoxSampleOSX/main.swift', 'example'],
  ['src/Sampler/Box.cs', 'source'],
  ['features/steps/env.rb', 'test'],
  ['features/login/Login.ts', 'source'],
  ['nyc.config.js', 'example'],
  ['test-legacy/simple/run.js', 'test'],
  ['lib/test-legacy.js', 'source'],
  ['Lib/TestHost/AppDelegate.swift', 'test'],
  ['Lib/TestimonialView/View.swift', 'source'],
  ['src/scripts/run.js', 'source'],
  ['rakelib/lint.rake', 'example'],
  ['bench/speed.js', 'example'],
  ['src/bench.ts', 'source'],
  ['vitest.pretest.config.ts', 'example'],
  ['JWTDecodeTests/JWTHelper.swift', 'test'],
  ['src/Api.UnitTests/Box.cs', 'test'],
  ['src/Contests/Box.cs', 'source'],
  ['Sources/TestsKit/Box.swift', 'source'],
  ['Package.swift', 'example'],
  ['Sources/Package.swift/Box.swift', 'source'],
  ['Box.playground/Contents.swift', 'example'],
  ['conanfile.py', 'example'],
  ['src/conanfiles.py', 'source'],
  ['app/build.gradle.kts', 'example'],
  ['eslint.config.mjs', 'example'],
  ['src/app/app.config.ts', 'source'],
  ['examples/tutorial/flaskr/db.py', 'example'],
  ['src/main/java/com/example/demo/App.java', 'source'],
  ['api/v1/service.pb.go', 'generated'],
  ['Src/Form.Designer.cs', 'generated'],
  ['web/app.min.js', 'generated'],
  ['src/generate.ts', 'source'],
  ['vendor/github.com/x/y.go', 'vendored'],
  ['src/third_party/zlib/inflate.c', 'vendored'],
  ['src/Foundation/Console/VendorPublishCommand.php', 'source'],
];

it.each(roles)('[R69] roleOf classifies the file %s as %s', (path, role) => {
  expect(roleOf(path)).toBe(role);
});

const files = {
  'src/a.ts': 'export const a = 1;\n',
  'src/legacy/b.ts': 'export const b = 1;\n',
  'src/a.gen.ts': 'export const g = 1;\n',
  'tests/a.test.ts': "import { a } from '../src/a.ts';\nconsole.log(a);\n",
  'examples/one/e.ts': 'export const e = 1;\n',
  'vendor/v.ts': 'export const v = 1;\n',
};

async function scanned(
  targetPath: string,
  globs?: { include: string[]; exclude: string[] },
): Promise<string[]> {
  const cwd = project(files);
  const target = await resolveTarget(targetPath, cwd);
  return (await scanTarget(target, { modulesOnly: true, ...(globs && { globs }) })).paths;
}

it('[R69] batch does not treat tests, examples, generated and vendored code as modules by default', async () => {
  expect(await scanned('.')).toEqual(['src/a.ts', 'src/legacy/b.ts']);
  expect(await scanned('examples')).toEqual(['examples/one/e.ts']);
  expect(await scanned('vendor/v.ts')).toEqual(['vendor/v.ts']);
  expect(await scanned('.', { include: ['examples', '*.gen.ts'], exclude: [] })).toEqual([
    'examples/one/e.ts',
    'src/a.gen.ts',
  ]);
});

it('[R69] exclude overrides include, and a glob that matches a folder matches all files below that folder', async () => {
  expect(await scanned('.', { include: [], exclude: ['legacy'] })).toEqual(['src/a.ts']);
  expect(await scanned('.', { include: ['src/**'], exclude: ['src/legacy/'] })).toEqual([
    'src/a.gen.ts',
    'src/a.ts',
  ]);
  expect(await scanned('.', { include: ['*.{ts,js}'], exclude: ['a*.ts'] })).toEqual([
    'examples/one/e.ts',
    'src/legacy/b.ts',
    'vendor/v.ts',
  ]);
});

it('[R69] prepare reads files of every role that the globs allow', async () => {
  const cwd = project(files);
  const globs = { include: [], exclude: ['vendor', '*.gen.ts'] };
  const { filePaths } = await prepare({ targetPath: '.', deep: false }, parts(cwd, { globs }));
  expect(filePaths).toEqual(['examples/one/e.ts', 'src/a.ts', 'src/legacy/b.ts', 'tests/a.test.ts']);
});

it('[R69] generate reads tests for facts about the tested module', async () => {
  const cwd = project(files);
  const request = { targetPath: 'src', deep: false, outputDir: 'specs', astOnly: true };
  const { specPath } = await generate(request, parts(cwd));
  expect(readFileSync(specPath, 'utf8')).toContain('tests/a.test.ts');
});

it.each([
  ['src/**/b.ts', 'src/b.ts', true],
  ['src/**/b.ts', 'src/x/y/b.ts', true],
  ['src/*/b.ts', 'src/x/y/b.ts', false],
  ['**/*.{ts,tsx}', 'a/b.tsx', true],
  ['a?c', 'x/abc', true],
  ['a?c', 'x/ac', false],
  ['./src/', 'src/a/b.ts', true],
  ['*', '.hidden/x', true],
  ['a{b', 'a{b', true],
])('[R69] matcherOf decides whether the glob %s matches the path %s: %s', (glob, path, expected) => {
  expect(matcherOf(glob)(path)).toBe(expected);
});

it('[R69] glob matching takes at most linear time for any glob and any path', () => {
  const isWanted = scopeOf({
    include: ['*a*a*a*a*a*b', '**/**/**/x'],
    exclude: [],
    target: '.',
    modulesOnly: true,
  });
  expect(isWanted(`${'a/'.repeat(2_000)}${'a'.repeat(2_000)}`)).toBe(false);
});

it('[R68] prepare refuses a file above the size limit, alone or among others, and names its size and the setting', async () => {
  const cwd = project({ 'big.ts': `// ${'x'.repeat(3_000)}\n`, 'a.ts': 'export const a = 1;\n' });
  const small = parts(cwd, { maxFileBytes: 2_048 });
  await expect(prepare({ targetPath: 'big.ts', deep: false }, small)).rejects.toMatchObject({
    code: 'file_too_large',
    message: expect.stringMatching(/3004 字节.*2048.*REVERSE_SPEC_MAX_FILE_BYTES/),
  });
  const { notes } = await prepare({ targetPath: '.', deep: false }, small);
  expect(notes['big.ts']).toMatch(/3004 字节.*REVERSE_SPEC_MAX_FILE_BYTES/);
});

it('[R1] prepare fails with an error code if a path is longer than the system allows', async () => {
  const failure = prepare({ targetPath: 'x'.repeat(5_000), deep: false }, parts(project({})));
  await expect(failure).rejects.toMatchObject({ code: 'target_not_found' });
  await expect(failure).rejects.toThrow(/^目标路径过长（5000 个字符）: x{80}…$/);
});

it('[R12] prepare does not block if the git index is a named pipe', async () => {
  const cwd = project({ '.git/HEAD': '', 'a.ts': 'export const a = 1;\n' });
  execFileSync('mkfifo', [join(cwd, '.git/index')]);
  const { filePaths } = await prepare({ targetPath: '.', deep: false }, parts(cwd));
  expect(filePaths).toEqual(['a.ts']);
});

const marked = {
  'src/a.ts': 'export const a = 1;\n',
  'src/api.ts': '/* eslint-disable */\n/**\n * @generated by a tool\n */\nexport const api = 1;\n',
  'src/service.go': '// Code generated by protoc-gen-go. DO NOT EDIT.\npackage p\n\nfunc F() {}\n',
  'src/talk.ts': "/** Finds the mark `@generated` in a file. */\nexport const mark = '@generated';\n",
};

it('[R69] batch does not treat a file marked as generated as a module, unless a call requests it or no other file exists', async () => {
  const cwd = project({ 'package.json': '{}', ...marked });
  const run = (more: Partial<Parameters<typeof parts>[1]> = {}) =>
    runBatch({ force: true, astOnly: true, outputDir: 'specs', concurrency: 1 }, parts(cwd, more)).then(() =>
      readFileSync(join(cwd, 'specs/src.spec.md'), 'utf8'),
    );
  const usual = await run();
  expect(usual).toContain('src/talk.ts');
  expect(usual).not.toContain('src/api.ts');
  expect(usual).not.toContain('src/service.go');
  const report = await checkSpecs({ paths: [], outputDir: 'specs' }, parts(cwd));
  expect(report.items).toEqual([]);
  expect(await run({ globs: { include: ['src/**'], exclude: [] } })).toContain('src/api.ts');
  const { specPath } = await generate(
    { targetPath: 'src/service.go', deep: false, outputDir: 'one', astOnly: true },
    parts(cwd),
  );
  expect(readFileSync(specPath, 'utf8')).toContain('func F()');
});
