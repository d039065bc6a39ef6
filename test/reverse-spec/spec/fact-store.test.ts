import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFactCache } from '../../../packages/reverse-spec/src/spec/prepare/fact-cache.ts';
import type { SourceReading } from '../../../packages/reverse-spec/src/spec/prepare/read-source.ts';
import { jsonOf, prepare } from '../../../packages/reverse-spec/src/spec/prepare.ts';
import { parts, project } from '../../support/spec-project.ts';

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

it('[R10] prepare returns the same result from the parser and from the cache, as objects and as JSON', async () => {
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

it('[R10] the cache finds the facts of a file by the content of the file', async () => {
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

function open(directory: string, { program = '1', base = '/project' } = {}) {
  return openFactCache({ directory, project: base, version: program });
}

async function kept(directory: string, place: { program?: string; base?: string } = {}) {
  const cache = await open(directory, place);
  const found = cache?.get(version);
  await cache?.close();
  return found;
}

async function keep(directory: string): Promise<void> {
  const cache = await open(directory);
  cache?.put(version, facts);
  await cache?.close();
}

/** The one file of a project. */
function factFile(directory: string): string {
  const [name = ''] = readdirSync(join(directory, 'facts'));
  return join(directory, 'facts', name);
}

it('[R10] a cache record is valid only for its project, path, content and program version', async () => {
  const directory = project({});
  await keep(directory);
  expect(await kept(directory)).toEqual(facts);
  expect(await kept(directory, { base: '/other' })).toBeUndefined();
  const cache = await open(directory);
  expect(cache?.get({ ...version, path: 'b.ts' })).toBeUndefined();
  for (const contentHash of ['abd', 'ab', 'abcd', ''])
    expect(cache?.get({ ...version, contentHash })).toBeUndefined();
  await cache?.close();
  expect(await kept(directory, { program: '2' })).toBeUndefined();
});

it('[R10] the cache rewrites the file of a project if most of it is outdated; otherwise it appends to the file', async () => {
  const directory = project({});
  await keep(directory);
  const sizes: number[] = [];
  for (let round = 0; round < 50; round += 1) {
    const cache = await open(directory);
    cache?.put({ path: 'b.ts', contentHash: `hash-${round}` }, facts);
    cache?.saveStamps('/project/src', { lookedAt: round, files: {} });
    await cache?.close();
    sizes.push(statSync(factFile(directory)).size);
  }
  expect(Math.max(...sizes)).toBeLessThan(3 * (sizes[0] ?? 0));
  const cache = await open(directory);
  expect(cache?.get(version)).toEqual(facts);
  expect(cache?.get({ path: 'b.ts', contentHash: 'hash-49' })).toEqual(facts);
  expect(cache?.stamps('/project/src').lookedAt).toBe(49);
  expect(readdirSync(join(directory, 'facts'))).toHaveLength(1);
});

it('[R10] the cache writes facts of a large project before it is closed, and finds all of them later', async () => {
  const directory = project({});
  const cache = await open(directory);
  const note: SourceReading = { kind: 'note', note: { code: 'binary' }, contentHash: 'x'.repeat(1_000_000) };
  const paths = Array.from({ length: 20 }, (_, at) => `${at}.ts`);
  for (const path of paths) cache?.put({ path, contentHash: 'x' }, note);
  expect(statSync(factFile(directory)).size).toBeGreaterThan(8_000_000);
  await cache?.close();
  const again = await open(directory);
  expect(paths.map((path) => again?.get({ path, contentHash: 'x' })?.kind)).toEqual(paths.map(() => 'note'));
  expect(statSync(factFile(directory)).mode & 0o777).toBe(0o600);
});

it('[R10] the cache keeps the records of two instances that have the same project open', async () => {
  const directory = project({});
  await keep(directory);
  const [one, other] = [await open(directory), await open(directory)];
  one?.put({ path: 'one.ts', contentHash: 'x' }, facts);
  other?.put({ path: 'other.ts', contentHash: 'x' }, facts);
  await Promise.all([one?.close(), other?.close()]);
  const cache = await open(directory);
  const found = ['a.ts', 'one.ts', 'other.ts'].map((path) =>
    cache?.get({ path, contentHash: path === 'a.ts' ? 'abc' : 'x' }),
  );
  expect(found).toEqual([facts, facts, facts]);
});

it('[R10] the cache loses only the record that was being written if the process is killed', async () => {
  const directory = project({});
  await keep(directory);
  appendFileSync(factFile(directory), '\n0badcafe 0123456789abcdef');
  const cache = await open(directory);
  cache?.put({ path: 'b.ts', contentHash: 'x' }, facts);
  await cache?.close();
  expect(await kept(directory)).toEqual(facts);
  expect((await open(directory))?.get({ path: 'b.ts', contentHash: 'x' })).toEqual(facts);
});

it('[R10] [X16] the cache creates its files so that other users of the machine cannot read them', async () => {
  const directory = project({});
  await keep(directory);
  expect(statSync(factFile(directory)).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, 'facts')).mode & 0o777).toBe(0o700);
});

it('[R10] the cache deletes the database of earlier versions', async () => {
  const directory = project({ 'facts/data.mdb': 'LMDB', 'facts/lock.mdb': '' });
  await keep(directory);
  expect(readdirSync(join(directory, 'facts'))).toEqual([expect.stringMatching(/^[\da-f]{32}\.jsonl$/)]);
});

it('[R10] the cache detects a changed byte in a record', async () => {
  const directory = project({});
  await keep(directory);
  const file = factFile(directory);
  const bytes = readFileSync(file);
  const at = bytes.indexOf('"binary"');
  expect(at).toBeGreaterThan(0);
  bytes[at + 1] = (bytes[at + 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  expect(await kept(directory)).toBeUndefined();
});

it.each<[string, (file: string) => void]>([
  ['cut short', (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
  ['empty', (file) => truncateSync(file, 0)],
  ['something else', (file) => writeFileSync(file, 'x'.repeat(20_000))],
  [
    'a pipe',
    (file) => {
      rmSync(file);
      execFileSync('mkfifo', [file]);
    },
  ],
])('[R10] prepare ignores a cache file that is %s, and writes a valid one', async (_what, damage) => {
  const cwd = project(files);
  longAgo(cwd);
  const cacheDir = project({});
  const cached = parts(cwd, { cacheDir });
  const answer = await prepare(request, cached);
  damage(factFile(cacheDir));
  expect(await prepare(request, cached)).toEqual(answer);
  const steps: unknown[] = [];
  await prepare(request, parts(cwd, { cacheDir, progress: (step) => steps.push(step) }));
  expect(steps).toEqual([{ done: 5, total: 5, message: 'src' }]);
});

it('[R10] two concurrent calls of prepare share the cache', async () => {
  const cwd = project(files);
  const cached = parts(cwd, { cacheDir: project({}) });
  const plain = await prepare(request, parts(cwd));
  expect(await Promise.all([prepare(request, cached), prepare(request, cached)])).toEqual([plain, plain]);
});

it('[R10] prepare returns the same result, but more slowly, if the cache is not writable', async () => {
  const cwd = project(files);
  const cached = parts(cwd, { cacheDir: join(cwd, 'src/a.ts', 'cache') });
  expect(await prepare(request, cached)).toEqual(await prepare(request, parts(cwd)));
});

it('[R10] the cache detects an edit of a file even if size and modification time stay equal', async () => {
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

it('[R2] prepare reports its progress as complete if it reads everything from the cache', async () => {
  const cwd = project(files);
  longAgo(cwd);
  const cacheDir = project({});
  await prepare(request, parts(cwd, { cacheDir }));
  const steps: unknown[] = [];
  await prepare(request, parts(cwd, { cacheDir, progress: (step) => steps.push(step) }));
  expect(steps).toEqual([{ done: 5, total: 5, message: 'src' }]);
});
