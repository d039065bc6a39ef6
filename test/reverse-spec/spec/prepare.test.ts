import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { prepare } from '../../../packages/reverse-spec/src/spec/prepare.ts';
import { parts, project } from '../../support/spec-project.ts';

const queue = `import { readFile } from 'node:fs/promises';
import type { Clock } from './clock.ts';

/** One job. */
export interface Job<T = unknown> {
  /** Set once. */
  readonly id: string;
  payload?: T;
}

export type Outcome = 'done' | { failed: Error };

export enum Level {
  Low = 1,
  High,
}

export const LIMIT: number = 10;

export function take(queue: Job[]): Job | undefined;
export function take(queue: Job[], count: number): Job[];
export function take(queue: Job[], count?: number) {
  return count === undefined ? queue.shift() : queue.splice(0, count);
}

@sealed
export class Queue<T extends Job = Job> {
  #secret = 1;
  constructor(private readonly clock: Clock, limit = LIMIT) {}
  async push(job: T): Promise<void> {
    await readFile(job.id);
  }
}

function hidden() {}

export * from './other.ts';
export { a as b } from './more.ts';
export default hidden;
`;

it('[R10] prepare returns skeletons that contain the source text of every export and no other text', async () => {
  const cwd = project({ 'src/queue.ts': queue });
  const { skeletons, mergedSkeleton, context, filePaths } = await prepare(
    { targetPath: 'src/queue.ts', deep: false },
    parts(cwd),
  );
  expect(filePaths).toEqual(['src/queue.ts']);
  const [skeleton] = skeletons;
  expect(skeleton).toMatchObject({
    filePath: 'src/queue.ts',
    language: 'typescript',
    loc: 39,
    parserUsed: 'typescript',
  });
  expect(skeleton?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(skeleton).not.toHaveProperty('parseErrors');
  expect(skeleton?.imports.map(({ module, names, isTypeOnly }) => ({ module, names, isTypeOnly }))).toEqual([
    { module: 'node:fs/promises', names: ['readFile'], isTypeOnly: false },
    { module: './clock.ts', names: ['Clock'], isTypeOnly: true },
  ]);
  const signatures = Object.fromEntries(
    skeleton?.exports.map(({ name, signature }) => [name, signature]) ?? [],
  );
  expect(signatures).toMatchObject({
    Job: 'export interface Job<T = unknown>',
    Outcome: "export type Outcome = 'done' | { failed: Error }",
    Level: 'export enum Level {\n  Low = 1,\n  High,\n}',
    LIMIT: 'export const LIMIT: number = 10',
    Queue: '@sealed\nexport class Queue<T extends Job = Job>',
    '*': "export * from './other.ts'",
    b: "export { a as b } from './more.ts'",
    default: 'function hidden()',
  });
  expect(signatures.take?.split('\n').slice(0, 2)).toEqual([
    'export function take(queue: Job[]): Job | undefined',
    'export function take(queue: Job[], count: number): Job[]',
  ]);
  const job = skeleton?.exports.find(({ name }) => name === 'Job');
  expect(job).toMatchObject({ kind: 'interface', jsDoc: 'One job.', startLine: 5, endLine: 9 });
  expect(job?.members).toMatchObject([
    { name: 'id', signature: 'readonly id: string', jsDoc: 'Set once.' },
    { name: 'payload', signature: 'payload?: T', jsDoc: null },
  ]);
  const members = skeleton?.exports.find(({ name }) => name === 'Queue')?.members?.map(({ name }) => name);
  expect(members).toEqual(['constructor', 'push']);
  expect(mergedSkeleton.exports.every(({ filePath }) => filePath === 'src/queue.ts')).toBe(true);
  expect(Object.keys(context)).toEqual(['prompt', 'tokenCount', 'breakdown', 'truncated', 'truncatedParts']);
});

it('[R10] the structure hash ignores comments, formatting and bodies', async () => {
  const hashOf = async (text: string) => {
    const cwd = project({ 'a.ts': text });
    const { skeletons } = await prepare({ targetPath: 'a.ts', deep: false }, parts(cwd));
    return skeletons[0]?.hash;
  };
  const plain = await hashOf('export function f(a: string): void { a; }\n');
  expect(await hashOf('// hello\nexport function f(\n  a: string,\n): void {\n  return;\n}\n')).toBe(plain);
  expect(await hashOf('export function f(a?: string): void { a; }\n')).not.toBe(plain);
});

it('[R11] prepare returns the readable part of source with syntax errors, and lists the errors', async () => {
  const cwd = project({
    'bad.ts': 'export const a = ;\nexport function good(x: number): string { return ""; }\nexport class {\n',
  });
  const { skeletons } = await prepare({ targetPath: 'bad.ts', deep: false }, parts(cwd));
  expect(skeletons[0]?.exports.map(({ name }) => name)).toContain('good');
  expect(skeletons[0]?.parseErrors?.[0]).toMatchObject({ line: 1 });
});

it('[R11] prepare lists a file of unknown language with a note', async () => {
  const cwd = project({ 'src/a.ts': 'export const a = 1;\n', 'src/b.brainfuck': '++++[>++<-]' });
  const { filePaths, notes, skeletons } = await prepare({ targetPath: 'src', deep: false }, parts(cwd));
  expect(filePaths).toEqual(['src/a.ts', 'src/b.brainfuck']);
  expect(notes).toEqual({ 'src/b.brainfuck': '未知语言，未解析' });
  expect(skeletons).toHaveLength(1);
});

it('[R11] prepare fails and suggests what to do if no file has a parser; with deep it reads the files as text', async () => {
  const cwd = project({ 'b.brainfuck': '++++[>++<-]' });
  await expect(prepare({ targetPath: 'b.brainfuck', deep: false }, parts(cwd))).rejects.toThrow(
    'AST 解析失败，建议使用 --deep 模式',
  );
  const { context } = await prepare({ targetPath: 'b.brainfuck', deep: true }, parts(cwd));
  expect(context.prompt).toContain('++++[>++<-]');
});

it('[R12] prepare follows .gitignore as git does, and lists files that it skips for size or content', async () => {
  const files = {
    '.gitignore': '*.gen.ts\n!keep.gen.ts\n/only-root.ts\nbuild/\n',
    'a.ts': 'export const a = 1;\n',
    'a.gen.ts': 'export const g = 1;\n',
    'keep.gen.ts': 'export const k = 1;\n',
    'only-root.ts': 'export const r = 1;\n',
    'sub/only-root.ts': 'export const s = 1;\n',
    'build/out.ts': 'export const o = 1;\n',
    'sub/.gitignore': 'secret.ts\n',
    'sub/secret.ts': 'export const x = 1;\n',
    'big.ts': `// ${'x'.repeat(3000)}\n`,
    'blob.ts': Buffer.from([0x65, 0, 0, 1]),
  };
  const cwd = project(files);
  execFileSync('git', ['init', '-q'], { cwd });
  const { filePaths, notes } = await prepare(
    { targetPath: '.', deep: false },
    parts(cwd, { maxFileBytes: 2048 }),
  );
  const git = execFileSync('git', ['ls-files', '--others', '--cached', '--exclude-standard'], {
    cwd,
    encoding: 'utf8',
  });
  expect(filePaths).toEqual(git.trim().split('\n').sort());
  expect(notes['big.ts']).toContain('文件过大');
  expect(notes['blob.ts']).toContain('二进制文件');
});

it('[R12] prepare with deep adds function bodies', async () => {
  const cwd = project({
    'a.ts': 'export function f(): number {\n  const answer = 42;\n  return answer;\n}\n',
  });
  const shallow = await prepare({ targetPath: 'a.ts', deep: false }, parts(cwd));
  const deep = await prepare({ targetPath: 'a.ts', deep: true }, parts(cwd));
  expect(shallow.context.prompt).not.toContain('answer = 42');
  expect(deep.context.prompt).toContain('answer = 42');
  expect(deep.context.breakdown.snippets).toBeGreaterThan(0);
});

it('[R13] prepare removes snippets first and never the skeleton, whatever the token budget is', async () => {
  const body = Array.from({ length: 40 }, (_, at) => `  total += ${at} * factor;`).join('\n');
  const source = Array.from(
    { length: 30 },
    (_, at) =>
      `export function step${at}(factor: number): number {\n  let total = 0;\n${body}\n  return total;\n}\n`,
  ).join('\n');
  const cwd = project({
    'a.ts': `${source}\n// TODO: unroll\n`,
    'b.ts': "import { step1 } from './a.ts';\nstep1(1);\n",
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 100, max: 30_000 }), async (tokenBudget) => {
      const { context, skeletons } = await prepare(
        { targetPath: '.', deep: true },
        parts(cwd, { tokenBudget }),
      );
      for (const { signature } of skeletons.flatMap((each) => each.exports))
        expect(context.prompt).toContain(signature);
      const { skeleton, instructions } = context.breakdown;
      expect(context.tokenCount).toBe(Object.values(context.breakdown).reduce((sum, part) => sum + part, 0));
      expect(context.tokenCount).toBeLessThanOrEqual(Math.max(tokenBudget, skeleton + instructions));
      expect(context.truncated).toBe(context.truncatedParts.length > 0);
      if (context.truncatedParts.includes('dependencies'))
        expect(context.truncatedParts).toContain('snippets');
    }),
    { numRuns: 15 },
  );
});

