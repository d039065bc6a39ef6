import { expect, it } from 'vitest';
import type { SavingsEntry } from '../../src/savings/ledger.ts';
import type { ToolTable } from '../../src/servers/gateway/server-table.ts';
import { startGateway, startUpstream, type TestGatewayOptions } from '../support/gateway.ts';

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

it('[T8] only allowed tools are listed, and denied ones never', async () => {
  const { names } = await gatewayBefore({ allow: ['read_*', 'delete_file'], deny: ['delete_*'], each: {} });
  expect(await names()).toEqual(['read_file', 'read_folder', 'recover_text']);
});

it('[T8] a hidden tool is unknown to who calls it, and the upstream hears nothing', async () => {
  const { gateway, upstream } = await gatewayBefore({ deny: ['delete_file'], each: {} });
  const refused = await gateway.call('files', 'tools/call', { name: 'delete_file' });
  expect(refused.error).toMatchObject({ code: -32602, data: { code: 'tool_hidden' } });
  expect(upstream.seen).toEqual([]);
  expect((await gateway.call('files', 'tools/call', { name: 'search' })).result).toBeDefined();
});

it('[T8] a name that is no string is read as a server might read it', async () => {
  const { gateway, upstream } = await gatewayBefore({ deny: ['delete_file'], each: {} });
  const refused = await gateway.call('files', 'tools/call', { name: ['delete_file'] });
  expect(refused.error?.data?.code).toBe('tool_hidden');
  expect(upstream.seen).toEqual([]);
});

it('[T8] a call without an id, which wants no answer, reaches no hidden tool either', async () => {
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

it('[T8] the rules of the caller hold beside those of the server', async () => {
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

it('[T8] descriptions are replaced or cut to a limit, and the tokens spared are in the ledger', async () => {
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

it('[T8] without rules the list is passed on as it came, with the recovery tool', async () => {
  const { list } = await gatewayBefore(undefined);
  expect((await list()).slice(0, 4)).toEqual(TOOLS);
});
