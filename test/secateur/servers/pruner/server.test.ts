import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PruneRequest } from '../../../../packages/engine/src/request.ts';
import { testPruner } from '../../../support/pruner.ts';
import { pruneArguments, type RunningPruner, runPruner } from './running-pruner.ts';

let server: RunningPruner;
beforeAll(async () => {
  server = await runPruner();
});
afterAll(() => server.close());

const healthy = {
  status: 'healthy',
  server: 'mcp-pruner',
  version: '9.8.7',
  capabilities: ['prune_text', 'recover_text', 'annotations', 'markers'],
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
};

describe('methods of the pruner', () => {
  it('[P3] initialize returns the name of the server', async () => {
    const { result } = await server.rpc('initialize', {
      protocolVersion: '2025-06-18',
      clientInfo: { name: 'x', version: '1' },
    });
    expect(result).toMatchObject({
      protocolVersion: '2025-06-18',
      serverInfo: { name: 'mcp-pruner', version: '9.8.7' },
    });
  });

  it('[P3] tools/list returns prune_text, recover_text and health, and other lists are empty', async () => {
    const { result } = await server.rpc('tools/list', {});
    expect(result?.tools?.map(({ name }) => name)).toEqual(['prune_text', 'recover_text', 'health']);
    expect((await server.rpc('resources/list')).result).toMatchObject({ resources: [] });
    expect((await server.rpc('resources/templates/list')).result).toMatchObject({ resourceTemplates: [] });
    expect((await server.rpc('prompts/list')).result).toMatchObject({ prompts: [] });
  });

  it('[P46] health can be requested as a method, as a tool and with GET /health', async () => {
    expect((await server.rpc('health')).result).toEqual(healthy);
    expect(await server.tool('health', {})).toEqual(healthy);
    const page = await fetch(`${server.url}/health`);
    expect(page.headers.get('content-type')).toContain('application/json');
    expect(await page.json()).toEqual(healthy);
  });
});

describe('prune_text', () => {
  it('[P10] tools/list returns the input schema of prune_text from the specification', async () => {
    const { result } = await server.rpc('tools/list');
    expect(result?.tools?.[0]?.inputSchema).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string' },
        goal_hint: { type: 'string' },
        source_type: { type: 'string', enum: ['code', 'logs', 'docs'] },
        options: {
          type: 'object',
          properties: {
            max_prune_ratio: { type: 'number', minimum: 0, maximum: 1 },
            min_keep_lines: { type: 'integer', minimum: 0 },
            timeout_ms: { type: 'integer', minimum: 1 },
            annotate_lines: { type: 'boolean' },
            include_markers: { type: 'boolean' },
          },
          required: ['max_prune_ratio', 'min_keep_lines', 'timeout_ms', 'annotate_lines', 'include_markers'],
          additionalProperties: false,
        },
      },
      required: ['text', 'goal_hint', 'source_type', 'options'],
      additionalProperties: false,
    });
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['a missing field', { goal_hint: undefined }, ['goal_hint']],
    ['an unknown field', { extra: 1 }, ['extra']],
    ['a wrong type', { text: 7 }, ['text']],
    ['an unknown source type', { source_type: 'poem' }, ['source_type']],
    [
      'a ratio above 1',
      { options: { ...pruneArguments.options, max_prune_ratio: 1.1 } },
      ['options.max_prune_ratio'],
    ],
    [
      'a fraction of a line',
      { options: { ...pruneArguments.options, min_keep_lines: 1.5 } },
      ['options.min_keep_lines'],
    ],
    ['a timeout of 0', { options: { ...pruneArguments.options, timeout_ms: 0 } }, ['options.timeout_ms']],
    [
      'missing options',
      { options: {} },
      [
        'options.max_prune_ratio',
        'options.min_keep_lines',
        'options.timeout_ms',
        'options.annotate_lines',
        'options.include_markers',
      ],
    ],
    ['two wrong fields', { text: null, source_type: 3 }, ['text', 'source_type']],
  ])('[P10] prune_text refuses %s, with one entry per field', async (_what, change, fields) => {
    const { error } = await server.rpc('tools/call', {
      name: 'prune_text',
      arguments: { ...pruneArguments, ...change },
    });
    expect(error).toMatchObject({ code: -32602 });
    const entries = (error?.data?.field_errors ?? []) as { field: string; message: string }[];
    expect(entries.map(({ field }) => field).sort()).toEqual([...fields].sort());
    expect(entries.every(({ message }) => message.length > 0)).toBe(true);
  });

  it('[P11] prune_text returns JSON in one text block without structuredContent', async () => {
    const { result } = await server.rpc('tools/call', { name: 'prune_text', arguments: pruneArguments });
    expect(Object.keys(result ?? {})).toEqual(['content']);
    expect(result?.content).toHaveLength(1);
    const answer = JSON.parse(result?.content?.[0]?.text ?? '');
    expect(answer).toEqual({
      prune_id: expect.stringMatching(/^prn_\w{10,26}$/),
      pruned_text: expect.stringContaining('Sentence 30'),
      annotations: expect.any(Array),
      stats: expect.any(Object),
      warnings: [],
    });
    expect(answer.annotations[0]).toEqual({
      kind: 'pruned_block',
      original_start_line: expect.any(Number),
      original_end_line: expect.any(Number),
      pruned_line_count: expect.any(Number),
      reason: expect.stringMatching(/^hors focus/),
      marker: expect.stringMatching(/^⟦PRUNÉ: /),
    });
  });

  it('[P14] [P26] prune_text returns exactly the stats fields of the specification, and records the savings', async () => {
    const { stats } = (await server.tool('prune_text', pruneArguments)) as { stats: Record<string, number> };
    expect(stats).toEqual({
      original_lines: 60,
      kept_lines: 60 - (stats.pruned_lines ?? 0),
      pruned_lines: expect.toSatisfy((count: number) => count > 0 && count <= 42),
      pruned_ratio: Number(((stats.pruned_lines ?? 0) / 60).toFixed(4)),
      tokens_est_before: expect.any(Number),
      tokens_est_after: expect.any(Number),
      elapsed_ms: expect.any(Number),
      used_fallback: false,
      backend: 'heuristic',
      scorer: expect.any(String),
      tokens_saved_est: (stats.tokens_est_before ?? 0) - (stats.tokens_est_after ?? 0),
      cost_estimated_usd: expect.any(Number),
    });
  });

  it('prune_text records its savings, minus recovered tokens', async () => {
    const fresh = await runPruner();
    const { prune_id } = await fresh.tool('prune_text', pruneArguments);
    await fresh.tool('recover_text', {
      prune_id,
      ranges: [{ start_line: 1, end_line: 2 }],
      include_line_numbers: false,
    });
    expect(fresh.savings).toMatchObject([
      { kind: 'cut', system: 'pruner', tool: 'prune_text', pruneId: prune_id },
      { kind: 'recovered', system: 'pruner', tool: 'recover_text', pruneId: prune_id },
    ]);
    await fresh.close();
  });
});

