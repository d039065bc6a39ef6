import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { estimateTokens } from '../../../packages/base/src/text/token-estimate.ts';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import { anthropicWriter } from '../../../packages/reverse-spec/src/spec/model-writers.ts';
import {
  fails,
  fullAnswer,
  type MessagesStandIn,
  says,
  startMessagesStandIn,
  writesWell,
} from '../../support/messages-stand-in.ts';
import { parts, project } from '../../support/spec-project.ts';

let api: MessagesStandIn;
let logged: string[];

beforeEach(async () => {
  api = await startMessagesStandIn();
  logged = [];
});
afterEach(() => api.close());

const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
const source = `/** Uses ${token}. */\nexport function f(a: string): void {}\nexport const key = '${token}';\n`;

function write(options: { timeoutMs?: number; signal?: AbortSignal } = {}) {
  const cwd = project({ 'src/a.ts': source });
  const { signal, ...rest } = options;
  const modelWriter = anthropicWriter({
    apiKey: 'sk-test',
    baseUrl: api.url,
    model: 'claude-test',
    log: (line) => logged.push(line),
    ...rest,
  });
  const request = { targetPath: 'src', deep: true, outputDir: 'specs', astOnly: false };
  return generate(request, parts(cwd, { modelWriter, ...(signal && { signal }) }));
}

it('[R23] the Anthropic writer sends the API key, the model, one cacheable system prompt and a JSON schema', async () => {
  const { specPath, tokenUsage, confidence } = await write();
  const [call] = api.calls;
  expect(api.calls).toHaveLength(1);
  expect(call?.headers.authorization).toBe('Bearer sk-test');
  expect(call?.body).toMatchObject({
    model: 'claude-test',
    system: [{ cache_control: { type: 'ephemeral' } }],
    output_config: { format: { type: 'json_schema' } },
  });
  expect(estimateTokens(call?.body.system[0]?.text ?? '')).toBeGreaterThan(1024);
  expect(call?.body).not.toHaveProperty('temperature');
  const text = readFileSync(specPath, 'utf8');
  for (const sentence of Object.values(fullAnswer)) expect(text).toContain(sentence);
  expect(text).toContain('model: "claude-test"');
  expect(tokenUsage).toEqual({ input: 100, output: 20, cacheRead: 7, cacheWrite: 3 });
  expect(confidence).toBe('high');
});

it('[R14] the Anthropic writer sends no secret from the source to the API', async () => {
  await write();
  expect(JSON.stringify(api.calls)).not.toContain(token);
  expect(JSON.stringify(api.calls)).toContain('[REDACTED:github-token]');
});

it.each([429, 500, 529])('[R23] the Anthropic writer repeats a request after status %i', async (status) => {
  let failures = 2;
  api.answer((call, response) => (failures-- > 0 ? fails(status) : writesWell)(call, response));
  await expect(write()).resolves.toMatchObject({ confidence: 'high', warnings: [] });
  expect(api.calls).toHaveLength(3);
});

it.each([
  [429, 'Claude API 返回 429: 速率限制', 3],
  [500, 'Claude API 返回 500: 服务器内部错误', 3],
  [401, 'Claude API 返回 401: 认证失败', 1],
  [400, 'Claude API 返回 400: 请求无效（words of the upstream）', 1],
  [403, 'Claude API 返回 403: 没有权限', 1],
])(
  '[R23] [R0] the Anthropic writer reports the API response if every attempt ends with status %i',
  async (status, message, attempts) => {
    api.answer(fails(status));
    await expect(write()).rejects.toMatchObject({ code: 'llm_failed', message });
    expect(api.calls).toHaveLength(attempts);
  },
);

