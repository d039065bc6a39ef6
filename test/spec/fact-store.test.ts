import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFactStore } from '../../src/spec/prepare/fact-store.ts';
import { openPrepared, prepare, prepareJson } from '../../src/spec/prepare.ts';
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

function overwrite(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

function longAgo(cwd: string): void {
  for (const path of Object.keys(files)) utimesSync(join(cwd, path), 1_000_000, 1_000_000);
}

it('[R10] the answer is the same text from the parser, from memory and from the cache', async () => {
  const cwd = project(files);
  longAgo(cwd);
  const cacheDir = project({});
  const cached = parts(cwd, { cacheDir });
  const plain = await prepareJson(request, parts(cwd));
  expect(await prepareJson(request, cached)).toBe(plain);
  const [name = ''] = readdirSync(cacheDir);
  const { ino } = statSync(join(cacheDir, name));
  expect(await prepareJson(request, cached)).toBe(plain);
  // Nothing was read, so nothing was written.
  expect(statSync(join(cacheDir, name)).ino).toBe(ino);
  const result = await prepare(request, parts(cwd));
  expect(JSON.stringify(result)).toBe(plain);
  expect(result.mergedSkeleton.exports).toEqual(
    result.skeletons.flatMap((each) => each.exports.map((one) => ({ ...one, filePath: each.filePath }))),
  );
  expect(result.mergedSkeleton.parseErrors?.[0]?.message).toContain('src/broken.ts: ');
});

it('[R13] the prompt in pieces is the prompt of the answer', async () => {
  const cwd = project(files);
  const { context } = await prepare(request, parts(cwd));
  const prepared = await openPrepared(request, parts(cwd));
  expect([...prepared.prompt()].join('')).toBe(context.prompt);
  expect(prepared.summary).toMatchObject({ files: 5, unread: 1, tokenCount: context.tokenCount });
  prepared.close();
});

it('[R10] one part may be larger than what is written at a time', async () => {
  const type = `export type Wide = ${Array.from({ length: 60_000 }, (_, at) => `'kind-${at}'`).join(' | ')};\n`;
  const cwd = project({ 'src/wide.ts': type, 'src/z.ts': 'export const z = 1;\n' });
  const cached = parts(cwd, { cacheDir: project({}), maxFileBytes: 10_000_000 });
  const { skeletons } = await prepare(request, cached);
  expect(skeletons.map((each) => each.exports[0]?.name)).toEqual(['Wide', 'z']);
  expect(skeletons[0]?.exports[0]?.signature).toBe(type.trim().slice(0, -1));
  expect(await prepare(request, cached)).toEqual(
    await prepare(request, parts(cwd, { maxFileBytes: 10_000_000 })),
  );
});

it.each([
  ['cut short', (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2))],
  ['empty', (file: string) => truncateSync(file, 0)],
  [
    'of another program',
    (file: string) =>
      writeFileSync(file, readFileSync(file, 'latin1').replace('"format":5', '"format":9'), 'latin1'),
  ],
  ['nonsense at its end', (file: string) => appendFileSync(file, 'x'.repeat(40))],
  ['another in one of its records', (file: string) => overwrite(file, Math.floor(statSync(file).size / 4))],
  ['another in one of its rows', (file: string) => overwrite(file, statSync(file).size - 440)],
  ['another in its footer', (file: string) => overwrite(file, statSync(file).size - 190)],
])('[R10] a cache that is %s is as good as none', async (_what, damage) => {
  const cwd = project(files);
  longAgo(cwd);
  const cacheDir = project({});
  const cached = parts(cwd, { cacheDir });
  const answer = await prepareJson(request, cached);
  for (const name of readdirSync(cacheDir)) damage(join(cacheDir, name));
  expect(await prepareJson(request, cached)).toBe(answer);
  expect(await prepareJson(request, cached)).toBe(answer);
});

it('[R10] a cache that cannot be written costs nothing but time', async () => {
  const cwd = project(files);
  const cached = parts(cwd, { cacheDir: join(cwd, 'src/a.ts', 'cache') });
  expect(await prepareJson(request, cached)).toBe(await prepareJson(request, parts(cwd)));
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

it('[R10] a stamp is trusted only when the file was old at the time it was looked at', async () => {
  const stamp = { size: 1, mtimeMs: 50_000, ctimeMs: 50_000, ino: 7 };
  const settledWhenLookedAt = async (now: number) => {
    const cache = { directory: project({}), target: '/t', version: '1', now: () => now };
    const writing = await openFactStore(cache);
    const row = writing.rowOf('a');
    const brief = { kind: 'note' as const, note: 'n', contentHash: '' };
    writing.table.setRecord(row, { brief, lengths: [], ...writing.add('') });
    writing.table.row(row).setStamp(stamp);
    writing.save([{ path: 'a', row }], { key: '', text: '' });
    writing.close();
    const reading = await openFactStore({ ...cache, now: () => 1_000_000 });
    const isSettled = reading.isSettled(reading.rowOf('a'), stamp);
    reading.close();
    return isSettled;
  };
  expect(await settledWhenLookedAt(51_500)).toBe(false);
  expect(await settledWhenLookedAt(52_500)).toBe(true);
});

it('[R10] nothing unfinished is left behind, and what a killed run left goes', async () => {
  const cwd = project(files);
  const cacheDir = project({ 'old.draft': 'x', 'fresh.draft': 'x' });
  utimesSync(join(cacheDir, 'old.draft'), 1_000, 1_000);
  await prepare(request, parts(cwd, { cacheDir }));
  expect(readdirSync(cacheDir).filter((name) => name.endsWith('.draft'))).toEqual(['fresh.draft']);
  mkdirSync(join(cwd, 'src/more'));
  writeFileSync(join(cwd, 'src/more/c.ts'), 'export const c = 1;\n');
  const stopped = parts(cwd, { cacheDir, signal: AbortSignal.abort() });
  await expect(prepare(request, stopped)).rejects.toThrow();
  expect(readdirSync(cacheDir).filter((name) => name.endsWith('.draft'))).toEqual(['fresh.draft']);
});

it('[R2] a target read from the cache alone is told to be done', async () => {
  const cwd = project(files);
  longAgo(cwd);
  const cacheDir = project({});
  await prepareJson(request, parts(cwd, { cacheDir }));
  const steps: unknown[] = [];
  await prepareJson(request, parts(cwd, { cacheDir, progress: (step) => steps.push(step) }));
  expect(steps).toEqual([{ done: 5, total: 5, message: 'src' }]);
});