describe('recover_text', () => {
  async function recover(ranges: [number, number][], numbers = false, name = 'recover_text') {
    const { prune_id } = await server.tool('prune_text', pruneArguments);
    const asked = ranges.map(([start_line, end_line]) => ({ start_line, end_line }));
    return server.rpc('tools/call', {
      name,
      arguments: { prune_id, ranges: asked, include_line_numbers: numbers },
    });
  }
  const saying = ({ result }: Awaited<ReturnType<typeof recover>>) =>
    JSON.parse(result?.content?.[0]?.text ?? '');

  it('[P30] recover_text joins ranges in the given order, and numbers the lines on request', async () => {
    const lines = pruneArguments.text.split('\n');
    expect(
      saying(
        await recover([
          [3, 4],
          [1, 1],
        ]),
      ).raw_text,
    ).toBe([lines[2], lines[3], lines[0]].join('\n'));
    expect(saying(await recover([[3, 4]], true)).raw_text).toBe(`3│ ${lines[2]}\n4│ ${lines[3]}`);
  });

  it('[P30] recover_text can also be called as recover_range', async () => {
    expect(saying(await recover([[1, 1]], false, 'recover_range')).raw_text).toBe(
      pruneArguments.text.split('\n')[0],
    );
  });

  it('[P31] recover_text replaces an end after the last line by the last line', async () => {
    expect(saying(await recover([[59, 1000]])).metadata).toMatchObject({
      ranges: [{ start_line: 59, end_line: 60 }],
      line_numbering: 'original',
    });
  });

  it.each<[string, [number, number][]]>([
    ['start after end', [[5, 4]]],
    ['a line below 1', [[0, 4]]],
    ['a start past the last line', [[61, 62]]],
    ['no range at all', []],
  ])('[P32] recover_text refuses %s', async (_what, ranges) => {
    expect((await recover(ranges)).error).toMatchObject({
      code: -32005,
      message: 'invalid_range',
      data: { code: 'invalid_range', max_line: 60 },
    });
  });

  it('[P33] the error of recover_text for an unknown id contains the id and the next step', async () => {
    const args = {
      prune_id: 'prn_00000000000000000000000000',
      ranges: [{ start_line: 1, end_line: 1 }],
      include_line_numbers: true,
    };
    const { error } = await server.rpc('tools/call', { name: 'recover_text', arguments: args });
    expect(error).toMatchObject({
      code: -32004,
      message: 'prune_id_not_found',
      data: { code: 'prune_id_not_found', prune_id: args.prune_id, hint: expect.any(String) },
    });
  });
});

it('[X2] prune_text accepts any timeout_ms from 1; more than 600,000 is treated as 600,000', async () => {
  const asked: PruneRequest[] = [];
  const pruner = testPruner();
  const watched = await runPruner({
    ...pruner,
    prune: (request, signal) => {
      asked.push(request);
      return pruner.prune(request, signal);
    },
  });
  const { options, ...rest } = pruneArguments;
  for (const timeout_ms of [599_999, 600_000, 600_001, Number.MAX_SAFE_INTEGER]) {
    const answer = await watched.tool('prune_text', { ...rest, options: { ...options, timeout_ms } });
    expect(answer).toMatchObject({ stats: { used_fallback: false } });
  }
  await watched.close();
  expect(asked.map(({ options: { timeoutMs } }) => timeoutMs)).toEqual([599_999, 600_000, 600_000, 600_000]);
});

it('[P26] cost_estimated_usd uses the configured price, or 3 US dollars if no price is configured', async () => {
  const costOf = async (usdPerMillionTokens?: number) => {
    const priced = await runPruner(testPruner(), { usdPerMillionTokens });
    const { stats } = (await priced.tool('prune_text', pruneArguments)) as { stats: Record<string, number> };
    await priced.close();
    return (stats.cost_estimated_usd ?? 0) / (stats.tokens_saved_est ?? 0);
  };
  expect(await costOf(12)).toBeCloseTo(12 / 1_000_000, 7);
  expect(await costOf(0)).toBe(0);
  expect(await costOf()).toBeCloseTo(3 / 1_000_000, 7);
});
