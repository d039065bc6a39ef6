import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DomainError } from '../../../packages/base/src/runtime/domain-error.ts';
import { runInOrder } from '../../../packages/reverse-spec/src/spec/batch/write-module.ts';
import { dryRunBatch, runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import { detectDrift } from '../../../packages/reverse-spec/src/spec/drift.ts';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import type { SpecWriter, WritingRequest } from '../../../packages/reverse-spec/src/spec/parts.ts';
import { readFrontMatter } from '../../../packages/reverse-spec/src/spec/writing/document/document-text.ts';
import { handClock } from '../../support/hand-clock.ts';
import { parts, project, write } from '../../support/spec-project.ts';

const request = { force: false, astOnly: false, outputDir: 'specs', concurrency: 2 };

const files = {
  'src/app/main.ts':
    "import { take } from '../queue/queue.ts';\nimport { log } from '../log/log.ts';\nexport const app = [take, log];\n",
  'src/queue/queue.ts': "import { log } from '../log/log.ts';\nexport function take(): void { log(''); }\n",
  'src/log/log.ts': 'export function log(line: string): void {}\n',
  'src/log/log.test.ts': "import { log } from './log.ts';\nlog('');\n",
};

interface Scripted extends SpecWriter {
  calls: string[];
  prompts: string[];
}

/** Writes one sentence; `answer` may throw, or degrade. */
function scripted(answer: (label: string) => { degraded?: boolean } | undefined = () => undefined): Scripted {
  const calls: string[] = [];
  const prompts: string[] = [];
  return {
    model: 'scripted',
    calls,
    prompts,
    write: async ({ facts, contexts }: WritingRequest) => {
      calls.push(facts.label);
      prompts.push(contexts[0]?.prompt ?? '');
      const how = answer(facts.label);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return {
        prose: { intent: `${facts.label} 的意图。` },
        tokenUsage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 },
        confidence: 'high',
        warnings: how?.degraded ? ['回答不完整'] : [],
        degraded: how?.degraded ?? false,
      };
    },
  };
}

