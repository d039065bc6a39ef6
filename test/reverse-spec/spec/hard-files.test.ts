import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import {
  createReadingTools,
  readSource,
  type SourceReading,
} from '../../../packages/reverse-spec/src/spec/prepare/read-source.ts';
import { readSources } from '../../../packages/reverse-spec/src/spec/prepare/source-reader.ts';
import { prepare } from '../../../packages/reverse-spec/src/spec/prepare.ts';
import { parts, project } from '../../support/spec-project.ts';

it('[R11] prepare reads all other files if one file is nested too deeply for the stack', async () => {
  const cwd = project({
    'src/a.ts': 'export const a: number = 1;\n',
    'src/deep.ts': `export const n = ${'('.repeat(5_000)}1${')'.repeat(5_000)};\nexport function after(): void {}\n`,
  });
  const { skeletons } = await prepare({ targetPath: 'src', deep: false }, parts(cwd));
  expect(skeletons.map(({ filePath }) => filePath)).toEqual(['src/a.ts', 'src/deep.ts']);
  expect(skeletons[1]?.exports.map(({ name }) => name)).toContain('after');
  expect(skeletons[1]?.parseErrors).toHaveLength(1);
});

it('[R11] prepare keeps the names in a file that is not UTF-8', async () => {
  const cwd = project({
    'a.ts': Buffer.from(
      "/** caf\xe9 */\nexport const caf\xe9 = '\xe9';\nexport function ok(): void {\n  return;\n}\n",
      'latin1',
    ),
  });
  const { skeletons, context } = await prepare({ targetPath: 'a.ts', deep: true }, parts(cwd));
  expect(skeletons[0]?.exports.map(({ name, signature }) => [name, signature])).toEqual([
    ['café', "export const café = 'é'"],
    ['ok', 'export function ok(): void'],
  ]);
  expect(skeletons[0]).not.toHaveProperty('parseErrors');
  expect(context.prompt).not.toContain('\ufffd');
});

const longSource = 'def f(a):\n    return [a, (a, {a: a})]\n'.repeat(500);

it('[R11] `prepare` returns the same facts even if the clock advances by an hour at each reading', async () => {
  const cwd = project({ 'src/a.py': longSource, 'src/b.ts': 'export const b = 1;\n' });
  let ms = 0;
  const later = () => (ms += 3_600_000);
  const [clock, request] = [
    { now: later, monotonic: later },
    { targetPath: 'src', deep: true },
  ];
  expect(await prepare(request, parts(cwd, { clock }))).toEqual(await prepare(request, parts(cwd)));
});

/** A worker thread that answers every job with one reading. */
const answeringWorker = (reading: SourceReading) => `
import { parentPort } from 'node:worker_threads';
parentPort.postMessage({ kind: 'ready' });
parentPort.on('message', ({ number }) =>
  parentPort.postMessage({ number, kind: 'done', answer: ${JSON.stringify(JSON.stringify([reading]))} }));
`;

it('[R68] `prepare` names a file whose worker thread did not respond, and reads it again in the next run', async () => {
  const cwd = project({ 'src/a.py': longSource });
  const [request, cached] = [{ targetPath: 'src', deep: true }, { cacheDir: project({}) }];
  const file = { path: 'src/a.py', absolute: join(cwd, 'src/a.py'), maxBytes: 1_000_000, withBodies: true };
  const reading = await readSource({ ...file, byPatterns: 'late' }, createReadingTools());
  writeFileSync(join(cwd, 'worker.mjs'), answeringWorker(reading));
  const workerUrl = pathToFileURL(join(cwd, 'worker.mjs'));
  const late = await prepare(request, parts(cwd, { ...cached, workerUrl }));
  expect(late.skeletons[0]).toMatchObject({
    parserUsed: 'patterns',
    parseErrors: [{ line: 1, message: expect.stringContaining('no answer') }],
  });
  expect(await prepare(request, parts(cwd, cached))).toEqual(await prepare(request, parts(cwd)));
});

const mortalWorker = `
import { parentPort } from 'node:worker_threads';
parentPort.postMessage({ kind: 'ready' });
parentPort.on('message', ({ number, job }) => {
  if (job.some(({ path, byPatterns }) => path === 'fatal' || (path === 'hard' && !byPatterns))) process.exit(1);
  const readings = job.map(({ path, byPatterns }) => ({ kind: 'note', note: { code: path + (byPatterns ? ' by patterns' : '') } }));
  parentPort.postMessage({ number, kind: 'done', answer: JSON.stringify(readings) });
});
`;

