import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkSpecs } from '../../../packages/reverse-spec/src/spec/check.ts';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import { openShipped } from '../../../packages/reverse-spec/src/spec/prepare/shipped.ts';
import { parts, project } from '../../support/spec-project.ts';

const packable = '<Project><PropertyGroup><PackageId>Box</PackageId></PropertyGroup></Project>';
const cases: [manifest: string, text: string, shipped: string[], others: string[]][] = [
  [
    'package.json',
    '{ "files": ["dist"], "exports": "./dist/index.mjs" }',
    ['src/index.ts', 'src/parts/a.ts'],
    ['playground/cli.ts', 'release.js'],
  ],
  [
    'package.json',
    '{ "files": ["lib/", "index.js"], "main": "index" }',
    ['index.js', 'lib/read.js'],
    ['api/demo.js', 'src/old.js'],
  ],
  ['package.json', '{ "main": "index.js" }', ['index.js', 'parts/a.js'], []],
  ['package.json', '{ "private": true, "files": ["dist"] }', ['app/a.ts', 'src/b.ts'], []],
  ['package.json', '{ "files": ["*.js"] }', ['a.js', 'parts/b.js'], []],
  [
    'composer.json',
    '{ "autoload": { "psr-4": { "Box\\\\": "src/" }, "files": ["functions.php"] } }',
    ['src/Box.php', 'functions.php'],
    ['autoload.php', 'ci/rector.php'],
  ],
  ['composer.json', '{ "name": "a/b" }', ['app/Box.php'], []],
  [
    'box.gemspec',
    'Gem::Specification.new { |s| s.executables = ["box"] }',
    ['lib/box.rb', 'bin/box'],
    ['performance/run.rb', 'tasks/release.rb'],
  ],
  ['box.gemspec', 'Gem::Specification.new { |s| }', ['lib/box.rb'], ['bin/console']],
  ['Cargo.toml', '[package]\nname = "box"\n', ['src/lib.rs'], ['guide/show.rs']],
  ['Cargo.toml', '[package]\nname = "box"\n[lib]\npath = "box/lib.rs"\n', ['box/lib.rs'], ['show.rs']],
  ['Cargo.toml', '[workspace]\nmembers = ["a"]\n', ['a.rs'], []],
  [
    'Package.swift',
    'targets: [\n .target(name: "Box"),\n .target(name: "Lid", path: "Lid/Code"),\n .testTarget(name: "T", path: "Checks")\n]',
    ['Sources/Box/Box.swift', 'Lid/Code/Lid.swift'],
    ['Checks/a.swift', 'Show/App.swift'],
  ],
  ['pyproject.toml', '', ['box/__init__.py', 'box/a.py'], ['serve.py', 'tools/__init__.py']],
  ['pyproject.toml', '', ['src/box/__init__.py'], ['box_demo/show.py']],
  ['setup.py', '', ['box.py', 'lid.py'], []],
  ['CMakeLists.txt', '', ['include/box.hpp', 'src/box.cpp'], ['single_include/box.hpp', 'show/main.cpp']],
  ['CMakeLists.txt', '', ['box.hpp', 'parts/lid.hpp'], []],
  ['src/Box/Box.csproj', packable, ['src/Box/Box.cs', 'other.ts'], []],
];

it.each(cases)(
  '[R69] openShipped, given the manifest %s with content %s, selects the files that the package contains',
  (manifest, text, ...[shipped, others]) => {
    const paths = [manifest, ...shipped, ...others];
    const base = project(Object.fromEntries(paths.map((path) => [path, path === manifest ? text : ''])));
    const isShipped = openShipped(base, paths);
    expect(paths.filter((path) => path !== manifest && isShipped(path))).toEqual(shipped);
  },
);

it('[R69] openShipped includes C# projects that packages refer to, and uses a manifest only for files of its language', () => {
  const files = {
    'src/Box/Box.csproj': packable.replace(
      '</Project>',
      '<ProjectReference Include="..\\Core\\Core.csproj" /></Project>',
    ),
    'src/Core/Core.csproj': '<Project></Project>',
    'src/Show/Show.csproj': '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>',
    'src/Core/Core.cs': '',
    'src/Show/Program.cs': '',
    'src/Show/wwwroot/page.js': '',
    'Cargo.toml': '[package]\nname = "box"\n',
    'src/lib.rs': '',
    'web/app.ts': '',
  };
  const isShipped = openShipped(project(files), Object.keys(files));
  const code = Object.keys(files).filter((path) => /\.(?:cs|js|rs|ts)$/.test(path));
  expect(code.filter(isShipped)).toEqual(['src/Core/Core.cs', 'src/lib.rs', 'web/app.ts']);
});

it('[R69] check reports no drift of a documented file that the package no longer contains', async () => {
  const manifest = '{ "name": "box" }';
  const files = { 'package.json': manifest, 'index.js': 'exports.a = 1\n', 'parts/b.js': 'exports.b = 1\n' };
  const cwd = project(files);
  const own = parts(cwd, { language: 'en' });
  await generate({ targetPath: '.', deep: false, outputDir: 'specs', astOnly: true }, own);
  writeFileSync(`${cwd}/package.json`, '{ "name": "box", "files": ["index.js"] }');
  const { items } = await checkSpecs({ paths: [], outputDir: 'specs' }, own);
  expect(items).toEqual([]);
});
