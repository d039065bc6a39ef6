import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { answering, startGateway, startUpstream } from '../../../support/gateway.ts';
import { handClock } from '../../../support/hand-clock.ts';

const request = { jsonrpc: '2.0', id: 'abc', method: 'tools/call', params: { name: 'read' } };
const DEAD = 'http://127.0.0.1:1/rpc';

it('[G20] a call of an unknown server returns -31001 and HTTP 404', async () => {
  const gateway = await startGateway({ servers: { files: { url: DEAD } } });
  const response = await gateway.post('nobody', request);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({
    jsonrpc: '2.0',
    id: 'abc',
    error: { code: -31001, data: { code: 'unknown_server', known_servers: ['files'] } },
  });
});

it('[G20] a call of an upstream that does not listen returns -31002 and HTTP 200', async () => {
  const gateway = await startGateway({ servers: { files: { url: DEAD } } });
  const response = await gateway.post('files', request);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    id: 'abc',
    error: { code: -31002, data: { code: 'upstream_unavailable' } },
  });
});

it('[G20] [G22] a call that exceeds the time limit returns -31003', async () => {
  const upstream = await startUpstream(() => {});
  const gateway = await startGateway({ servers: { files: { url: upstream.url, timeoutMs: 50 } } });
  expect(await gateway.call('files', 'tools/call')).toMatchObject({
    id: 1,
    error: { code: -31003, data: { code: 'upstream_timeout', timeout_ms: 50 } },
  });
});

it('[G20] [G22] the time limit of a call includes reading the events of the response', async () => {
  const upstream = await startUpstream((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': still busy\n\n');
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url, timeoutMs: 100 } } });
  const plain = await gateway.call('files', 'tools/call');
  expect(plain.error?.code).toBe(-31003);
  const events = await gateway.post('files', request, { accept: 'application/json, text/event-stream' });
  expect(await events.text()).toMatch(/^: still busy\n\nevent: message\ndata: .*"id":"abc".*-31003/s);
});

it.each([
  ['text', 'text/plain', 'Hello'],
  ['broken JSON', 'application/json', '{"jsonrpc":'],
  ['JSON that is not an object', 'application/json', '[]'],
  ['an object that answers nothing', 'application/json', '{"hello":1}'],
  ['nothing', 'application/json', ''],
])('[G20] a call returns -31004 if the upstream sends %s as response', async (_, contentType, body) => {
  const upstream = await startUpstream((__, response) =>
    response.writeHead(200, { 'content-type': contentType }).end(body),
  );
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  expect(await gateway.call('files', 'tools/call')).toMatchObject({
    id: 1,
    error: { code: -31004, data: { code: 'upstream_invalid_response' } },
  });
});

it('[G20] a call returns -31004 if the upstream does not respond with HTTP', async () => {
  const server = createServer((socket) => socket.end('220 smtp ready\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const gateway = await startGateway({ servers: { files: { url } } });
  expect((await gateway.call('files', 'ping')).error?.code).toBe(-31004);
});

it('[G20] a call returns -31005 if the upstream sends an HTTP error without a JSON-RPC body', async () => {
  const upstream = await startUpstream((_, response) => response.writeHead(503).end('<h1>busy</h1>'));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  expect(await gateway.call('files', 'tools/call')).toMatchObject({
    error: { code: -31005, data: { code: 'upstream_http_error', http_status: 503 } },
  });
});

it('[G20] a call with a lost session returns HTTP 404, so that the client opens a new session', async () => {
  const upstream = await startUpstream((_, response) => response.writeHead(404).end('no such session'));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const response = await gateway.post('files', request, { 'mcp-session-id': 'old' });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ id: 'abc', error: { code: -31005 } });
});

it('[G20] a call returns -31007 if the response is larger than max_response_bytes', async () => {
  const upstream = await startUpstream(answering({ text: 'x'.repeat(3000) }));
  const gateway = await startGateway({ servers: { files: { url: upstream.url, maxResponseBytes: 2000 } } });
  expect(await gateway.call('files', 'tools/call')).toMatchObject({
    error: { code: -31007, data: { code: 'response_too_large', max_response_bytes: 2000 } },
  });
});

