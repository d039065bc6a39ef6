import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { estimateTokens } from '../../../packages/base/src/text/token-estimate.ts';
import { dryRunBatch, runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import { dryRunGenerate, generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import { documentLanguages, stringsByLanguage } from '../../../packages/reverse-spec/src/spec/locales.ts';
import { anthropicWriter, openAiWriter } from '../../../packages/reverse-spec/src/spec/model-writers.ts';
import { proseSections } from '../../../packages/reverse-spec/src/spec/parts.ts';
import { readModelAnswer } from '../../../packages/reverse-spec/src/spec/writing/answer.ts';
import { readFrontMatter } from '../../../packages/reverse-spec/src/spec/writing/document/document-text.ts';
import {
  type Answering,
  fails,
  fullAnswer,
  type MessagesStandIn,
  says,
  startMessagesStandIn,
  writesWell,
} from '../../support/messages-stand-in.ts';
import { parts, project } from '../../support/spec-project.ts';

let api: MessagesStandIn;
beforeEach(async () => {
  api = await startMessagesStandIn();
});
afterEach(() => api.close());

const files = {
  'a/a.ts': 'export const a = 1;\n',
  'b/b.ts': 'export const b = 2;\n',
  'c/c.ts': 'export const c = 3;\n',
};
const request = { force: false, astOnly: false, outputDir: 'specs', concurrency: 1 };
const one = { targetPath: '.', deep: false, outputDir: 'specs', astOnly: false };

const claude = () =>
  anthropicWriter({ apiKey: 'sk-test', baseUrl: api.url, model: 'm', log: () => {}, maxRetries: 0 });
const chat = () =>
  openAiWriter({ apiKey: 'sk-chat', baseUrl: `${api.url}/v1`, model: 'local', maxRetries: 0 });

function saysChat(text: string, more: Record<string, unknown> = {}): Answering {
  const choice = { index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop', ...more };
  const usage = { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 40 } };
  return (_call, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices: [choice], usage }));
  };
}

it('[R59] property: the answer parser reads Markdown with titles in any language, at any level, in any order', () => {
  const layout = fc.record({
    order: fc.shuffledSubarray([...proseSections], { minLength: 1 }),
    language: fc.constantFrom(...documentLanguages),
    style: fc.constantFrom(
      '## T',
      '# T',
      '#### T:',
      '## 3. T',
      '## T（Section）',
      '**T**',
      '## `K`',
      '### K',
    ),
  });
  fc.assert(
    fc.property(layout, ({ order, language, style }) => {
      const text = order.map((key) => {
        const title = style.replace('T', stringsByLanguage[language].sections[key]).replace('K', key);
        return `${title}\n\nWords about ${key}.\n\n### A sub-heading\n\n- more`;
      });
      const prose = readModelAnswer(`Here you are:\n\n${text.join('\n\n')}\n`);
      expect(Object.keys(prose).sort()).toEqual([...order].sort());
      for (const key of order)
        expect(prose[key]).toMatch(new RegExp(`^Words about ${key}\\.[\\s\\S]*- more$`));
    }),
  );
});

it.each([
  ['JSON', JSON.stringify(fullAnswer)],
  ['JSON in a fence', `\`\`\`json\n${JSON.stringify(fullAnswer)}\n\`\`\``],
  [
    'Markdown',
    proseSections.map((key) => `## ${stringsByLanguage.zh.sections[key]}\n\n${fullAnswer[key]}`).join('\n\n'),
  ],
])('[R59] generate uses every section of a model response in the format %s', async (_, text) => {
  api.answer(says(text));
  const cwd = project(files);
  const { specPath, warnings } = await generate(one, parts(cwd, { modelWriter: claude() }));
  const document = readFileSync(specPath, 'utf8');
  for (const sentence of Object.values(fullAnswer)) expect(document).toContain(sentence);
  expect(warnings).toEqual([]);
});

it('[R59] generate fills missing sections from the parsed source, names these sections, and keeps text of unknown form', async () => {
  api.answer(says('## 意图\n\nCounts.\n\n## 约束条件\n\nNone.\n'));
  const { warnings } = await generate(one, parts(project(files), { modelWriter: claude() }));
  expect(warnings).toEqual([
    '模型的回答不完整，以下章节仅由 AST 生成: businessLogic, dataStructures, edgeCases, technicalDebt, testCoverage, dependencies',
  ]);
  const words = 'This module counts things. '.repeat(5).trim();
  expect(readModelAnswer(words)).toEqual({ intent: words });
});

it('[R60] batch writes a module from the parsed source if the model fails, counts such modules, and asks the model in the next run', async () => {
  api.answer((call, response) =>
    (call.body.messages[0]?.content.includes('# 目标: b') ? fails(500) : writesWell)(call, response),
  );
  const cwd = project(files);
  const first = await runBatch(request, parts(cwd, { modelWriter: claude() }));
  expect(first).toMatchObject({ successful: 2, degraded: 1, failed: 0 });
  const document = readFileSync(join(cwd, 'specs/b.spec.md'), 'utf8');
  expect(document).toContain('export const b = 2');
  expect(readFrontMatter(document).degraded).toBe('true');
  api.answer(writesWell);
  const second = await runBatch(request, parts(cwd, { modelWriter: claude() }));
  expect(second).toMatchObject({
    successful: 1,
    skipped: 2,
    renewed: [{ target: 'b', reasons: ['degraded'] }],
  });
  expect(readFileSync(join(cwd, 'specs/b.spec.md'), 'utf8')).toContain('模型写的 intent。');
});

