import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postJson, type RunningPruner, runPruner } from './running-pruner.ts';

let server: RunningPruner;
beforeAll(async () => {
  server = await runPruner();
});
afterAll(() => server.close());

const body = (name: string) =>
  Array.from({ length: 20 }, (_, index) => `    ${name}_${index} = compute(${index}, "padding")`);
const code = [
  'import time',
  '',
  'def parse_yaml(path):',
  ...body('yaml'),
  '',
  'def retry(policy):',
  '    policy.attempts += 1',
  ...body('wait'),
].join('\n');

async function prune(request: unknown): Promise<{ status: number; answer: Record<string, unknown> }> {
  const response = await postJson(`${server.url}/prune`, request);
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

describe('[P8] POST /prune for the focus tools', () => {
  const request = {
    request_id: 'r1',
    tool: 'read',
    focus_question: 'how are retry attempts counted',
    input: code,
    input_bytes: code.length,
  };

  it('POST /prune returns the pruned text and its size', async () => {
    const { status, answer } = await prune(request);
    expect(status).toBe(200);
    expect(Object.keys(answer)).toEqual(['output', 'output_bytes']);
    expect(answer.output).toContain('policy.attempts += 1');
    expect(answer.output).toContain('⟦PRUNÉ: ');
    expect(answer.output_bytes).toBe(Buffer.byteLength(answer.output as string));
    expect(answer.output_bytes).toBeLessThan(code.length);
  });

  it('POST /prune limits the text to max_output_bytes without splitting a character', async () => {
    const input = `${code}\n${'é'.repeat(3000)}`;
    const { answer } = await prune({
      ...request,
      input,
      input_bytes: Buffer.byteLength(input),
      max_output_bytes: 1025,
    });
    expect(answer.output_bytes).toBeLessThanOrEqual(1025);
    expect(answer.output).not.toContain('\ufffd');
  });
});

describe('[P8] POST /prune for clients of SWE-Pruner', () => {
  it('POST /prune returns a response in the format of SWE-Pruner', async () => {
    const { status, answer } = await prune({ query: 'how are retry attempts counted', code });
    expect(status).toBe(200);
    expect(answer).toEqual({
      score: expect.any(Number),
      pruned_code: expect.stringMatching(/^\(filtered \d+ lines\)$/m),
      kept_frags: expect.any(Array),
      origin_token_cnt: expect.any(Number),
      left_token_cnt: expect.any(Number),
      model_input_token_cnt: expect.any(Number),
      token_scores: [],
      error_msg: null,
    });
    expect(answer.pruned_code).not.toContain('⟦');
    expect(answer.left_token_cnt).toBeLessThan(answer.origin_token_cnt as number);
  });

  it('POST /prune returns the line numbers of the kept lines', async () => {
    const { answer } = await prune({ query: 'retry attempts', code });
    const lines = code.split('\n');
    const kept = (answer.kept_frags as number[]).map((number) => lines[number - 1]);
    const shown = (answer.pruned_code as string)
      .split('\n')
      .filter((line) => !/^\(filtered \d+ lines\)$/.test(line));
    expect(shown).toEqual(kept);
    expect(kept).toContain('    policy.attempts += 1');
  });

  it('POST /prune keeps all lines at threshold 0', async () => {
    const { answer } = await prune({ query: 'retry', code, threshold: 0 });
    expect(answer).toMatchObject({ pruned_code: code, score: 1 });
  });
});

it.each([
  ['neither shape', { question: 'x' }],
  ['an array', []],
  ['half a shape', { query: 'x' }],
  ['a threshold that is none', { query: 'x', code: 'y', threshold: 2 }],
])('[P8] POST /prune refuses %s', async (_what, request) => {
  const { status, answer } = await prune(request);
  expect(status).toBe(400);
  expect(answer).toMatchObject({ error: expect.any(String), field_errors: expect.any(Array) });
});

it('[P8] [X1] POST /prune accepts a text of 150,000 lines', async () => {
  const { status, answer } = await prune({ query: 'line', code: 'x\n'.repeat(150_000), threshold: 0 });
  expect(status).toBe(200);
  expect(String(answer.pruned_code).length).toBeGreaterThan(100);
});