it('[R30] batch writes one spec per folder, dependencies first, and then an index', async () => {
  const cwd = project(files);
  const modelWriter = scripted();
  const result = await runBatch(request, parts(cwd, { modelWriter }));
  expect(result).toEqual({
    totalModules: 3,
    successful: 3,
    failed: 0,
    skipped: 0,
    degraded: 0,
    unaffordable: 0,
    leftOut: [],
    cost: null,
    duration: 0,
    indexGenerated: true,
    summaryLogPath: join(cwd, 'specs', 'batch-summary.md'),
    failures: [],
    renewed: ['src/log', 'src/queue', 'src/app'].map((target) => ({ target, reasons: ['new'] })),
  });
  expect(modelWriter.calls).toEqual(['src/log', 'src/queue', 'src/app']);
  expect(modelWriter.prompts[2]).toContain('- src/queue: src/queue 的意图。');
  expect(readdirSync(join(cwd, 'specs')).sort()).toEqual([
    '.baseline',
    '_index.spec.md',
    'batch-summary.md',
    'src+app.spec.md',
    'src+log.spec.md',
    'src+queue.spec.md',
  ]);
  const index = readFileSync(join(cwd, 'specs', '_index.spec.md'), 'utf8');
  expect(readFrontMatter(index)).toMatchObject({ type: 'index-spec', version: 'v1', confidence: 'high' });
  expect(index).toContain('[`src/app`](<src+app.spec.md>)');
  expect(index).toMatch(/n0\["src\/log"\][\s\S]*n1 --> n0\n {2}n2 --> n1\n```\n\n另有 1 条可由所画箭头推出/);
});

it('[R30] batch skips unchanged modules and writes changed ones; with --force it writes all modules', async () => {
  const cwd = project(files);
  const run = async (force = false) => {
    const modelWriter = scripted();
    const result = await runBatch({ ...request, force }, parts(cwd, { modelWriter }));
    return { calls: modelWriter.calls, skipped: result.skipped };
  };
  await run();
  expect(await run()).toEqual({ calls: [], skipped: 3 });
  write(cwd, {
    'src/log/log.ts': 'export function log(\n  line: string,\n): void { line; }\n',
  });
  expect(await run()).toEqual({ calls: [], skipped: 3 });
  write(cwd, { 'src/log/log.ts': 'export function log(line: string, level = 1): void {}\n' });
  expect(await run()).toEqual({ calls: ['src/log'], skipped: 2 });
  expect(await run(true)).toEqual({ calls: ['src/log', 'src/queue', 'src/app'], skipped: 0 });
});

it('[R30] batch continues after a failed module, and tries this module again in the next run', async () => {
  const cwd = project(files);
  const failing = scripted((label) => {
    if (label === 'src/log') throw new DomainError('output_unwritable', '磁盘已满');
    return label === 'src/app' ? { degraded: true } : undefined;
  });
  const first = await runBatch(request, parts(cwd, { modelWriter: failing }));
  expect(first).toMatchObject({
    successful: 1,
    failed: 1,
    degraded: 1,
    skipped: 0,
    failures: [{ target: 'src/log', reason: '磁盘已满' }],
  });
  expect(readFileSync(first.summaryLogPath, 'utf8')).toContain('| `src/log` | 失败 | 新增 |  | 磁盘已满 |');
  expect(readFileSync(join(cwd, 'specs/_index.spec.md'), 'utf8')).toContain('未生成');
  const second = scripted();
  await runBatch(request, parts(cwd, { modelWriter: second }));
  expect(second.calls).toEqual(['src/log', 'src/app']);
});

it('[R30] batch --force continues at the module at which an earlier run was stopped', async () => {
  const cwd = project(files);
  await runBatch(request, parts(cwd, { modelWriter: scripted() }));
  const clock = handClock();
  clock.advance(1000);
  const stop = new AbortController();
  const stopping = scripted((label) => {
    if (label === 'src/queue') stop.abort();
    return undefined;
  });
  const forced = { ...request, force: true };
  await expect(
    runBatch(forced, parts(cwd, { modelWriter: stopping, clock, signal: stop.signal })),
  ).rejects.toThrow();
  expect(existsSync(join(cwd, 'specs/.reverse-spec-batch.json'))).toBe(true);
  clock.advance(1000);
  const resumed = scripted();
  const result = await runBatch(forced, parts(cwd, { modelWriter: resumed, clock }));
  expect(resumed.calls).not.toContain('src/log');
  expect(resumed.calls).toContain('src/app');
  expect(result.totalModules).toBe(3);
  expect(existsSync(join(cwd, 'specs/.reverse-spec-batch.json'))).toBe(false);
  const again = scripted();
  clock.advance(1000);
  await runBatch(forced, parts(cwd, { modelWriter: again, clock }));
  expect(again.calls).toHaveLength(3);
});

it('[R30] batch replaces a spec made from the parsed source by the spec of a model, but never the spec of a model by a parsed one', async () => {
  const cwd = project(files);
  await runBatch({ ...request, astOnly: true }, parts(cwd));
  const modelWriter = scripted();
  await runBatch(request, parts(cwd, { modelWriter }));
  expect(modelWriter.calls).toHaveLength(3);
  const { skipped } = await runBatch({ ...request, astOnly: true }, parts(cwd));
  expect(skipped).toBe(3);
});

it('[R30] batch --dry-run reports calls and tokens before it spends any, and writes nothing', async () => {
  const cwd = project(files);
  const modelWriter = scripted();
  const plan = await dryRunBatch(request, parts(cwd, { modelWriter }));
  expect(plan).toMatchObject({ dryRun: true, totalModules: 3, skipped: 0, modelCalls: 3 });
  expect(plan.inputTokens).toBe(plan.modules.reduce((sum, each) => sum + each.inputTokens, 0));
  expect(plan.inputTokens).toBeGreaterThan(plan.cacheableTokens);
  expect(modelWriter.calls).toEqual([]);
  expect(existsSync(join(cwd, 'specs'))).toBe(false);
  await runBatch(request, parts(cwd, { modelWriter }));
  expect(await dryRunBatch(request, parts(cwd, { modelWriter }))).toMatchObject({
    skipped: 3,
    modelCalls: 0,
    inputTokens: 0,
  });
});

it('[R30] batch without an API key writes no file', async () => {
  const cwd = project(files);
  await expect(runBatch(request, parts(cwd))).rejects.toThrow('未检测到 ANTHROPIC_API_KEY');
  expect(readdirSync(join(cwd, 'specs'))).toEqual([]);
});

it('[R41] diff does not compare the sub-folders of a folder with the spec of this folder', async () => {
  const cwd = project({ 'src/a.ts': 'export const a = 1;\n', 'src/sub/b.ts': 'export const b = 1;\n' });
  await runBatch({ ...request, astOnly: true }, parts(cwd));
  const report = await detectDrift({ specPath: 'specs/src+.spec.md', sourcePath: 'src' }, parts(cwd));
  expect(report.items).toEqual([]);
});

it('[R20] batch keeps a spec that also covers the sub-folders, and writes the spec of the folder alone to another file', async () => {
  const cwd = project({ 'src/a.ts': 'export const a = 1;\n', 'src/sub/b.ts': 'export const b = 1;\n' });
  await generate({ targetPath: 'src', deep: false, astOnly: true, outputDir: 'specs' }, parts(cwd));
  const before = readFileSync(join(cwd, 'specs/src.spec.md'), 'utf8');
  await runBatch({ ...request, astOnly: true }, parts(cwd));
  expect(readFileSync(join(cwd, 'specs/src.spec.md'), 'utf8')).toBe(before);
  expect(readdirSync(join(cwd, 'specs'))).toEqual(
    expect.arrayContaining(['src+.spec.md', 'src+sub.spec.md', 'src.spec.md']),
  );
  expect(readFileSync(join(cwd, 'specs/_index.spec.md'), 'utf8')).toContain('(<src+.spec.md>)');
});

it('[R30] batch writes modules that import each other', async () => {
  const cwd = project({
    'a/a.ts': "import '../b/b.ts';\nexport const a = 1;\n",
    'b/b.ts': "import '../c/c.ts';\nexport const b = 1;\n",
    'c/c.ts': "import '../a/a.ts';\nimport '../d/d.ts';\nexport const c = 1;\n",
    'd/d.ts': 'export const d = 1;\n',
  });
  const modelWriter = scripted();
  await runBatch({ ...request, concurrency: 1 }, parts(cwd, { modelWriter }));
  expect(modelWriter.calls).toEqual(['d', 'a', 'b', 'c']);
});

it('[R30] batch writes no more modules concurrently than allowed, and writes each module after its dependencies', async () => {
  const graph = fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 1, maxLength: 10 }).map((list) =>
    list.map((needs, at) => ({
      label: `${at}`,
      dependsOn: needs.filter((other) => other < at).map(String),
    })),
  );
  await fc.assert(
    fc.asyncProperty(graph, fc.integer({ min: 1, max: 4 }), async (items, concurrency) => {
      let running = 0;
      const done = new Set<string>();
      await runInOrder(items, { concurrency }, async ({ label, dependsOn }) => {
        running += 1;
        expect(running).toBeLessThanOrEqual(concurrency);
        expect(dependsOn.every((each) => done.has(each))).toBe(true);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        done.add(label);
      });
      expect(done.size).toBe(items.length);
    }),
  );
});

it('[R30] batch reads changed files again, and takes the facts of unchanged files from the cache', async () => {
  const cwd = project(files);
  write(cwd, { 'src/log/blob.bin': Buffer.alloc(4000) });
  const cacheDir = project({});
  const options = {
    cacheDir,
    maxFileBytes: 2000,
    clock: { now: () => Date.now() + 10_000, monotonic: () => 0 },
  };
  const hash = async () => {
    await runBatch({ ...request, astOnly: true }, parts(cwd, options));
    return readFrontMatter(readFileSync(join(cwd, 'specs/src+log.spec.md'), 'utf8')).skeletonHash;
  };
  const first = await hash();
  const [name = ''] = readdirSync(cacheDir);
  const written = statSync(join(cacheDir, name)).mtimeMs;
  expect(await hash()).toBe(first);
  expect(statSync(join(cacheDir, name)).mtimeMs).toBe(written);
  write(cwd, { 'src/log/log.ts': 'export function log(line: number): void {}\n' });
  expect(await hash()).not.toBe(first);
});

it('[R1] batch fails with an error code if the root or the output folder is a file', async () => {
  const cwd = project({ 'a.ts': 'export const a = 1;\n', specs: 'a file' });
  const astOnly = { ...request, astOnly: true };
  await expect(runBatch({ ...astOnly, projectRoot: 'a.ts' }, parts(cwd))).rejects.toMatchObject({
    code: 'not_a_folder',
    message: '项目根目录不是目录: a.ts',
  });
  await expect(runBatch(astOnly, parts(cwd))).rejects.toMatchObject({ code: 'output_unwritable' });
});

it('[R2] [R79] runBatch reports progress even if no module has to be written', async () => {
  const cwd = project(files);
  const astOnly = { ...request, astOnly: true };
  await runBatch(astOnly, parts(cwd));
  const steps: unknown[] = [];
  await runBatch(astOnly, parts(cwd, { progress: (step) => steps.push(step) }));
  expect(steps.at(0)).toEqual({ done: 0, total: 1, message: '扫描' });
  expect(steps.at(-1)).toMatchObject({ message: '已撰写 3/3 个模块: .' });
});

it('[R50] the index shows a diagram with more than 10 edges if 40 modules import each other in a circle', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `m${at}`);
  const files = names.map((name, at) => [
    `src/${name}/a.ts`,
    `import { x as y } from '../m${(at + 1) % 40}/a.ts';\nexport const x = y;\n`,
  ]);
  const cwd = project({ 'package.json': '{}', ...Object.fromEntries(files) });
  await runBatch(
    { force: false, astOnly: true, outputDir: 'specs', concurrency: 2, granularity: 'folder' },
    parts(cwd),
  );
  const index = readFileSync(join(cwd, 'specs/_index.spec.md'), 'utf8');
  expect(index.match(/-->/g)?.length).toBeGreaterThan(10);
});
