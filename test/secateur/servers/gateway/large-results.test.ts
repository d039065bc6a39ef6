import { describe, expect, it } from 'vitest';
import type { NewEntry } from '../../../../packages/secateur/src/savings/ledger.ts';
import {
  answering,
  type RpcAnswer,
  startGateway,
  startUpstream,
  type TestGateway,
  type TestGatewayOptions,
  textOf,
} from '../../../support/gateway.ts';

const rows = Array.from({ length: 5000 }, (_, id) => ({ id, name: `file-${id}.ts`, tags: ['a', 'b'] }));

interface Listed {
  prune_id: string;
  path: string;
  original_chars: number;
  kept?: number;
  total?: number;
}

async function gatewayTo(result: unknown, options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  const upstream = await startUpstream(answering(result));
  return startGateway({ servers: { data: { url: upstream.url } }, ...options });
}

const query = (gateway: TestGateway) => gateway.call('data', 'tools/call', { name: 'query' });
const listed = (answer: RpcAnswer) =>
  (answer.result?._meta as Record<string, Listed[]> | undefined)?.['secateur/masked'] ?? [];
const structuredRows = (answer: RpcAnswer) =>
  (answer.result?.structuredContent as { rows: typeof rows } | undefined)?.rows ?? [];

async function recovered(gateway: TestGateway, prune_id: string | undefined, line: number): Promise<unknown> {
  const ranges = [{ start_line: line, end_line: line }];
  const args = { prune_id, ranges, include_line_numbers: false };
  const answer = await gateway.call('data', 'tools/call', { name: 'recover_text', arguments: args });
  return JSON.parse((JSON.parse(textOf(answer)) as { raw_text: string }).raw_text);
}

