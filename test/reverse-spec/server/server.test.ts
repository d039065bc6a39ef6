import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { fails, startMessagesStandIn } from '../../support/messages-stand-in.ts';
import { type ReverseSpecProcess, startReverseSpec } from '../../support/reverse-spec-process.ts';
import { project } from '../../support/spec-project.ts';

const files = { 'src/auth/login.ts': 'export function login(user: string): boolean { return true; }\n' };
const running: ReverseSpecProcess[] = [];

function start(cwd: string, env: Record<string, string> = {}): ReverseSpecProcess {
  const server = startReverseSpec(cwd, env);
  running.push(server);
  return server;
}

afterEach(async () => {
  for (const server of running.splice(0)) await server.end();
});

it('[R0] [R82] the server answers initialize with version 2.0.0 and lists the four tools as the contract describes them', async () => {
  const server = start(project(files));
  const { result } = await server.call('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'claude-code', version: '1.0.0' },
  });
  expect(result).toEqual({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: false } },
    serverInfo: { name: 'reverse-spec', version: '2.0.0' },
  });
  const list = await server.call('tools/list');
  const tools = (list.result?.tools ?? []) as { name: string; description: string }[];
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ['prepare', 'AST 预处理 + 上下文组装'],
    ['generate', '完整 Spec 生成流水线'],
    ['batch', '批量 Spec 生成'],
    ['diff', 'Spec 漂移检测'],
  ]);
  expect(tools).toMatchObject([
    {
      inputSchema: {
        type: 'object',
        properties: {
          targetPath: { type: 'string', description: '目标文件或目录路径（绝对或相对于 cwd）' },
          deep: { type: 'boolean', description: '深度分析模式（包含函数体）', default: false },
          format: { anyOf: [{ const: 'json' }, { const: 'markdown' }], default: 'json' },
        },
        required: ['targetPath'],
      },
    },
    {
      inputSchema: {
        properties: {
          targetPath: { description: '目标文件或目录路径' },
          deep: { description: '深度分析模式', default: false },
          outputDir: { type: 'string', description: '输出目录', default: 'specs' },
          astOnly: { type: 'boolean', default: false },
        },
        required: ['targetPath'],
      },
    },
    {
      inputSchema: {
        properties: {
          projectRoot: { type: 'string', description: '项目根目录（默认为当前工作目录）' },
          force: { type: 'boolean', description: '强制重新生成所有 spec', default: false },
        },
        required: [],
      },
    },
    {
      inputSchema: {
        properties: {
          specPath: { description: 'Spec 文件路径（.spec.md）' },
          sourcePath: { description: '源代码文件或目录路径' },
        },
        required: ['specPath', 'sourcePath'],
      },
    },
  ]);
});

it('[R0] [R21] [R67] each of the four tools returns its result as JSON text in one content block', async () => {
  const cwd = project(files);
  const server = start(cwd);
  const json = async (name: string, args: Record<string, unknown>) => {
    const answer = await server.tool(name, args);
    expect(answer.isError).toBeUndefined();
    expect(answer.content).toHaveLength(1);
    return JSON.parse(answer.content[0]?.text ?? '');
  };
  const prepared = await json('prepare', { targetPath: 'src/auth/', deep: true });
  expect(Object.keys(prepared)).toEqual(['skeletons', 'mergedSkeleton', 'context', 'filePaths', 'notes']);
  const generated = await json('generate', { targetPath: 'src/auth/', astOnly: true });
  expect(Object.keys(generated)).toEqual(['specPath', 'tokenUsage', 'confidence', 'warnings']);
  expect(existsSync(generated.specPath)).toBe(true);
  const batch = await json('batch', { astOnly: true });
  expect(batch).toMatchObject({ totalModules: 1, successful: 1, skipped: 0, indexGenerated: true });
  const drift = await json('diff', { specPath: generated.specPath, sourcePath: 'src/auth' });
  expect(drift).toMatchObject({ summary: { totalChanges: 0 }, items: [], specVersion: 'v1' });
});

