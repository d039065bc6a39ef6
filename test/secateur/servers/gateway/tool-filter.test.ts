import { expect, it } from 'vitest';
import type { SavingsEntry } from '../../../../packages/secateur/src/savings/ledger.ts';
import type { ToolTable } from '../../../../packages/secateur/src/servers/gateway/server-table.ts';
import { startGateway, startUpstream, type TestGatewayOptions } from '../../../support/gateway.ts';

const described = (name: string) => ({
  name,
  description: `What ${name} does. `.repeat(20),
  inputSchema: { type: 'object' },
});
const TOOLS = ['read_file', 'read_folder', 'delete_file', 'search'].map(described);

async function gatewayBefore(tools: ToolTable | undefined, options: Partial<TestGatewayOptions> = {}) {
  const upstream = await startUpstream(({ body }, response) => {
    const { id, method } = JSON.parse(body) as { id: unknown; method: string };
    const result = method === 'tools/list' ? { tools: TOOLS } : { content: [{ type: 'text', text: 'done' }] };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const gateway = await startGateway({ ...options, servers: { files: { url: upstream.url, tools } } });
  const list = async () => (await gateway.call('files', 'tools/list')).result?.tools as typeof TOOLS;
  return { upstream, gateway, list, names: async () => (await list()).map(({ name }) => name) };
}

it('[T8] tools/list returns only allowed tools, and never returns denied tools', async () => {
  const { names } = await gatewayBefore({ allow: ['read_*', 'delete_file'], deny: ['delete_*'], each: {} });
  expect(await names()).toEqual(['read_file', 'read_folder', 'recover_text']);
});

it('[T8] a call of a hidden tool returns "Unknown tool" and does not reach the upstream', async () => {
  const { gateway, upstream } = await gatewayBefore({ deny: ['delete_file'], each: {} });
  const refused = await gateway.call('files', 'tools/call', { name: 'delete_file' });
  expect(refused.error).toEqual({
    code: -32602,
    message: 'Unknown tool: delete_file',
    data: { code: 'tool_hidden', hint: 'List the tools to see which this server offers here.' },
  });
  expect(upstream.seen).toEqual([]);
  expect((await gateway.call('files', 'tools/call', { name: 'search' })).result).toBeDefined();
});

it.each([[['delete_file']], [{ toString: 0, valueOf: 0 }], [null]])(
  '[T8] the gateway refuses %j as a tool name, even if a server might accept it',
  async (name) => {
    const { gateway, upstream } = await gatewayBefore({ deny: ['delete_file'], each: {} });
    const refused = await gateway.call('files', 'tools/call', { name });
    expect(refused.error?.data?.code).toBe('tool_hidden');
    expect(upstream.seen).toEqual([]);
  },
);

it('[T8] the error for a very long tool name repeats only its beginning', async () => {
  const { gateway } = await gatewayBefore({ allow: [], each: {} });
  const refused = await gateway.call('files', 'tools/call', { name: 'x'.repeat(5000) });
  expect(refused.error?.message).toBe(`Unknown tool: ${'x'.repeat(100)}`);
});

it('[T8] the gateway forwards a message that is not a tool call, even if it contains the name of a hidden tool', async () => {
  const { gateway, upstream } = await gatewayBefore({ allow: [], each: {} });
  expect((await gateway.call('files', 'prompts/get', { name: 'delete_file' })).result).toBeDefined();
  await gateway.post('files', { jsonrpc: '2.0', id: 7, result: { name: 'delete_file' } });
  expect(upstream.seen).toHaveLength(2);
});

it('[T8] the gateway does not forward a call of a hidden tool that has no id', async () => {
  const { gateway, upstream } = await gatewayBefore({ deny: ['delete_file'], each: {} });
  const notify = (name: string) =>
    gateway.post('files', { jsonrpc: '2.0', method: 'tools/call', params: { name } });
  expect(await (await notify('delete_file')).json()).toMatchObject({
    error: { code: -32602, data: { code: 'tool_hidden' } },
  });
  expect(upstream.seen).toEqual([]);
  await notify('search');
  expect(upstream.seen).toHaveLength(1);
});

it('[T8] the gateway applies the rules of the caller in addition to the rules of the server', async () => {
  const callerRules = () => ({ deny: ['search'] });
  const { gateway, names } = await gatewayBefore(
    { allow: ['search', 'read_file'], each: {} },
    { callerRules },
  );
  expect(await names()).toEqual(['read_file', 'recover_text']);
  expect((await gateway.call('files', 'tools/call', { name: 'search' })).error?.data?.code).toBe(
    'tool_hidden',
  );
});

it('[T8] the gateway replaces or shortens descriptions, and records the saved tokens in the ledger', async () => {
  const entries: Omit<SavingsEntry, 'at'>[] = [];
  const ledger = {
    record: (entry: Omit<SavingsEntry, 'at'>) => void entries.push(entry),
    flush: async () => {},
  };
  const each = { search: { description: 'Finds lines.' } };
  const { list } = await gatewayBefore({ maxDescriptionChars: 30, each }, { ledger });
  const tools = await list();
  expect(tools.find(({ name }) => name === 'search')?.description).toBe('Finds lines.');
  expect(tools.find(({ name }) => name === 'read_file')?.description).toBe('What read_file does. What rea…');
  expect(tools.find(({ name }) => name === 'recover_text')?.description.length).toBeGreaterThan(30);
  expect(entries).toMatchObject([{ kind: 'cut', system: 'gateway', tool: 'tools/list' }]);
  expect(entries[0]?.tokensAfter).toBeLessThan(entries[0]?.tokensBefore ?? 0);
});

it('[T8] the gateway without rules returns the list of tools unchanged, with the recovery tool', async () => {
  const { list } = await gatewayBefore(undefined);
  expect((await list()).slice(0, 4)).toEqual(TOOLS);
});

/** Returns what a client sees of this response to `tools/list`, and what the ledger records. */
async function listedAs(body: string, tools: ToolTable) {
  const upstream = await startUpstream((_, response) => response.end(body));
  const entries: unknown[] = [];
  const gateway = await startGateway({
    servers: { files: { url: upstream.url, tools, injectRecoverTool: false } },
    ledger: { record: (entry) => void entries.push(entry) },
  });
  const response = await gateway.post('files', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  return { seen: await response.text(), entries };
}

it.each([
  ['a list without a hidden tool', '{"jsonrpc":"2.0", "id":1, "result":{"tools": [ {"name":"search"} ]}}'],
  ['a refusal', '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no tools"}}'],
  ['a result without a list', '{"jsonrpc":"2.0","id":1,"result":{"tools":{"name":"delete_file"}}}'],
  ['a result that is not an object', '{"jsonrpc":"2.0","id":1,"result":null}'],
])('[T8] the gateway returns %s byte for byte', async (_, body) => {
  const { seen, entries } = await listedAs(body, { deny: ['delete_*'], each: {} });
  expect(seen).toBe(body);
  expect(entries).toEqual([]);
});

it('[T8] the gateway keeps list items that are not tools or have no description', async () => {
  const odd = [null, 7, { name: 5 }, { name: 'search' }];
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { tools: [...odd, { name: 'delete_file' }] },
  });
  const { seen } = await listedAs(body, { deny: ['delete_*'], maxDescriptionChars: 3, each: {} });
  expect(JSON.parse(seen)).toMatchObject({ result: { tools: odd } });
});

it.each([
  ['exactly', 'exactly'],
  ['one more', 'one mo…'],
  ['😀😀😀😀😀😀😀', '😀😀😀😀😀😀😀'],
  ['😀😀😀😀😀😀😀😀', '😀😀😀😀😀😀…'],
])('[T8] a limit of seven characters shortens the description %s to %s', async (description, expected) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'a', description }] } });
  const { seen } = await listedAs(body, { maxDescriptionChars: 7, each: {} });
  expect(JSON.parse(seen)).toMatchObject({ result: { tools: [{ name: 'a', description: expected }] } });
});