describe('a result that is large as a whole', () => {
  it('[G30] the gateway keeps only the first and the last of 5,000 short rows; hidden rows can be recovered by index', async () => {
    const gateway = await gatewayTo({ content: [], structuredContent: { rows, total: 5000 } });
    const answer = await query(gateway);
    const kept = structuredRows(answer);
    const half = Math.ceil(kept.length / 2);
    expect(kept).toEqual([...rows.slice(0, half), ...rows.slice(half - kept.length)]);
    expect(answer.result?.structuredContent).toEqual({ rows: kept, total: 5000 });
    const shown = JSON.stringify(answer.result?.structuredContent).length;
    expect(shown).toBeLessThanOrEqual(40_000);
    expect(shown).toBeGreaterThan(39_000);
    const [cut, ...others] = listed(answer);
    expect(others).toEqual([]);
    expect(cut).toMatchObject({ path: '/structuredContent/rows', kept: kept.length, total: 5000 });
    const hidden = `hidden: ${half}-${5000 - (kept.length - half) - 1} (element N is line N+1)`;
    expect(textOf(answer)).toContain(
      `/structuredContent/rows: prune_id ${cut?.prune_id}, kept ${kept.length} of 5000 elements, ${hidden}`,
    );
    expect(await recovered(gateway, cut?.prune_id, 2500 + 1)).toEqual(rows[2500]);
  });

  it('[G30] the example call in the notice recovers the first hidden elements', async () => {
    const gateway = await gatewayTo({ content: [], structuredContent: { rows } });
    const answer = await query(gateway);
    const example = JSON.parse(/with (\{.*\})\.\n/.exec(textOf(answer))?.[1] ?? '') as object;
    const back = await gateway.call('data', 'tools/call', { name: 'recover_text', arguments: example });
    const first = rows[Math.ceil(structuredRows(answer).length / 2)];
    expect(JSON.parse(textOf(back)).raw_text).toContain(JSON.stringify(first));
  });

  it('[G30] the gateway removes the middle of hundreds of small content blocks, but removes no picture', async () => {
    const texts = Array.from({ length: 600 }, (_, at) => ({
      type: 'text',
      text: `${at} ${'x'.repeat(200)}`,
    }));
    const picture = { type: 'image', data: 'A'.repeat(100_000), mimeType: 'image/png' };
    const content = [...texts.slice(0, 300), picture, ...texts.slice(300)];
    const gateway = await gatewayTo({ content });
    const answer = await query(gateway);
    const kept = answer.result?.content?.slice(0, -1) ?? [];
    expect(kept).toHaveLength(listed(answer)[0]?.kept ?? 0);
    expect(kept.at(0)).toEqual(texts.at(0));
    expect(kept.at(-1)).toEqual(texts.at(-1));
    expect(kept).toContainEqual(picture);
    const [cut] = listed(answer);
    expect(cut).toMatchObject({ path: '/content', total: 601 });
    expect(textOf(answer, kept.length)).toMatch(/hidden: \d+-299, 301-\d+ \(element N is line N\+1\)$/);
    expect(await recovered(gateway, cut?.prune_id, 200 + 1)).toEqual(texts[200]);
  });

  it('[G30] numbers that exceed the precision of JavaScript are shown and recovered with all digits', async () => {
    const numbers = Array.from({ length: 4000 }, (_, at) => `12345678901234567${at}.0`);
    const upstream = await startUpstream((_, response) =>
      response.end(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"ids":[${numbers.join(' ,\n  ')}]}}`),
    );
    const gateway = await startGateway({ servers: { data: { url: upstream.url } } });
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'query' } };
    const text = await (await gateway.post('data', request)).text();
    expect(text).toContain('"ids":[123456789012345670.0 ,\n  123456789012345671.0');
    const prune_id = /prn_[0-9A-Z]{10,26}/.exec(text)?.[0];
    const args = { prune_id, ranges: [{ start_line: 2001, end_line: 2001 }], include_line_numbers: false };
    const back = await gateway.call('data', 'tools/call', { name: 'recover_text', arguments: args });
    expect(JSON.parse(textOf(back)).raw_text).toBe(numbers[2000]);
  });

  it.each([
    ['max_result_chars = 0', { maxResultChars: 0 }],
    ['max_chars = 0', { maxChars: 0 }],
    ['a larger max_result_chars', { maxResultChars: 1_000_000 }],
  ])('[G30] a large result is returned unchanged with %s', async (_, settings) => {
    const result = { content: [], structuredContent: { rows } };
    expect((await query(await gatewayTo(result, { settings }))).result).toEqual(result);
  });

  it('[G30] the gateway never shortens a list of tools', async () => {
    const tools = rows.map(({ name }) => ({ name, inputSchema: {} }));
    const gateway = await gatewayTo({ tools }, { settings: { injectRecoverTool: false } });
    expect((await gateway.call('data', 'tools/list')).result).toEqual({ tools });
  });

  it('[G12] [G30] for a method that MCP does not define, the gateway adds nothing but _meta to the result', async () => {
    const gateway = await gatewayTo({ rows });
    const { result } = await gateway.call('data', 'table/query');
    expect(Object.keys(result ?? {})).toEqual(['rows', '_meta']);
  });

  it('[G12] for a method that MCP does not define, the recovery hint of a masked string is after the marker', async () => {
    const gateway = await gatewayTo({ page: 'line\n'.repeat(2000) });
    const { result } = await gateway.call('data', 'page/get');
    expect(Object.keys(result ?? {})).toEqual(['page', '_meta']);
    expect(result?.page).toMatch(
      /tail=2000\] \.\.\.\n\[recover_text prune_id=prn_\w+ hidden lines \d+-\d+\]\n/,
    );
  });
});

describe('a text block that repeats structuredContent', () => {
  it.each([
    ['without blanks', undefined],
    ['with indentation', 2],
  ])('[G31] a text block that repeats structuredContent %s keeps the same elements', async (_, indent) => {
    const structuredContent = { rows };
    const text = JSON.stringify(structuredContent, null, indent);
    const answer = await query(await gatewayTo({ content: [{ type: 'text', text }], structuredContent }));
    expect(JSON.parse(textOf(answer))).toEqual(answer.result?.structuredContent);
    expect(textOf(answer).length).toBeLessThanOrEqual(40_500);
    expect(structuredRows(answer).length).toBeGreaterThan(100);
    expect(listed(answer).map(({ path }) => path)).toEqual(['/structuredContent/rows', '/content/0/text']);
    expect(answer.result?.content).toHaveLength(2);
  });

  it('[G31] a text block that repeats the only member of structuredContent keeps the elements that structuredContent keeps', async () => {
    const content = [{ type: 'text', text: JSON.stringify(rows) }];
    const answer = await query(await gatewayTo({ content, structuredContent: { result: rows } }));
    expect({ result: JSON.parse(textOf(answer)) }).toEqual(answer.result?.structuredContent);
  });

  it('[G31] text blocks that each repeat one element of structuredContent keep the elements that structuredContent keeps', async () => {
    const content = rows.map((row) => ({ type: 'text', text: JSON.stringify(row) }));
    const answer = await query(await gatewayTo({ content, structuredContent: { rows } }));
    const shown = answer.result?.content?.slice(0, -1).map(({ text }) => JSON.parse(String(text)));
    expect(shown).toEqual(structuredRows(answer));
  });

  it('[G31] a text block that repeats structuredContent contains the same masked strings', async () => {
    const structuredContent = { page: 'line\n'.repeat(2000), pages: 1 };
    const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
    const answer = await query(await gatewayTo({ content, structuredContent }));
    expect(JSON.parse(textOf(answer))).toEqual(answer.result?.structuredContent);
    expect(textOf(answer)).toContain('KIMI_PROXY_OBSERVATION_MASKED original_chars=10000');
  });

  it('[G31] a text block is unchanged if the structuredContent that it repeats is unchanged', async () => {
    const structuredContent = { rows: rows.slice(0, 300) };
    const result = {
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      structuredContent,
    };
    expect((await query(await gatewayTo(result))).result).toEqual(result);
  });

  it('[G31] recover_text returns the original of a text block that repeats structuredContent', async () => {
    const structuredContent = { rows };
    const text = JSON.stringify(structuredContent);
    const gateway = await gatewayTo({ content: [{ type: 'text', text }], structuredContent });
    expect(await recovered(gateway, listed(await query(gateway))[1]?.prune_id, 1)).toEqual(structuredContent);
  });

  it.each([
    ['claude-code', 'structured'],
    ['codex-mcp-client', 'structured'],
    ['cline', 'text'],
  ])('[G31] for %s the savings include only the %s that the model sees', async (client, shown) => {
    const entries: NewEntry[] = [];
    const structuredContent = { rows };
    const content = [{ type: 'text', text: JSON.stringify(structuredContent, null, 2) }];
    const ledger = { record: (entry: NewEntry) => void entries.push(entry) };
    const gateway = await gatewayTo({ content, structuredContent }, { ledger });
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'query' } };
    const answer = (await (
      await gateway.post('data', body, { 'user-agent': `${client}/1.0` })
    ).json()) as RpcAnswer;
    await new Promise(setImmediate);
    const [structured, text] = listed(answer).map(({ prune_id }) => prune_id);
    expect(entries.map(({ pruneId }) => pruneId)).toEqual([shown === 'text' ? text : structured]);
    expect(entries[0]?.tokensBefore).toBeGreaterThan(2 * (entries[0]?.tokensAfter ?? 0));
  });
});

describe('the notice about removed elements', () => {
  it('[G32] the notice is omitted if it would make the result longer than the original; masking and _meta stay', async () => {
    const text = 'x'.repeat(4200);
    const answer = await query(await gatewayTo({ content: [{ type: 'text', text }] }));
    expect(answer.result?.content).toHaveLength(1);
    expect(textOf(answer)).toContain('original_chars=4200');
    expect(listed(answer)).toMatchObject([{ path: '/content/0/text', original_chars: 4200 }]);
  });

  it('[G32] the hint after a marker is omitted if it would make the string longer than the original', async () => {
    const answer = await query(await gatewayTo({ structuredContent: { page: 'x'.repeat(4120) } }));
    const { page } = (answer.result?.structuredContent ?? {}) as { page: string };
    expect(page.length).toBeLessThan(4120);
    expect(page).toContain('original_chars=4120');
    expect(page).not.toContain('recover_text');
  });

  it('[G32] the notice is added if the result with the notice is shorter than the original', async () => {
    const answer = await query(await gatewayTo({ content: [{ type: 'text', text: 'x'.repeat(5000) }] }));
    expect(textOf(answer, 1)).toContain('nothing is lost');
    expect(JSON.stringify(answer).length).toBeLessThan(5000);
  });
});
