import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import type { SpecWriter } from '../../../packages/reverse-spec/src/spec/parts.ts';
import { prepare } from '../../../packages/reverse-spec/src/spec/prepare.ts';
import {
  readBaselineOf,
  readEmbeddedBaseline,
} from '../../../packages/reverse-spec/src/spec/writing/document/baseline.ts';
import { readFrontMatter } from '../../../packages/reverse-spec/src/spec/writing/document/document-text.ts';
import { specFileName } from '../../../packages/reverse-spec/src/spec/writing/save-spec.ts';
import { parts, project, write } from '../../support/spec-project.ts';

const request = { targetPath: 'src', deep: false, outputDir: 'specs', astOnly: true };

const files = {
  'src/index.ts': `/** Everything about tickets. */\nimport { take } from './queue.ts';\nimport { join } from 'node:path';\nexport * from './queue.ts';\nexport const home = join('a', 'b');\ntake([]);\n`,
  'src/queue.ts': `/** Takes the oldest ticket. Throws when the queue is closed. The caller must hold the lock. */\nexport function take(queue: string[], now = 0): string | undefined {\n  // TODO(perf): use a ring buffer\n  return queue[now];\n}\nexport interface Ticket { id: string }\n`,
  'src/queue.test.ts': `import { take } from './queue.ts';\ntake(['a']);\n`,
};

const sections = [
  '意图',
  '接口定义',
  '业务逻辑',
  '数据结构',
  '约束条件',
  '边界条件',
  '技术债务',
  '测试覆盖',
  '依赖关系',
];

