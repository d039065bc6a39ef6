import { readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFactCache } from '../../src/spec/prepare/fact-cache.ts';
import type { SourceReading } from '../../src/spec/prepare/read-source.ts';
import { jsonOf, prepare } from '../../src/spec/prepare.ts';
import { parts, project } from '../support/spec-project.ts';

const files = {
  'src/a.ts':
    "import { b } from './b.ts';\nimport fs from 'node:fs';\n// TODO: ümlaut 中文\nexport const a = b;\n",
  'src/b.ts': 'export const b = "x\\ny";\nfunction hidden() {}\n',
  'src/broken.ts': 'export const c = ;\nexport interface D { e: string }\n',
  'src/notes.unknown': 'nothing',
  'src/deep/index.ts': "export * from '../a.ts';\n",
};
const request = { targetPath: 'src', deep: false };

function longAgo(cwd: string): void {
  for (const path of Object.keys(files)) utimesSync(join(cwd, path), 1_000_000, 1_000_000);
}

it('[R10] the answer is the same from the parser and from the cache, as objects and as JSON', async () => {
  const cwd = project(files);
  longAgo(cwd);
  const cached = parts(cwd, { cacheDir: project({}) });
  const plain = await prepare(request, parts(cwd));
  expect(await prepare(request, cached)).toEqual(plain);
  expect(await prepare(request, cached)).toEqual(plain);
  expect(JSON.parse([...jsonOf(plain)].join(''))).toEqual(plain);
  expect(plain.mergedSkeleton.exports).toEqual(
    plain.skeletons.flatMap((each) => each.exports.map((one) => ({ ...one, filePath: each.filePath }))),
  );
  expect(plain.mergedSkeleton.parseErrors?.[0]?.message).toContain('src/broken.ts: ');
});

it('[R10] what was read is found again by its content, whatever the file looks like', async () => {
  const cwd = project(files);
  const cacheDir = project({});
  await prepare(request, parts(cwd, { cacheDir }));
  for (const path of Object.keys(files)) utimesSync(join(cwd, path), 2_000_000, 2_000_000);
  const steps: unknown[] = [];
  await prepare(request, parts(cwd, { cacheDir, progress: (step) => steps.push(step) }));
  expect(steps).toEqual([{ done: 5, total: 5, message: 'src' }]);
});

const facts: SourceReading = { kind: 'note', note: { code: 'binary' } };
const version = { path: 'a.ts', contentHash: 'abc' };

async function kept(directory: string, program = '1'): Promise<SourceReading | undefined> {
  const cache = await openFactCache(directory, program);
  const found = cache?.get(version);
  await cache?.close();
  return found;
}

async function keep(directory: string): Promise<void> {
  const cache = await openFactCache(directory, '1');
  cache?.put(version, facts);
  await cache?.close();
}

it('[R10] a record is good for its path, its content and its program', async () => {
  const directory = project({});
  await keep(directory);
  expect(await kept(directory)).toEqual(facts);
  expect(await kept(directory, '2')).toBeUndefined();
  const cache = await openFactCache(directory, '1');
  expect(cache?.get({ ...version, path: 'b.ts' })).toBeUndefined();
  expect(cache?.get({ ...version, contentHash: 'abd' })).toBeUndefined();
  await cache?.close();
});

it('[R10] nobody else on the machine can read what is kept', async () => {
  const directory = project({});
  await keep(directory);
  for (const name of ['data.mdb', 'lock.mdb'])
    expect(statSync(join(directory, 'facts', name)).mode & 0o777, name).toBe(0o600);
});

it('[R10] a byte that fell over in a record is noticed', async () => {
  const directory = project({});
  await keep(directory);
  const file = join(directory, 'facts', 'data.mdb');
  const bytes = readFileSync(file);
  const at = bytes.indexOf('"binary"');
  expect(at).toBeGreaterThan(0);
  bytes[at + 1] = (bytes[at + 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  expect(await kept(directory)).toBeUndefined();
});

it.each([
  ['cut short', (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2))],
  ['empty', (file: string) => truncateSync(file, 0)],
  ['something else', (file: string) => writeFileSync(file, 'x'.repeat(20_000))],
])('[R10] a cache that is %s is as good as none, and the next one is kept', async (_what, damage) => {
  const cwd = project(files);
  longAgo(cwd);
  const cacheDir = project({});
  const cached = parts(cwd, { cacheDir });
  const answer = await prepare(request, cached);
  damage(join(cacheDir, 'facts', 'data.mdb'));
  expect(await prepare(request, cached)).toEqual(answer);
  await keep(cacheDir);
  expect(await kept(cacheDir)).toEqual(facts);
});

it('[R10] two calls at once share the cache', async () => {
  const cwd = project(files);
  const cached = parts(cwd, { cacheDir: project({}) });
  const plain = await prepare(request, parts(cwd));
  expect(await Promise.all([prepare(request, cached), prepare(request, cached)])).toEqual([plain, plain]);
});

it('[R10] a cache that cannot be written costs nothing but time', async () => {
  const cwd = project(files);
  const cached = parts(cwd, { cacheDir: join(cwd, 'src/a.ts', 'cache') });
  expect(await prepare(request, cached)).toEqual(await prepare(request, parts(cwd)));
});

it('[R10] an edit that keeps size and modification time is seen', async () => {
  const cwd = project(files);
  longAgo(cwd);
  const cached = parts(cwd, { cacheDir: project({}) });
  await prepare(request, cached);
  const path = join(cwd, 'src/b.ts');
  writeFileSync(path, readFileSync(path, 'utf8').replace('const b', 'const q'));
  utimesSync(path, 1_000_000, 1_000_000);
  const { skeletons } = await prepare(request, cached);
  expect(skeletons.find(({ filePath }) => filePath === 'src/b.ts')?.exports[0]?.name).toBe('q');
});

it('[R2] a target read from the cache alone is told to be done', async () => {
  const cwd = project(files);
  longAgo(cwd);
  const cacheDir = project({});
  await prepare(request, parts(cwd, { cacheDir }));
  const steps: unknown[] = [];
  await prepare(request, parts(cwd, { cacheDir, progress: (step) => steps.push(step) }));
  expect(steps).toEqual([{ done: 5, total: 5, message: 'src' }]);
});
