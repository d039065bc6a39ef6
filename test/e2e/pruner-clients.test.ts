import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pruneArguments } from '../secateur/servers/pruner/running-pruner.ts';
import { type SecateurProcess, secateurProgram, startSecateur } from '../support/secateur-process.ts';

const info = { name: 'journey', version: '1' };
const stdio = { command: process.execPath, args: [secateurProgram, 'mcp', 'pruner'] };

let server: SecateurProcess;
beforeAll(async () => {
  server = await startSecateur(['pruner']);
});
afterAll(() => server.stop());

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const clients: [string, () => Promise<AnyClient>][] = [
  ['[P6] SDK v2 over HTTP', () => newClient(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))],
  [
    '[P5] SDK v2 in the 2026-07-28 revision',
    () => newClient(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)), 'auto'),
  ],
  ['[P7] SDK v2 over stdio', () => newClient(new StdioClientTransport(stdio))],
  [
    '[P6] SDK v1 over HTTP',
    () => oldClient(new OldHttpTransport(new URL(`${server.url}/rpc`)) as OldTransport),
  ],
  ['[P7] SDK v1 over stdio', () => oldClient(new OldStdioTransport(stdio))],
];

async function newClient(transport: Parameters<Client['connect']>[0], mode?: 'auto'): Promise<AnyClient> {
  const client = new Client(info, mode === undefined ? {} : { versionNegotiation: { mode } });
  await client.connect(transport);
  if (mode === 'auto') expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  return client as unknown as AnyClient;
}

async function oldClient(transport: OldTransport): Promise<AnyClient> {
  const client = new OldClient(info);
  await client.connect(transport);
  return client as unknown as AnyClient;
}

it.each(clients)('%s prunes, recovers, and receives the documented error codes', async (_name, connect) => {
  const client = await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['prune_text', 'recover_text', 'health']);

  const pruned = await callForJson(client, 'prune_text', pruneArguments);
  expect(pruned).toMatchObject({ stats: { original_lines: 60, used_fallback: false }, warnings: [] });
  const ranges = [{ start_line: 1, end_line: 60 }];
  const asked = { prune_id: pruned.prune_id, ranges, include_line_numbers: false };
  expect(await callForJson(client, 'recover_text', asked)).toMatchObject({ raw_text: pruneArguments.text });

  await expect(
    client.callTool({ name: 'recover_text', arguments: { ...asked, prune_id: 'prn_none' } }),
  ).rejects.toMatchObject({ code: -32004 });
  await expect(client.callTool({ name: 'prune_text', arguments: {} })).rejects.toMatchObject({
    code: -32602,
  });
  await client.close();
});

async function callForJson(
  client: AnyClient,
  name: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const result = (await client.callTool({ name, arguments: args })) as { content: { text: string }[] };
  return JSON.parse(result.content[0]?.text ?? '');
}
