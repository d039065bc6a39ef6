import { afterEach, expect, it } from 'vitest';
import { fails, startMessagesStandIn } from '../support/messages-stand-in.ts';
import { type ReverseSpecProcess, startReverseSpec } from '../support/reverse-spec-process.ts';
import { seedBlocks } from '../support/seed-blocks.ts';
import { project } from '../support/spec-project.ts';

const printed = seedBlocks('reverse-spec');
const FILES = {
  'src/auth/login.ts': 'export function login(user: string): boolean {\n  return user !== "";\n}\n',
};

const running: ReverseSpecProcess[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.end();
});

function start(files: Record<string, string> = FILES, env: Record<string, string> = {}): ReverseSpecProcess {
  const server = startReverseSpec(project(files), env);
  running.push(server);
  return server;
}

/** Sends a printed request on standard input, one message per line as stdio demands; the answer as it comes back. */
async function send(server: ReverseSpecProcess, heading: string): Promise<Record<string, unknown>> {
  const line = JSON.stringify(JSON.parse(printed(heading)));
  const answered = new Promise<string>((resolve) => {
    let text = '';
    server.child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.endsWith('\n')) resolve(text);
    });
  });
  server.child.stdin.write(`${line}\n`);
  return JSON.parse(await answered);
}

it('[R0] [R82] §3.1 initialize returns the response printed in the specification', async () => {
  expect(await send(start(), '3.1 request')).toEqual(JSON.parse(printed('3.1 response')));
});

it('[R0] §3.2 tools/list returns the printed tools, with the schemas of §2', async () => {
  const { id, result } = await send(start(), '3.2 request');
  const shown = JSON.parse(printed('3.2 response').replaceAll('{ ... }', '{}'));
  const { tools } = result as { tools: { name: string; inputSchema: { required: string[] } }[] };
  expect({ jsonrpc: '2.0', id, result }).toMatchObject(shown);
  expect(tools).toHaveLength(shown.result.tools.length);
  for (const { name, inputSchema } of tools) {
    const schema = JSON.parse(printed(`2 inputSchema of ${name}`));
    expect(inputSchema).toMatchObject(schema);
    expect(inputSchema.required).toEqual(schema.required);
  }
});

it('[R10] [R67] §3.3 prepare returns one text block: the JSON of skeletons, mergedSkeleton, context and filePaths', async () => {
  const answer = await send(start(), '3.3 request');
  expect(answer).toEqual({
    jsonrpc: '2.0',
    id: 3,
    result: { content: [{ type: 'text', text: expect.any(String) }] },
  });
  const { content } = answer.result as { content: { text: string }[] };
  const prepared = JSON.parse(content[0]?.text ?? '');
  expect(prepared).toMatchObject({
    skeletons: [{ filePath: 'src/auth/login.ts', exports: [{ name: 'login', kind: 'function' }] }],
    mergedSkeleton: { exports: [{ name: 'login', filePath: 'src/auth/login.ts' }] },
    context: { prompt: expect.stringContaining('return user !== ""'), tokenCount: expect.any(Number) },
    filePaths: ['src/auth/login.ts'],
  });
});

it.each([
  ['目标路径不存在: src/nonexistent/', { targetPath: 'src/nonexistent/' }],
  ['AST 解析失败，建议使用 --deep 模式', { targetPath: 'broken.ts' }],
  ['未检测到 ANTHROPIC_API_KEY', { targetPath: 'src' }],
])('[R82] §4 a tool returns the error "%s" as one block with isError', async (detail, args) => {
  const tool = detail.includes('KEY') ? 'generate' : 'prepare';
  const server = start({ ...FILES, 'broken.ts': '%%% )( {{{\n' });
  const { content, isError } = await server.tool(tool, args);
  expect(isError).toBe(true);
  expect(content).toHaveLength(1);
  expect(content[0]?.text.split('\n')[0]).toBe(`${tool} 失败: ${detail}`);
});

it('[R23] [R82] §4 generate returns a refusal of the model service as one block with its status', async () => {
  const api = await startMessagesStandIn();
  try {
    api.answer(fails(429));
    const server = start(FILES, { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: api.url });
    expect(await server.tool('generate', { targetPath: 'src' })).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'generate 失败: Claude API 返回 429: 速率限制' }],
    });
  } finally {
    await api.close();
  }
});