it('[R67] the prepare tool returns pages of Markdown on request; a cursor requests the next page', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `src/f${at}.ts`,
      `export function f${at}(value: string): void {}\n`,
    ]),
  );
  const server = start(project(many));
  const page = async (args: Record<string, unknown>) => {
    const { content } = await server.tool('prepare', { targetPath: 'src', maxTokens: 200, ...args });
    expect(content).toHaveLength(2);
    return { text: content[0]?.text ?? '', about: JSON.parse(content[1]?.text ?? '') };
  };
  const first = await page({ format: 'markdown' });
  expect(first.text).toContain('export function f0(value: string): void');
  expect(first.about).toMatchObject({ target: 'src', files: 12, nextCursor: expect.any(String) });
  const second = await page({ cursor: first.about.nextCursor });
  expect(second.about.lines.from).toBe(first.about.lines.to + 1);
});

it('[R1] [R82] each failing tool returns one content block that names the tool and the cause', async () => {
  const cwd = project({ ...files, 'a.unknown': 'x' });
  const server = start(cwd);
  const failure = failuresOf(server);
  expect(await failure('prepare', { targetPath: 'src/nonexistent/' })).toBe(
    'prepare 失败: 目标路径不存在: src/nonexistent/',
  );
  expect(await failure('generate', { targetPath: 'src' })).toMatch(
    /^generate 失败: 未检测到 ANTHROPIC_API_KEY\n/,
  );
  expect(await failure('batch', {})).toMatch(/^batch 失败: 未检测到 ANTHROPIC_API_KEY\n/);
  expect(await failure('batch', { projectRoot: 'nowhere' })).toBe('batch 失败: 目标路径不存在: nowhere');
  expect(await failure('diff', { specPath: 'no.spec.md', sourcePath: 'src' })).toMatch(
    /^diff 失败: spec 文件不存在/,
  );
  expect(
    await failure('generate', { targetPath: 'src/auth', astOnly: true, outputDir: 'a.unknown' }),
  ).toMatch(/^generate 失败: /);
  expect((await server.call('ping')).result).toEqual({});
});

it('[R82] the server reports each wrong argument in Chinese, with its name and the expected value', async () => {
  const failure = failuresOf(start(project(files)));
  expect(await failure('prepare', {})).toBe('prepare 失败: 参数无效: targetPath 缺失（必须是字符串）');
  expect(await failure('diff', { specPath: 1, sourcePath: [] })).toBe(
    'diff 失败: 参数无效: specPath 必须是字符串；sourcePath 必须是字符串',
  );
  expect(await failure('prepare', { targetPath: 'src', deep: 'yes', maxTokens: 1, format: 'xml' })).toBe(
    'prepare 失败: 参数无效: deep 必须是布尔值；maxTokens 必须是 200 到 1000000 的整数；format 必须是以下之一: json、markdown',
  );
  expect(await failure('generate', { lang: 'en' })).toBe(
    'generate failed: invalid arguments: targetPath is missing (a string)',
  );
});

const FALLBACK = 'prepare 失败: AST 解析失败，建议使用 --deep 模式';

it('[R82] prepare returns different errors for an empty folder, files without a parser and files with syntax errors', async () => {
  const cwd = project({
    ...files,
    'unknown/a.unknown': 'x',
    'unknown/b.unknown': 'y',
    'broken/a.ts': '%%% )( === {{{ ]]\n',
    'partly/a.ts': 'export const good = 1;\nexport function (((\n',
  });
  mkdirSync(join(cwd, 'empty'));
  const server = start(cwd);
  const failure = failuresOf(server);
  expect(await failure('prepare', { targetPath: 'empty' })).toBe(
    'prepare 失败: 目标路径下没有可分析的文件: empty',
  );
  expect(await failure('prepare', { targetPath: 'unknown' })).toBe(
    `${FALLBACK}\n原因: 2 个文件的语言不受支持。`,
  );
  for (const targetPath of ['broken', 'broken/a.ts'])
    expect(await failure('prepare', { targetPath })).toBe(`${FALLBACK}\n原因: 1 个文件只有语法错误。`);
  expect(await failure('generate', { targetPath: 'broken', astOnly: true })).toContain(
    'generate 失败: AST 解析失败，建议使用 --deep 模式',
  );
  const deep = await server.tool('prepare', { targetPath: 'broken', deep: true });
  expect(JSON.parse(deep.content[0]?.text ?? '').context.prompt).toContain('%%% )( === {{{ ]]');
  const partly = await server.tool('prepare', { targetPath: 'partly' });
  expect(partly.isError).toBeUndefined();
});