it('[R60] generate keeps prose that was already paid for if the model fails later', async () => {
  const cwd = project(files);
  await runBatch(request, parts(cwd, { modelWriter: claude() }));
  api.answer(fails(500));
  const again = await runBatch({ ...request, force: true }, parts(cwd, { modelWriter: claude() }));
  expect(again).toMatchObject({ failed: 3, degraded: 0 });
  expect(readFileSync(join(cwd, 'specs/a.spec.md'), 'utf8')).toContain('模型写的 intent。');
});

it('[R61] the writer for OpenAI-compatible endpoints sends requests in their format', async () => {
  api.answer(saysChat(JSON.stringify(fullAnswer)));
  const cwd = project(files);
  const { specPath, tokenUsage, confidence } = await generate(one, parts(cwd, { modelWriter: chat() }));
  const body = api.calls[0]?.body as unknown as { model: string; messages: { role: string }[] };
  expect(api.calls[0]?.headers.authorization).toBe('Bearer sk-chat');
  expect(body.model).toBe('local');
  expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(tokenUsage).toEqual({ input: 60, output: 20, cacheRead: 40, cacheWrite: 0 });
  expect(confidence).toBe('high');
  expect(readFileSync(specPath, 'utf8')).toContain('model: "local"');
});

it.each([
  [401, '模型服务 返回 401: 认证失败'],
  [429, '模型服务 返回 429: 速率限制'],
  [400, '模型服务 返回 400: 请求无效（words of the upstream）'],
])(
  '[R61] the writer for OpenAI-compatible endpoints reports status %i as the Anthropic writer does',
  async (status, message) => {
    api.answer(fails(status));
    await expect(generate(one, parts(project(files), { modelWriter: chat() }))).rejects.toMatchObject({
      code: 'llm_failed',
      message,
    });
  },
);

const large = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [
    `p${at % 3}/m${at}.ts`,
    Array.from(
      { length: 40 },
      (__, n) => `/** Does ${n}. */\nexport function f${at}x${n}(value: string): number;\n`,
    ).join(''),
  ]),
);

it('[R62] generate splits a large module so that no prompt exceeds the token budget, and loses no export', async () => {
  const cwd = project(large);
  const tokenBudget = 2_000;
  const { warnings, specPath } = await generate(one, parts(cwd, { modelWriter: claude(), tokenBudget }));
  const prompts = api.calls.map(({ body }) => body.messages[0]?.content ?? '');
  expect(prompts.length).toBeGreaterThan(3);
  for (const prompt of prompts) expect(estimateTokens(prompt)).toBeLessThanOrEqual(tokenBudget);
  const sent = prompts.join('\n');
  for (let at = 0; at < 12; at += 1) expect(sent).toContain(`f${at}x39(`);
  expect(warnings.join()).toContain(`已分为 ${prompts.length} 次调用`);
  expect(readFileSync(specPath, 'utf8').match(/模型写的 intent。/g)).toHaveLength(prompts.length);
});

it('[R62] batch with --dry-run reports calls, tokens and price, and costs nothing', async () => {
  const cwd = project(large);
  const own = parts(cwd, { modelWriter: claude(), tokenBudget: 2_000, price: { input: 3, output: 15 } });
  const plan = await dryRunGenerate(one, own);
  expect(api.calls).toEqual([]);
  await generate(one, own);
  expect(plan.modelCalls).toBe(api.calls.length);
  expect(plan.price).toBeCloseTo((plan.inputTokens * 3 + plan.outputTokens * 15) / 1e6, 10);
  const { price: _, ...unpriced } = own;
  expect((await dryRunBatch(request, unpriced)).price).toBeNull();
});

it('[R62] batch stops before it exceeds --max-cost, and refuses --max-cost for a model without a known price', async () => {
  const cwd = project(files);
  const priced = { modelWriter: claude(), price: { input: 10_000, output: 0 } };
  const { modules } = await dryRunBatch(request, parts(cwd, priced));
  const [{ inputTokens } = { inputTokens: 0 }] = modules;
  const each = (inputTokens * 10_000) / 1e6;
  const usage = { input_tokens: inputTokens, output_tokens: 1 };
  api.answer(says(JSON.stringify(fullAnswer), { usage }));
  const result = await runBatch({ ...request, maxCost: each * 1.5 }, parts(cwd, priced));
  expect(api.calls).toHaveLength(1);
  expect(result).toMatchObject({ successful: 1, unaffordable: 2, failed: 0 });
  await expect(
    runBatch({ ...request, maxCost: 1 }, parts(cwd, { modelWriter: claude() })),
  ).rejects.toMatchObject({ code: 'no_price' });
});

const saysCredit: Answering = (_call, response) => {
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Your credit balance is too low' },
    }),
  );
};

it.each([
  ['401', fails(401), 'Claude API 返回 401: 认证失败'],
  ['403', fails(403), 'Claude API 返回 403: 没有权限'],
  ['a bill', saysCredit, 'Claude API 返回 400: 余额不足（Your credit balance is too low）'],
])('[R62] batch stops immediately if the API responds with %s', async (_, answer, message) => {
  api.answer(answer);
  const cwd = project(files);
  await expect(runBatch(request, parts(cwd, { modelWriter: claude() }))).rejects.toMatchObject({ message });
  expect(api.calls).toHaveLength(1);
});

it('[R62] batch begins every model call with the same cacheable text, in the language of the documents', async () => {
  await runBatch(request, parts(project(files), { modelWriter: claude(), language: 'fr' }));
  const systems = new Set(api.calls.map(({ body }) => JSON.stringify(body.system)));
  expect(systems.size).toBe(1);
  expect([...systems][0]).toContain('français');
});