it('[R11] prepare reads a file that crashes its worker thread by line patterns, and all other files with the parser', async () => {
  const cwd = project({});
  writeFileSync(join(cwd, 'worker.mjs'), mortalWorker);
  const workerUrl = pathToFileURL(join(cwd, 'worker.mjs'));
  const names: Readonly<Record<number, string>> = { 20: 'fatal', 40: 'hard' };
  const paths = Array.from({ length: 100 }, (_, at) => names[at] ?? `f${at}`);
  const notes: string[] = [];
  await readSources(
    paths.map((path) => ({ path, absolute: path, maxBytes: 1 })),
    { workerUrl, maxFileBytes: 1_048_576, signal: undefined },
    (at, reading) => {
      notes[at] = reading.kind === 'note' ? reading.note.code : '';
    },
  );
  const expected: Readonly<Record<string, string>> = { fatal: 'failed', hard: 'hard by patterns' };
  expect(notes).toEqual(paths.map((path) => expected[path] ?? path));
});

it('[R1] prepare fails with an error code if the target is neither a file nor a folder', async () => {
  const cwd = project({});
  execFileSync('mkfifo', [join(cwd, 'pipe.ts')]);
  for (const targetPath of ['pipe.ts', '/dev/null'])
    await expect(prepare({ targetPath, deep: false }, parts(cwd))).rejects.toMatchObject({
      code: 'not_a_source',
      message: `目标既不是文件也不是目录: ${targetPath}`,
    });
});

it('[R11] prepare lists a file whose name is not UTF-8 with a note', async () => {
  const cwd = project({ 'src/a.ts': 'export const a = 1;\n' });
  execFileSync('bash', ['-c', 'echo "export const b = 1" > "$(printf "bad\\xff.ts")"'], {
    cwd: join(cwd, 'src'),
  });
  const { filePaths, notes } = await prepare({ targetPath: 'src', deep: false }, parts(cwd));
  expect(filePaths).toEqual(['src/a.ts', 'src/bad\ufffd.ts']);
  expect(notes).toEqual({ 'src/bad\ufffd.ts': '文件名不是有效的 UTF-8，已跳过' });
});

it('[R12] prepare reads a folder named in the call, even if git ignores the folder', async () => {
  const cwd = project({
    '.gitignore': 'one/\ntwo/*\n/three/**\n',
    '.git/HEAD': '',
    'one/a.ts': 'export const a = 1;\n',
    'two/a.ts': 'export const a = 1;\n',
    'three/deep/a.ts': 'export const a = 1;\n',
    'three/deep/.gitignore': 'b.ts\n',
    'three/deep/b.ts': 'export const b = 1;\n',
    'a.ts': 'export const a = 1;\n',
  });
  const listed = async (targetPath: string) =>
    (await prepare({ targetPath, deep: false }, parts(cwd))).skeletons.map(({ filePath }) => filePath);
  expect(await listed('.')).toEqual(['a.ts']);
  expect(await listed('one')).toEqual(['one/a.ts']);
  expect(await listed('two')).toEqual(['two/a.ts']);
  expect(await listed('three')).toEqual(['three/deep/a.ts']);
});

it('[R10] prepare reads a folder through a symlink, and reports it under the name in the call', async () => {
  const elsewhere = project({ 'package.json': '{}', 'lib/a.ts': 'export const a = 1;\n' });
  const cwd = project({ 'package.json': '{}', 'here/b.ts': 'export const b = 1;\n' });
  symlinkSync(join(elsewhere, 'lib'), join(cwd, 'out'));
  symlinkSync('here', join(cwd, 'in'));
  const read = (targetPath: string) => prepare({ targetPath, deep: true }, parts(cwd));
  const out = await read('out');
  expect(out.filePaths).toEqual(['lib/a.ts']);
  expect(out.mergedSkeleton.filePath).toBe('out');
  expect((await read(join(cwd, 'out', 'a.ts'))).filePaths).toEqual(['lib/a.ts']);
  expect((await read('in')).skeletons[0]?.exports[0]?.name).toBe('b');
});
