import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { Type } from '../../../packages/base/src/tools/schema.ts';
import { defineTool, textResult } from '../../../packages/base/src/tools/tool.ts';
import { serveHttp } from '../../../packages/serving/src/wire/http-host.ts';
import {
  claimedClient,
  clientName,
  clientOfSession,
  META,
  type RpcServer,
  sessionIdFor,
  userAgentName,
} from '../../../packages/serving/src/wire/protocol.ts';
import { serveStdio } from '../../../packages/serving/src/wire/stdio-host.ts';
import { writtenTo } from '../../support/written-to.ts';

const who: RpcServer = {
  name: 'who',
  version: '1',
  tools: [
    defineTool({
      name: 'who',
      description: 'says who calls',
      inputSchema: Type.Object({}),
      handle: async (_, { client }) => textResult(String(client)),
    }),
  ],
};

async function serveWho(): Promise<string> {
  const host = await serveHttp({ host: '127.0.0.1', port: 0, rpc: { server: who, paths: ['/mcp'] } });
  onTestFinished(() => host.close());
  return `${host.url}/mcp`;
}

const CALL = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'who', arguments: {} } };

it.each([
  ['legacy' as const, '2025-11-25'],
  [{ pin: '2026-07-28' } as const, '2026-07-28'],
])('[AU1] the client name is taken from clientInfo in both protocol eras (%j)', async (mode, era) => {
  const client = new Client({ name: 'some client/1', version: '9' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(await serveWho())));
  onTestFinished(() => client.close());
  expect(client.getNegotiatedProtocolVersion()).toBe(era);
  expect(await client.callTool({ name: 'who', arguments: {} })).toMatchObject({
    content: [{ text: 'some-client-1' }],
  });
});

it('[AU1] the client name is the User-Agent if clientInfo is missing', async () => {
  const headers = { 'content-type': 'application/json', 'user-agent': 'curl/8.5.0' };
  const answer = await fetch(await serveWho(), { method: 'POST', headers, body: JSON.stringify(CALL) });
  expect(await answer.json()).toMatchObject({ result: { content: [{ text: 'curl' }] } });
});

it('[AU1] every call on stdio belongs to the client that initialised the connection', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const host = serveStdio(who, { input, output });
  const clientInfo = { name: 'codex', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  input.end(`${JSON.stringify(CALL)}\n`);
  await host.closed;
  expect(writtenTo(output)).toContain('"text":"codex"');
});

it.each([
  ['curl/8.5.0', 'curl'],
  ['Mozilla (X11)', 'Mozilla'],
  ['node', 'node'],
  ['(none)', undefined],
  ['', undefined],
  [undefined, undefined],
])('[AU1] userAgentName of %j is %j', (agent, name) => {
  expect(userAgentName(agent === undefined ? {} : { 'user-agent': agent })).toBe(name);
});

it.each([
  ['editor~some-id', 'editor'],
  ['an~editor~some-id', 'an-editor'],
  ['~some-id', undefined],
  ['some-id', undefined],
  [undefined, undefined],
])('[AU1] clientOfSession of the id %j is %j', (session, name) => {
  expect(clientOfSession(session)).toBe(name);
});

it('[AU1] sessionIdFor includes the client name only if it is known', () => {
  expect([sessionIdFor('editor', 'id'), sessionIdFor(undefined, 'id')]).toEqual(['editor~id', 'id']);
});

it.each([
  [{ name: 'editor', version: '1' }, 'editor'],
  [{ name: '' }, undefined],
  [{ name: 7 }, undefined],
  [{}, undefined],
  ['editor', undefined],
  [null, undefined],
  [undefined, undefined],
])('[AU1] the clientInfo %j names %j, both in initialize and in _meta', (clientInfo, name) => {
  expect(clientName(clientInfo)).toBe(name);
  expect(claimedClient({ _meta: { [META.client]: clientInfo } })).toBe(name);
});

it.each([[undefined], [null], ['text'], [{}]])('[AU1] claimedClient of the _meta %j is undefined', (meta) => {
  expect(claimedClient({ _meta: meta })).toBeUndefined();
});