it('[G20] a call returns -31004 if a long response is nested too deeply to be shortened', async () => {
  const depth = 200_000;
  const long = JSON.stringify('x'.repeat(100_000));
  const body = `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(depth)}${long}${']'.repeat(depth)}}`;
  const upstream = await startUpstream((_, response) => response.end(body));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  expect((await gateway.call('files', 'tools/call')).error?.code).toBe(-31004);
});

it('[G20] a request body above the size limit returns HTTP 413', async () => {
  const gateway = await startGateway({ servers: { files: { url: DEAD } } });
  const response = await gateway.post('files', 'x'.repeat(17 * 1024 * 1024));
  expect([response.status, await response.json()]).toMatchObject([413, { error: { code: -32600 } }]);
});

it('[G20] malformed JSON returns -32700, and JSON that is not an object returns -32600', async () => {
  const gateway = await startGateway({ servers: { files: { url: DEAD } } });
  for (const [body, code] of [
    ['{"jsonrpc":', -32700],
    ['', -32700],
    ['[]', -32600],
    ['"hello"', -32600],
    ['null', -32600],
  ] as const) {
    const response = await gateway.post('files', body);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
  }
});

it('[G20] an error response contains the request id exactly as the client wrote it', async () => {
  const gateway = await startGateway({ servers: { files: { url: DEAD } } });
  const response = await gateway.post('files', '{"jsonrpc":"2.0","id":12345678901234567890,"method":"x"}');
  expect(await response.text()).toContain('"id":12345678901234567890,');
});

it('[G21] the gateway returns an error of an upstream unchanged with any HTTP status', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"no","data":{"n":1.50}}}';
  for (const status of [200, 400, 404, 500]) {
    const upstream = await startUpstream((_, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body),
    );
    const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
    const response = await gateway.post('files', { jsonrpc: '2.0', id: 1, method: 'tools/call' });
    expect([response.status, await response.text()]).toEqual([status, body]);
  }
});

it('[G21] the gateway never repeats a call to which the upstream has responded', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bad arguments"}}';
  const upstream = await startUpstream((_, response) => response.writeHead(400).end(body));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  await gateway.call('files', 'tools/call');
  expect(upstream.seen).toHaveLength(1);
});

it('[G22] the gateway aborts the upstream call when the client disconnects', async () => {
  let aborted: () => void = () => {};
  const upstreamAborted = new Promise<void>((resolve) => {
    aborted = resolve;
  });
  const client = new AbortController();
  const upstream = await startUpstream((_, response) => {
    response.on('close', aborted);
    client.abort();
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const call = fetch(gateway.url('files'), {
    method: 'POST',
    body: JSON.stringify(request),
    signal: client.signal,
  });
  await expect(call).rejects.toThrow();
  await upstreamAborted;
  await expect
    .poll(async () => (await gateway.servers())[0]?.circuit)
    .toEqual({ state: 'closed', failures: 0 });
});

it('[G23] the circuit breaker opens after five consecutive transport failures and sends one probe after the pause', async () => {
  const clock = handClock();
  const upstream = await startUpstream(answering({ ok: true }));
  await upstream.close();
  const gateway = await startGateway({ servers: { files: { url: upstream.url } }, clock });
  for (let at = 0; at < 5; at += 1) expect((await gateway.call('files', 'ping')).error?.code).toBe(-31002);
  expect(await gateway.call('files', 'ping')).toMatchObject({
    error: { code: -31006, data: { code: 'circuit_open', retry_in_ms: 30_000 } },
  });
  expect((await gateway.servers())[0]?.circuit).toEqual({ state: 'open', failures: 5, retry_in_ms: 30_000 });
  clock.advance(30_000);
  expect((await gateway.servers())[0]?.circuit).toMatchObject({ state: 'half_open' });
  expect((await gateway.call('files', 'ping')).error?.code).toBe(-31002);
  expect((await gateway.call('files', 'ping')).error?.code).toBe(-31006);
});

it('[G23] a response closes the circuit breaker and resets its failures', async () => {
  const clock = handClock();
  let healthy = false;
  const upstream = await startUpstream((seen, response) => {
    if (healthy) answering({ ok: true })(seen, response);
    else response.destroy();
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } }, clock });
  for (let at = 0; at < 5; at += 1) await gateway.call('files', 'ping');
  clock.advance(30_000);
  healthy = true;
  expect(await gateway.call('files', 'ping')).toMatchObject({ result: { ok: true } });
  expect((await gateway.servers())[0]?.circuit).toEqual({ state: 'closed', failures: 0 });
  healthy = false;
  await gateway.call('files', 'ping');
  expect((await gateway.servers())[0]?.circuit).toEqual({ state: 'closed', failures: 1 });
});

