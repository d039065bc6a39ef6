import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { Type } from '../../../packages/base/src/tools/schema.ts';
import { defineTool, textResult } from '../../../packages/base/src/tools/tool.ts';
import { hashToken, writeTokenFile } from '../../../packages/serving/src/wire/token-file.ts';
import { Tokens } from '../../../packages/serving/src/wire/tokens.ts';
import { echoServer } from './echo-server.ts';
import { sendRaw } from './raw-http.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

const accept = 'application/json, text/event-stream';
const slow = (meta: object, args: object = { steps: 2, wait_ms: 0 }) =>
  rpcRequest('tools/call', { name: 'slow', arguments: args, _meta: meta });

function eventsOf(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));
}

/** A tool that runs until its signal aborts; `stopped` counts those. */
function untilStopped() {
  const counts = { started: 0, stopped: 0 };
  const tool = defineTool({
    name: 'wait',
    description: 'Waits to be stopped.',
    inputSchema: Type.Object({}),
    handle: (_, { signal }) => {
      counts.started += 1;
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          counts.stopped += 1;
          resolve(textResult('stopped'));
        });
      });
    },
  });
  return { counts, rpc: { server: echoServer({ tools: [tool] }), paths: ['/mcp'] } };
}

describe('progress over HTTP', () => {
  test('[W10] a client that requested progress and accepts events receives progress and the response as events', async () => {
    const { url } = await serveEcho();
    const answer = await post(`${url}/mcp`, slow({ progressToken: 'p' }), { accept });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    const text = await answer.text();
    expect(text).toMatch(/^event: message\ndata: /);
    expect(eventsOf(text)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'p', progress: 1, total: 2, message: 'step 1' },
      },
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'p', progress: 2, total: 2, message: 'step 2' },
      },
      { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'done' }] } },
    ]);
  });

  test.each([
    ['a call without progress', slow({ progressToken: 1 }, { steps: 0, wait_ms: 0 }), accept],
    ['a client that did not ask', slow({}), accept],
    ['a client that accepts JSON only', slow({ progressToken: 1 }), 'application/json'],
    ['a token that is none', slow({ progressToken: {} }), accept],
  ])('[W10] the host sends plain JSON to %s', async (_, message, accepted) => {
    const { url } = await serveEcho();
    const answer = await post(`${url}/mcp`, message, { accept: accepted });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
  });

  test('[W10] the host sends plain JSON to a client without an Accept header', async () => {
    const { port } = await serveEcho();
    const body = JSON.stringify(slow({ progressToken: 1 }));
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    const answer = await sendRaw(port, head + body);
    expect(answer.head).toContain('content-type: application/json');
    expect(JSON.parse(answer.body)).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
  });
});