it('[R24] [R82] the generate tool reports a missing API key in one block that names the setting', async () => {
  const failure = failuresOf(start(project(files)));
  expect(await failure('generate', { targetPath: 'src' })).toContain('astOnly: true');
});

function failuresOf(server: ReverseSpecProcess) {
  return async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await server.tool(name, args);
    expect(isError).toBe(true);
    expect(content).toHaveLength(1);
    return content[0]?.text;
  };
}

it('[R0] the server uses API key and address of its parent process; an error contains the upstream status', async () => {
  const api = await startMessagesStandIn();
  try {
    const env = {
      ANTHROPIC_API_KEY: 'sk-parent',
      ANTHROPIC_BASE_URL: api.url,
      REVERSE_SPEC_MODEL: 'claude-from-env',
    };
    const server = start(project(files), env);
    const good = await server.tool('generate', { targetPath: 'src' });
    expect(JSON.parse(good.content[0]?.text ?? '')).toMatchObject({ confidence: 'high' });
    expect(api.calls[0]?.headers.authorization).toBe('Bearer sk-parent');
    expect(api.calls[0]?.body.model).toBe('claude-from-env');
    api.answer(fails(429));
    const bad = await server.tool('generate', { targetPath: 'src' });
    expect(bad).toMatchObject({
      isError: true,
      content: [{ text: 'generate 失败: Claude API 返回 429: 速率限制' }],
    });
  } finally {
    await api.close();
  }
});

it('[R2] [R79] a client that sends a progress token gets notifications from the first file to the last module', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`m${at}/a.ts`, `export const a${at} = 1;\n`]),
  );
  const server = start(project(many), { REVERSE_SPEC_GRANULARITY: 'folder' });
  await server.tool('batch', { astOnly: true }, { progressToken: 'p1' });
  await server.tool('batch', { astOnly: true, force: true });
  const steps = server.notifications.map(({ method, params }) => ({ method, ...params }));
  expect(steps.length).toBeGreaterThan(0);
  for (const step of steps)
    expect(step).toMatchObject({ method: 'notifications/progress', progressToken: 'p1' });
  expect(steps.at(0)).toMatchObject({ progress: 0, message: '扫描' });
  expect(steps.at(-1)).toMatchObject({ message: expect.stringMatching(/^已撰写 12\/12 个模块: m\d+$/) });
  const counts = steps.map((step) => (step as unknown as { progress: number }).progress);
  expect(counts).toEqual([...counts].sort((one, other) => one - other));
});

it('[R1] the server does not mix the results of two concurrent calls', async () => {
  const cwd = project({ 'a/a.ts': 'export const a = 1;\n', 'b/b.ts': 'export const b = 1;\n' });
  const server = start(cwd);
  const names = async (target: string) => {
    const { content } = await server.tool('prepare', { targetPath: target });
    return JSON.parse(content[0]?.text ?? '').skeletons[0].exports[0].name;
  };
  const answers = await Promise.all(['a', 'b', 'a', 'b'].map(names));
  expect(answers).toEqual(['a', 'b', 'a', 'b']);
  expect(existsSync(join(cwd, 'specs'))).toBe(false);
});

it('[R56] tools report failures in Chinese under any locale, but in another language if a call requests it', async () => {
  const server = start(project(files), { LANG: 'fr_FR.UTF-8' });
  const said = async (args: Record<string, unknown>) =>
    (await server.tool('generate', args)).content[0]?.text;
  const target = { targetPath: 'nowhere', astOnly: true };
  expect(await said(target)).toBe('generate 失败: 目标路径不存在: nowhere');
  expect(await said({ ...target, lang: 'en' })).toBe('generate failed: target does not exist: nowhere');
  expect(await said({ ...target, lang: 'fr' })).toBe("échec de generate : la cible n'existe pas : nowhere");
});