it('[G23] an HTTP error resets the failures of the circuit breaker, because the server responded', async () => {
  let answers = false;
  const upstream = await startUpstream((_, response) => {
    if (answers) response.writeHead(500).end();
    else response.destroy();
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  for (let at = 0; at < 4; at += 1) await gateway.call('files', 'ping');
  answers = true;
  expect((await gateway.call('files', 'ping')).error?.code).toBe(-31005);
  expect((await gateway.servers())[0]?.circuit).toEqual({ state: 'closed', failures: 0 });
});

it('[G23] the circuit breaker counts malformed responses as failures, but not HTTP errors and refusals', async () => {
  const broken = await startUpstream((_, response) => response.end('no JSON'));
  const refusing = await startUpstream((_, response) => response.writeHead(500).end());
  const gateway = await startGateway({
    servers: { broken: { url: broken.url }, refusing: { url: refusing.url } },
  });
  for (let at = 0; at < 5; at += 1) {
    await gateway.call('broken', 'ping');
    await gateway.call('refusing', 'ping');
  }
  expect((await gateway.call('broken', 'ping')).error?.code).toBe(-31006);
  expect((await gateway.call('refusing', 'ping')).error?.code).toBe(-31005);
});

it('[G23] the circuit breaker sends one probe at a time', async () => {
  const clock = handClock();
  let release: () => void = () => {};
  let healthy = false;
  const upstream = await startUpstream((seen, response) => {
    if (!healthy) return response.destroy();
    release = () => answering({ ok: true })(seen, response);
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } }, clock });
  for (let at = 0; at < 5; at += 1) await gateway.call('files', 'ping');
  clock.advance(30_000);
  healthy = true;
  const before = upstream.seen.length;
  const probe = gateway.call('files', 'ping');
  await expect.poll(() => upstream.seen.length).toBe(before + 1);
  expect((await gateway.call('files', 'ping')).error?.code).toBe(-31006);
  release();
  expect(await probe).toMatchObject({ result: { ok: true } });
});

it('[G20] an incomplete or missing response has another message than an unreachable upstream', async () => {
  const upstream = await startUpstream(({ body }, response) => {
    if (body.includes('half')) response.writeHead(200, { 'content-length': '1000' }).write('{"jsonrpc":');
    setTimeout(() => response.destroy(), 20);
  });
  const gateway = await startGateway({ servers: { broken: { url: upstream.url } } });
  const half = (await gateway.call('broken', 'half')).error;
  expect(half).toMatchObject({ code: -31002, message: 'The upstream broke off in the middle of its answer' });
  const none = (await gateway.call('broken', 'none')).error;
  expect(none).toMatchObject({ code: -31002, message: expect.stringContaining('without an answer') });
});

it('[G20] a call returns -31004 if the response has the id of another request', async () => {
  const upstream = await startUpstream((_, response) =>
    response.end('{"jsonrpc":"2.0","id":77,"result":{}}'),
  );
  const gateway = await startGateway({ servers: { confused: { url: upstream.url } } });
  expect((await gateway.call('confused', 'ping')).error).toMatchObject({
    code: -31004,
    data: { code: 'upstream_invalid_response' },
  });
});