it('[R23] the Anthropic writer reports a timeout, a cancelled request and an unreachable API, each with its cause', async () => {
  api.answer(() => {});
  await expect(write({ timeoutMs: 50 })).rejects.toThrow('Claude API 请求超时');
  const cancelled = new AbortController();
  api.answer(() => cancelled.abort());
  await expect(write({ signal: cancelled.signal })).rejects.toThrow('Claude API 请求已取消');
  const { url } = api;
  await api.close();
  api = await startMessagesStandIn();
  const cwd = project({ 'a.ts': source });
  const modelWriter = anthropicWriter({
    apiKey: 'k',
    baseUrl: url,
    model: 'm',
    log: () => {},
    maxRetries: 0,
  });
  const request = { targetPath: 'a.ts', deep: false, outputDir: 'specs', astOnly: false };
  await expect(generate(request, parts(cwd, { modelWriter }))).rejects.toThrow('Claude API 无法连接');
});

const json = JSON.stringify(fullAnswer);

it.each([
  ['in a fence', `好的：\n\`\`\`json\n${json}\n\`\`\`\n希望有帮助`, 'high', []],
  ['with lists', JSON.stringify({ ...fullAnswer, constraints: ['甲', '乙'] }), 'high', []],
])('[R23] the Anthropic writer accepts a model response %s', async (...[, text, confidence, warnings]) => {
  api.answer(says(text));
  await expect(write()).resolves.toMatchObject({ confidence, warnings });
});

it('[R23] the Anthropic writer keeps the finished sections of a truncated response, and names the missing sections', async () => {
  api.answer(says(json.slice(0, json.indexOf('edgeCases') + 20), { stop_reason: 'max_tokens' }));
  const { specPath, confidence, warnings } = await write();
  expect(readFileSync(specPath, 'utf8')).toContain('模型写的 constraints。');
  expect(confidence).toBe('medium');
  expect(warnings).toEqual([
    '模型的回答被截断，以下章节仅由 AST 生成: edgeCases, technicalDebt, testCoverage, dependencies',
  ]);
});

it.each([
  ['is not JSON', '我不知道', { stop_reason: 'end_turn' }, '模型返回的内容无法解析，已降级为仅 AST 的内容'],
  ['refuses', '', { stop_reason: 'refusal', content: [] }, '模型拒绝了该请求，已降级为仅 AST 的内容'],
])(
  '[R23] generate writes from the parsed source if the model response %s',
  async (...[, text, more, warning]) => {
    api.answer(says(text, more));
    const { specPath, confidence, warnings } = await write();
    expect(readFileSync(specPath, 'utf8')).toContain('作者没有写下关于整体的说明');
    expect({ confidence, warnings }).toEqual({ confidence: 'low', warnings: [warning] });
  },
);

it.each([
  ['an empty object', 'application/json', '{}'],
  ['null', 'application/json', 'null'],
  ['no list of content', 'application/json', '{"type":"message","content":null}'],
  ['a login page', 'text/html', '<html>Sign in</html>'],
  ['half a JSON text', 'application/json', '{"id": "msg'],
])(
  '[R23] the Anthropic writer reports an HTTP 200 response that contains %s instead of a message',
  async (...[, type, body]) => {
    api.answer((_call, response) => response.writeHead(200, { 'content-type': type }).end(body));
    await expect(write()).rejects.toMatchObject({
      code: 'llm_failed',
      message: 'Claude API 返回了无法识别的响应',
    });
  },
);

it('[R1] [R20] generate fails before it calls the model if the output folder is not writable', async () => {
  const cwd = project({ 'src/a.ts': source, specs: 'a file' });
  const modelWriter = anthropicWriter({
    apiKey: 'k',
    baseUrl: api.url,
    model: 'm',
    log: () => {},
  });
  for (const outputDir of ['specs', 'specs/below']) {
    const request = { targetPath: 'src', deep: false, outputDir, astOnly: false };
    await expect(generate(request, parts(cwd, { modelWriter }))).rejects.toMatchObject({
      code: 'output_unwritable',
      message: expect.stringMatching(/^无法写入输出目录: /),
    });
  }
  expect(api.calls).toEqual([]);
});