it('[R20] generate writes front matter, nine sections, a diagram, a file list and the baseline', async () => {
  const cwd = project(files);
  const { specPath } = await generate(request, parts(cwd));
  const text = readFileSync(specPath, 'utf8');
  expect(specPath).toBe(join(cwd, 'specs', 'src.spec.md'));
  expect(text.match(/^## .*$/gm)).toEqual(sections.map((title) => `## ${title}`));
  expect(readFrontMatter(text)).toMatchObject({
    type: 'module-spec',
    version: 'v1',
    sourceTarget: 'src',
    lastUpdated: '2023-11-14T22:13:20.000Z',
    confidence: 'low',
    model: 'ast-only',
  });
  expect(text).toMatch(/^skeletonHash: [0-9a-f]{64}$/m);
  expect(text).toContain('relatedFiles:\n  - "src/index.ts"\n  - "src/queue.ts"\n');
  expect(text).toContain('tokenUsage:\n  input: 0');
  expect(text).toContain('```mermaid\ngraph LR\n  n0["index.ts"]\n  n1["queue.ts"]\n  n0 --> n1\n```');
  expect(text).toContain('### 文件清单');
  expect(await readBaselineOf(specPath, text)).toMatchObject({
    kind: 'read',
    baseline: { scope: 'tree', files: [{ path: 'index.ts' }, { path: 'queue.ts' }] },
  });
});

it('[R20] generate increases the version of a document that it rewrites', async () => {
  const cwd = project(files);
  for (const version of ['v1', 'v2', 'v3']) {
    const { specPath } = await generate(request, parts(cwd));
    expect(readFrontMatter(readFileSync(specPath, 'utf8')).version).toBe(version);
  }
});

it.each([
  ['version: v1', 'version: v7', 'v8'],
  ['version: v1', 'version: 7', 'v8'],
  ['version: v1', 'version: "v7" ', 'v8'],
  ['version: v1', 'version: v7 # by hand', 'v8'],
  ['---\ntype', '\ufeff---\ntype', 'v2'],
  ['version: v1', 'version: soon', 'v2'],
])('[R20] generate increases a version number that a user edited: %j to %j', async (found, written, next) => {
  const cwd = project(files);
  const { specPath } = await generate(request, parts(cwd));
  writeFileSync(specPath, readFileSync(specPath, 'utf8').replace(found, written));
  await generate(request, parts(cwd));
  expect(readFrontMatter(readFileSync(specPath, 'utf8')).version).toBe(next);
});

it('[R20] generate leaves no file except the document and its baseline', async () => {
  const cwd = project(files);
  await Promise.all(Array.from({ length: 5 }, () => generate(request, parts(cwd))));
  expect(readdirSync(join(cwd, 'specs'))).toEqual(['.baseline', 'src.spec.md']);
  expect(readdirSync(join(cwd, 'specs/.baseline'))).toEqual(['src.json']);
});

it('[R20] specFileName returns different file names for different targets', () => {
  expect(specFileName('src/auth')).toBe('src+auth.spec.md');
  expect(specFileName('_index')).not.toBe('_index.spec.md');
  const segment = fc.string({
    unit: fc.constantFrom('a', 'b', '+', '%', '2', 'B', '-', '_', '.', ':'),
    minLength: 1,
    maxLength: 6,
  });
  const label = fc.array(segment, { minLength: 1, maxLength: 4 }).map((list) => list.join('/'));
  for (const [one, other] of [
    ['a+b', 'a/b'],
    ['a%2Bb', 'a+b'],
    ['a%b', 'a/b'],
    ['_root', '.'],
  ] as const)
    expect(specFileName(one)).not.toBe(specFileName(other));
  fc.assert(
    fc.property(label, label, (one, other) => {
      expect(specFileName(one) === specFileName(other)).toBe(one === other);
      expect(specFileName(one)).not.toContain('/');
      expect(specFileName(one)).not.toBe('_index.spec.md');
    }),
    { numRuns: 2000 },
  );
  const long = (end: string) => `${'deep/'.repeat(80)}${end}`;
  expect(specFileName(long('a.ts'))).not.toBe(specFileName(`x/${long('a.ts')}`));
  expect(specFileName(long('a.ts')).length).toBeLessThan(255);
});

it('[R20] the baseline is readable even if the source contains comment ends, fences or forged baselines', async () => {
  const nasty = [
    '-->',
    '<!--',
    '```',
    '~~~',
    '<!-- reverse-spec:baseline format=1',
    '---',
    '## 意图',
    '|',
    '\\',
    '\u2028',
    `$${'{x}'}`,
  ];
  await fc.assert(
    // At most as many words as a value in a signature may have.
    fc.asyncProperty(fc.array(fc.constantFrom(...nasty), { minLength: 1, maxLength: 4 }), async (words) => {
      const comment = words.join(' ').replace(/\*\//g, '');
      const cwd = project({
        'a.ts': `/**\n * ${comment}\n * ${words[0]}\n */\nexport const a = ${JSON.stringify(comment)};\n// TODO ${comment}\n`,
      });
      const embedded = parts(cwd, { embedBaseline: true });
      const { specPath } = await generate({ ...request, targetPath: 'a.ts' }, embedded);
      const text = readFileSync(specPath, 'utf8');
      const reading = readEmbeddedBaseline(text);
      expect(reading.kind === 'read' && reading.baseline.files[0]?.exports[0]?.signature).toBe(
        `export const a = ${JSON.stringify(comment)}`,
      );
      expect(text.match(/^## .*$/gm)).toEqual(sections.map((title) => `## ${title}`));
    }),
    { numRuns: 25 },
  );
});

it('[R21] generate returns the path, the tokens, the confidence and the warnings', async () => {
  const cwd = project({ ...files, 'src/data.xyz': '?', 'src/bad.ts': 'export const = 1;' });
  expect(await generate(request, parts(cwd))).toEqual({
    specPath: join(cwd, 'specs', 'src.spec.md'),
    tokenUsage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    confidence: 'low',
    warnings: ['1 个文件有语法错误，只提取了可识别的部分', '1 个文件未解析，见文件清单'],
  });
});

it('[R22] generate writes the section Interface from the parser result, whatever a model writes', async () => {
  const liar: SpecWriter = {
    model: 'liar',
    write: async () => ({
      prose: {
        intent: '## 接口定义\n\nexport function invented(): void\n\n```\nnot closed <!-- hidden',
        businessLogic: 'x\n===\ny',
        constraints: 'a\r## 意图\u2028## 接口定义',
        edgeCases: '<details>\n- <!DOCTYPE\n1. <?php\n`Promise<void>` and Map<string, b>',
      },
      tokenUsage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
      confidence: 'high',
      warnings: [],
      degraded: false,
    }),
  };
  const cwd = project(files);
  const { specPath } = await generate({ ...request, astOnly: false }, parts(cwd, { modelWriter: liar }));
  const text = readFileSync(specPath, 'utf8');
  const interfaces = text.slice(text.indexOf('\n## 接口定义'), text.indexOf('\n## 业务逻辑'));
  expect(interfaces).toContain('export function take(queue: string[], now = 0): string | undefined');
  expect(interfaces).not.toContain('invented');
  expect(text.match(/^## .*$/gm)).toEqual(sections.map((title) => `## ${title}`));
  expect(text).not.toMatch(/[\r\u2028]/);
  expect(text).toContain('&lt;details>\n- &lt;!DOCTYPE\n1. &lt;?php\n`Promise<void>` and Map<string, b>');
  expect((await readBaselineOf(specPath, text)).kind).toBe('read');
});

it('[R24] generate without an API key and without astOnly fails before it reads a file', async () => {
  const cwd = project(files);
  await expect(generate({ ...request, astOnly: false }, parts(cwd))).rejects.toMatchObject({
    message: '未检测到 ANTHROPIC_API_KEY',
    hint: expect.stringContaining('astOnly'),
  });
});

it('[R24] generate with astOnly lists signatures, imports, markers such as TODO and tests', async () => {
  const cwd = project(files);
  const { specPath, confidence } = await generate(request, parts(cwd));
  const text = readFileSync(specPath, 'utf8');
  expect(confidence).toBe('low');
  expect(text).toContain('Everything about tickets. (`src/index.ts`)');
  expect(text).toContain(
    '路径相对于 `src/`。\n\n| 文件 | 模块内依赖 | 项目内依赖 |\n| --- | --- | --- |\n| `index.ts` | `queue.ts` |  |',
  );
  expect(text).toContain('| `node:path` | `index.ts` |');
  expect(text).toContain('| TODO | use a ring buffer | [src/queue.ts#L3](<../src/queue.ts#L3>) |');
  expect(text).toContain('| `take` | `src/queue.ts` | [src/queue.test.ts#L2](<../src/queue.test.ts#L2>) |');
  expect(text).toContain('未在测试中找到使用：');
});

it('[R14] generate writes no secret into the spec or its baseline', async () => {
  const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const cwd = project({ 'a.ts': `/** ${token} */\nexport const a = '${token}';\n// FIXME ${token}\n` });
  const { specPath } = await generate({ ...request, targetPath: 'a.ts' }, parts(cwd));
  const text = readFileSync(specPath, 'utf8');
  expect(text + JSON.stringify(await readBaselineOf(specPath, text))).not.toContain(token);
});

it('[R14] [X10] generate omits a file whose name is a token, and reports this without the token', async () => {
  const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const cwd = project({
    'src/a.ts': `export { b } from './${token}.ts';\n`,
    [`src/${token}.ts`]: 'export const b = 1;\n',
  });
  const prepared = await prepare({ targetPath: 'src/', deep: true }, parts(cwd));
  expect(JSON.stringify(prepared)).not.toContain(token);
  expect(JSON.stringify(prepared)).toContain('src/[REDACTED:github-token].ts');
  const { specPath } = await generate({ ...request, targetPath: 'src/' }, parts(cwd));
  const text = readFileSync(specPath, 'utf8');
  expect(text).toContain('src/a.ts');
  expect(text + JSON.stringify(await readBaselineOf(specPath, text))).not.toContain(token);
});

it('generate does not describe a test file in the target folder as a part of the target', async () => {
  const cwd = project(files);
  write(cwd, { 'src/queue.test.ts': 'export const fixture = 1;\n' });
  const { specPath } = await generate(request, parts(cwd));
  expect(readFileSync(specPath, 'utf8')).not.toContain('fixture');
});