it('[R14] prepare returns no secret from source text, comments or bodies', async () => {
  const key = 'AKIAIOSFODNN7EXAMPLQ';
  const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const cwd = project({
    'a.ts': `/** Use ${key} for tests. */\nexport const region = 'eu';\nexport const password = 'hunter2-Q9x';\nexport function f(t = '${token}') {\n  return 'postgres://u:pa55w0rd@host/db';\n}\n// TODO: rotate ${token}\n`,
  });
  const text = JSON.stringify(await prepare({ targetPath: 'a.ts', deep: true }, parts(cwd)));
  for (const secret of [key, token, 'hunter2-Q9x', 'pa55w0rd']) expect(text).not.toContain(secret);
  expect(text).toContain('[REDACTED:github-token]');
});

it('prepare fails with an error that names the missing target', async () => {
  const cwd = project({});
  await expect(prepare({ targetPath: 'src/nonexistent/', deep: false }, parts(cwd))).rejects.toThrow(
    '目标路径不存在: src/nonexistent/',
  );
});

it('[R82] prepare throws no_files for an empty folder, and ast_failed for files with syntax errors unless deep is set', async () => {
  const cwd = project({ 'broken.ts': '%%% )( {{{\n' });
  mkdirSync(join(cwd, 'empty'));
  const prepared = (targetPath: string, deep = false) => prepare({ targetPath, deep }, parts(cwd));
  await expect(prepared('empty')).rejects.toMatchObject({ code: 'no_files', data: { path: 'empty' } });
  await expect(prepared('empty', true)).rejects.toMatchObject({ code: 'no_files' });
  await expect(prepared('broken.ts')).rejects.toMatchObject({
    code: 'ast_failed',
    data: { broken: 1, unsupported: 0, skipped: 0 },
  });
  expect((await prepared('broken.ts', true)).context.prompt).toContain('%%% )( {{{');
});
