import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LibraryGateway } from '../../../packages/secateur/src/cli/gateway-library.ts';
import { applyObservationMasking, openGateway } from '../../../packages/secateur/src/main/gateway.ts';
import { answering, type RpcAnswer, startUpstream } from '../../support/gateway.ts';

const LONG = 'line\n'.repeat(2000);
const request = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params });

/** A gateway whose `config.toml` has this one server. */
async function gatewayWith(server: string): Promise<LibraryGateway> {
  const cwd = mkdtempSync(join(tmpdir(), 'secateur-gateway-'));
  writeFileSync(join(cwd, 'config.toml'), `[mcp_gateway.servers.files]\n${server}\n`);
  const gateway = await openGateway({ cwd, env: { PATH: process.env.PATH, SECATEUR_DATA_DIR: cwd } });
  onTestFinished(() => gateway.close());
  return gateway;
}

describe('openGateway', () => {
  it('[G34] handleRpc forwards a request to the named server and returns the masked response', async () => {
    const upstream = await startUpstream(answering({ content: [{ type: 'text', text: LONG }] }));
    const gateway = await gatewayWith(`url = "${upstream.url}"`);
    const answer = (await gateway.handleRpc(
      'files',
      request('tools/call', { name: 'read' }),
    )) as unknown as RpcAnswer;
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: 7 });
    expect(answer.result?.content?.[0]?.text).toBe(applyObservationMasking(LONG));
    expect(JSON.parse(upstream.seen[0]?.body ?? '')).toEqual(request('tools/call', { name: 'read' }));
  });

  it('[G34] handleRpc with recover_text returns what handleRpc masked', async () => {
    const upstream = await startUpstream(answering({ content: [{ type: 'text', text: LONG }] }));
    const gateway = await gatewayWith(`url = "${upstream.url}"`);
    const masked = JSON.stringify(await gateway.handleRpc('files', request('tools/call', { name: 'read' })));
    const args = {
      prune_id: /prn_[0-9A-Z]{10,26}/.exec(masked)?.[0],
      ranges: [{ start_line: 1000, end_line: 1000 }],
      include_line_numbers: true,
    };
    const recover = request('tools/call', { name: 'recover_text', arguments: args });
    expect(JSON.stringify(await gateway.handleRpc('files', recover))).toContain('1000│ line');
  });

  it('[G34] forwardJsonrpc returns the response of the server unchanged', async () => {
    const result = { content: [{ type: 'text', text: LONG }] };
    const upstream = await startUpstream(answering(result));
    const gateway = await gatewayWith(`url = "${upstream.url}"`);
    expect(await gateway.forwardJsonrpc('files', request('tools/call'))).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result,
    });
  });

  it('[G34] handleRpc reads the response of a server that sends an event stream', async () => {
    const upstream = await startUpstream((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"jsonrpc":"2.0","id":7,"result":{"ok":true}}\n\n');
    });
    const gateway = await gatewayWith(`url = "${upstream.url}"`);
    expect(await gateway.handleRpc('files', request('ping'))).toMatchObject({ result: { ok: true } });
  });

  it('[G34] handleRpc forwards a notification and returns undefined', async () => {
    const upstream = await startUpstream((_, response) => response.writeHead(202).end());
    const gateway = await gatewayWith(`url = "${upstream.url}"`);
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await gateway.handleRpc('files', notification)).toBeUndefined();
    expect(upstream.seen).toHaveLength(1);
  });

  it.each(['handleRpc', 'forwardJsonrpc'] as const)(
    '[G34] [G20] %s returns a JSON-RPC error if the connection is refused',
    async (name) => {
      const gateway = await gatewayWith(`url = "http://127.0.0.1:${await closedPort()}/rpc"`);
      expect(await gateway[name]('files', request('ping'))).toMatchObject({
        jsonrpc: '2.0',
        id: 7,
        error: { code: -31002, data: { code: 'upstream_unavailable' } },
      });
    },
  );

  it.each(['handleRpc', 'forwardJsonrpc'] as const)(
    '[G34] [G20] %s returns a JSON-RPC error after the time limit',
    async (name) => {
      const upstream = await startUpstream(() => {});
      const gateway = await gatewayWith(`url = "${upstream.url}"\ntimeout_ms = 50`);
      expect(await gateway[name]('files', request('ping'))).toMatchObject({
        id: 7,
        error: { code: -31003, data: { code: 'upstream_timeout' } },
      });
    },
  );

  it.each([
    { what: 'an unknown server', to: 'other', sent: request('ping'), id: 7, code: -31001 },
    { what: 'a request that is not an object', to: 'files', sent: [request('ping')], id: null, code: -32600 },
    { what: 'no request', to: 'files', sent: undefined, id: null, code: -32700 },
  ])('[G34] [G20] handleRpc returns a JSON-RPC error for $what', async ({ to, sent, id, code }) => {
    const gateway = await gatewayWith('url = "http://127.0.0.1:1/rpc"');
    expect(await gateway.handleRpc(to, sent)).toMatchObject({ id, error: { code } });
  });

  it('[G34] forwardJsonrpc returns a JSON-RPC error if the server does not respond with JSON', async () => {
    const upstream = await startUpstream((_, response) => response.end('<html>'));
    const gateway = await gatewayWith(`url = "${upstream.url}"`);
    expect(await gateway.forwardJsonrpc('files', request('ping'))).toMatchObject({ error: { code: -31004 } });
  });
});

it('[G34] applyObservationMasking uses the default for every limit that the policy omits', () => {
  const policy = { maxChars: 300, headChars: 10, tailChars: 10 };
  expect(applyObservationMasking({ a: 'x'.repeat(400) }, policy).a).toContain(
    'original_chars=400 head=10 tail=10',
  );
  const masked = applyObservationMasking('x'.repeat(9000), { headChars: 1000 });
  expect(masked).toContain('original_chars=9000 head=1000 tail=2000');
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