describe('cancelling over HTTP', () => {
  test('[W11] the host cancels a call when its client disconnects', async () => {
    const { counts, rpc } = untilStopped();
    const { url } = await serveEcho({ rpc });
    const client = new AbortController();
    const body = JSON.stringify(rpcRequest('tools/call', { name: 'wait' }));
    const call = fetch(`${url}/mcp`, {
      method: 'POST',
      body,
      signal: client.signal,
      headers: { 'content-type': 'application/json' },
    });
    call.catch(() => {});
    await expect.poll(() => counts.started).toBe(1);
    client.abort();
    await expect.poll(() => counts.stopped).toBe(1);
  });

  test('[W11] notifications/cancelled cancels only the call of its own session', async () => {
    const { counts, rpc } = untilStopped();
    const { url } = await serveEcho({ rpc });
    const open = await post(`${url}/mcp`, rpcRequest('initialize', { protocolVersion: '2025-11-25' }));
    const session = open.headers.get('mcp-session-id') ?? '';
    expect(session).toMatch(/^[\x21-\x7e]+$/);

    const call = post(`${url}/mcp`, rpcRequest('tools/call', { name: 'wait' }), {
      'mcp-session-id': session,
    });
    await expect.poll(() => counts.started).toBe(1);
    const tell = (method: string, headers: Record<string, string>, requestId: unknown) =>
      post(`${url}/mcp`, { jsonrpc: '2.0', method, params: { requestId } }, headers);
    const cancel = tell.bind(undefined, 'notifications/cancelled');
    await tell('notifications/progress', { 'mcp-session-id': session }, 1);
    await cancel({}, 1);
    await cancel({ 'mcp-session-id': 'another' }, 1);
    await cancel({ 'mcp-session-id': session }, '1');
    await cancel({ 'mcp-session-id': session }, { not: 'an id' });
    expect(counts.stopped).toBe(0);
    const accepted = await cancel({ 'mcp-session-id': session }, 1);
    expect(accepted.status).toBe(202);
    expect((await call).status).toBe(200);
    expect(counts.stopped).toBe(1);
  });

  test('[T19] notifications/cancelled with the session id of another user cancels nothing', async () => {
    const { counts, rpc } = untilStopped();
    const path = join(mkdtempSync(join(tmpdir(), 'secateur-')), 'tokens.json');
    const grants = ['alice', 'bob'].map((name) => ({ name, sha256: hashToken(`token-of-${name}`) }));
    await writeTokenFile(path, grants);
    const tokens = await Tokens.open({ path, clock: systemClock, onUnreadable: () => {} });
    const { url } = await serveEcho({ rpc, tokens });
    const send = (user: string, message: object) =>
      post(`${url}/mcp`, message, {
        ...{ authorization: `Bearer token-of-${user}`, 'mcp-session-id': 'the-session' },
      });
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const call = send('alice', rpcRequest('tools/call', { name: 'wait' }));
    await expect.poll(() => counts.started).toBe(1);
    expect((await send('bob', cancelled)).status).toBe(202);
    expect(counts.stopped).toBe(0);
    expect((await send('alice', cancelled)).status).toBe(202);
    await call;
    expect(counts.stopped).toBe(1);
    tokens.close();
  });

  test('[W11] a cancelled call that fails returns the cancellation as its error', async () => {
    const { url } = await serveEcho();
    const headers = { 'mcp-session-id': 's' };
    const call = post(`${url}/mcp`, slow({}, { steps: 0, wait_ms: 60_000 }), headers);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await post(
      `${url}/mcp`,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      headers,
    );
    expect(await (await call).json()).toMatchObject({
      error: { code: -32800, message: 'Request cancelled', data: { code: 'request_cancelled' } },
    });
  });
});

describe('delivery over HTTP', () => {
  test('[W11] `delivered` tells a tool whether the client received the response or had disconnected', async () => {
    const calls: { delivered: Promise<boolean> | undefined; finish: () => void }[] = [];
    const tool = defineTool({
      name: 'wait',
      description: 'Waits to be finished.',
      inputSchema: Type.Object({}),
      handle: async (_, { delivered }) => {
        await new Promise<void>((resolve) => calls.push({ delivered, finish: resolve }));
        return textResult('done');
      },
    });
    const { url } = await serveEcho({ rpc: { server: echoServer({ tools: [tool] }), paths: ['/mcp'] } });
    const leaving = new AbortController();
    const call = (signal: AbortSignal | null) =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        body: JSON.stringify(rpcRequest('tools/call', { name: 'wait' })),
        headers: { 'content-type': 'application/json' },
        signal,
      });
    const stays = call(null);
    await expect.poll(() => calls.length).toBe(1);
    const leaves = call(leaving.signal);
    await expect.poll(() => calls.length).toBe(2);
    leaving.abort();
    await expect(leaves).rejects.toThrow();
    expect(await calls[1]?.delivered).toBe(false);
    for (const { finish } of calls) finish();
    expect((await stays).status).toBe(200);
    expect(await calls[0]?.delivered).toBe(true);
  });
});
