import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Granularity, runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import { detectDrift } from '../../../packages/reverse-spec/src/spec/drift.ts';
import { parts, project, write } from '../../support/spec-project.ts';

const source = (name: string) => `export const ${name} = 1;\n`;

async function documentsOf(files: Record<string, string>, granularity: Granularity) {
  const cwd = project(files);
  const request = { force: false, astOnly: true, outputDir: 'specs', concurrency: 4, granularity };
  await runBatch(request, parts(cwd));
  const names = readdirSync(join(cwd, 'specs')).filter(
    (name) => name.endsWith('.spec.md') && name !== '_index.spec.md',
  );
  return { cwd, names: names.sort() };
}

const workspace = {
  'package.json': '{"workspaces":["packages/*"]}',
  'packages/a/package.json': '{"name":"a"}',
  'packages/a/src/index.ts': source('a'),
  'packages/a/src/deep/one.ts': source('one'),
  'packages/b/package.json': '{"name":"b"}',
  'packages/b/index.ts': source('b'),
  'extra/build.ts': source('build'),
};

it.each([
  ['package', ['_root+.spec.md', 'packages+a.spec.md', 'packages+b.spec.md']],
  [
    'folder',
    ['extra.spec.md', 'packages+a+src+.spec.md', 'packages+a+src+deep.spec.md', 'packages+b.spec.md'],
  ],
  [
    'file',
    Object.keys(workspace)
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${path.replaceAll('/', '+')}.spec.md`),
  ],
] as const)('[R30] batch writes one document per %s', async (granularity, expected) => {
  expect((await documentsOf(workspace, granularity)).names).toEqual([...expected].sort());
});

it('[R30] batch splits a large package by its folders, and describes small folders with their parent', async () => {
  const files: Record<string, string> = { 'src/index.ts': source('index'), 'src/tiny/x.ts': source('x') };
  for (let at = 0; at < 60; at += 1) files[`src/part${at % 3}/m${at}.ts`] = source(`m${at}`);
  const { names } = await documentsOf(files, 'package');
  expect(names).toEqual(['src+.spec.md', 'src+part0.spec.md', 'src+part1.spec.md', 'src+part2.spec.md']);
});

it('[R30] [R41] diff reports no drift of a package document if code changes that another document describes', async () => {
  const { cwd, names } = await documentsOf(
    { 'main.go': 'package main\n\nfunc Main() {}\n', 'doc/doc.go': 'package doc\n\nfunc Doc() {}\n' },
    'package',
  );
  expect(names).toEqual(['_root+.spec.md', 'doc.spec.md']);
  write(cwd, { 'doc/more.go': 'package doc\n\nfunc More() {}\n' });
  const report = await detectDrift({ specPath: 'specs/_root+.spec.md', sourcePath: '.' }, parts(cwd));
  expect(report.items.filter(({ symbolName }) => symbolName === 'More' || symbolName === 'Doc')).toEqual([]);
});

it('[R30] batch describes small folders with their parent if the document stays short; small Java packages have no document of their own', async () => {
  const parts = (count: number, size: number) =>
    Object.fromEntries(
      Array.from({ length: count * size }, (_, at) => {
        const folder = `part${Math.floor(at / size)}`;
        return [`src/${folder}/m${at}.ts`, source(`m${at}`)];
      }),
    );
  expect((await documentsOf(parts(20, 3), 'package')).names).toEqual(['src.spec.md']);
  expect((await documentsOf(parts(42, 3), 'package')).names).toHaveLength(42);
  const java = (folder: string, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`${folder}/C${at}.java`, `public class C${at} {}\n`]),
    );
  const files = {
    ...java('src/main/java/a', 5),
    ...java('src/main/java/a/b', 4),
    ...java('src/main/java/a/c', 3),
  };
  expect((await documentsOf(files, 'package')).names).toEqual([
    'src+main+java+a+.spec.md',
    'src+main+java+a+b.spec.md',
  ]);
});
