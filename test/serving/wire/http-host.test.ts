import { describe, expect, test } from 'vitest';
import { type HttpHostOptions, serveHttp } from '../../../packages/serving/src/wire/http-host.ts';
import type { HttpRoute } from '../../../packages/serving/src/wire/http-route.ts';
import { plainFailureBody } from '../../../packages/serving/src/wire/http-route.ts';
import { sendRaw, sendThenRead } from './raw-http.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

describe('JSON-RPC over plain HTTP', () => {
  test('[P1] /rpc and /mcp return the same responses', async () => {
    const { url } = await serveEcho();
    const [first, second] = await Promise.all(
      ['/rpc', '/mcp'].map(async (path) => (await post(url + path, rpcRequest('tools/list'))).json()),
    );
    expect(first).toEqual(second);
    expect(first).toMatchObject({
      result: { tools: [{ name: 'echo' }, { name: 'fail' }, { name: 'slow' }] },
    });
  });

  test('[P2] POST /rpc serves a client that sends no Accept, no session and no capabilities', async () => {
    const { port } = await serveEcho();
    const body = JSON.stringify(rpcRequest('initialize', { protocolVersion: '2025-11-25' }));
    const answer = await sendRaw(
      port,
      `POST /rpc HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(answer.status).toBe(200);
    expect(answer.head).toContain('content-type: application/json');
    expect(JSON.parse(answer.body)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  test.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/whatever', params: [] }],
    ['an answer we never asked for', { jsonrpc: '2.0', id: 1, result: {} }],
  ])('[P4] POST /rpc with %s returns 202', async (_, message) => {
    const { url } = await serveEcho();
    const answer = await post(`${url}/rpc`, message);
    expect(answer.status).toBe(202);
    expect(await answer.text()).toBe('');
  });

  test.each([
    ['bad JSON', '{"jsonrpc":', -32700],
    ['nothing', '', -32700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['no request', '{"foo":1}', -32600],
    ['an unknown method', JSON.stringify(rpcRequest('dance')), -32601],
    ['a wrong argument', JSON.stringify(rpcRequest('tools/call', { name: 'echo', arguments: {} })), -32602],
    ['a bug', JSON.stringify(rpcRequest('tools/call', { name: 'fail', arguments: { how: 'bug' } })), -32603],
    [
      'an unprintable answer',
      JSON.stringify(rpcRequest('tools/call', { name: 'fail', arguments: { how: 'unprintable' } })),
      -32603,
    ],
  ])('[P4] POST /rpc with %s returns HTTP 200', async (_, body, code) => {
    const { url } = await serveEcho();
    const answer = await post(`${url}/rpc`, body);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  test('[P4] POST /rpc returns a parse error for bytes that are not valid UTF-8', async () => {
    const { url } = await serveEcho();
    const body = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    const answer = await fetch(`${url}/rpc`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(await answer.json()).toMatchObject({ id: null, error: { code: -32700 } });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])(
    '[P4] POST /rpc with the content type %j returns 415',
    async (type) => {
      const { url } = await serveEcho();
      const answer = await post(`${url}/rpc`, rpcRequest('ping'), { 'content-type': type });
      expect(answer.status).toBe(415);
      expect(await answer.json()).toMatchObject({ error: { data: { code: 'unsupported_media_type' } } });
    },
  );

  test('[P4] POST /rpc without a content type returns 415', async () => {
    const { url } = await serveEcho();
    const answer = await fetch(`${url}/rpc`, { method: 'POST', body: new Uint8Array([123, 125]) });
    expect(answer.status).toBe(415);
  });

  test('POST /rpc accepts a content type with charset and capitals, and returns 415 for a compressed body', async () => {
    const { url } = await serveEcho();
    const named = await post(`${url}/rpc`, rpcRequest('ping'), {
      'content-type': 'Application/JSON; charset=utf-8',
    });
    expect(named.status).toBe(200);
    const zipped = await post(`${url}/rpc`, rpcRequest('ping'), { 'content-encoding': 'gzip' });
    expect(zipped.status).toBe(415);
  });

  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'])(
    '[P4] %s on an RPC path returns 405 with the allowed methods',
    async (method) => {
      const { url } = await serveEcho();
      const answer = await fetch(`${url}/mcp`, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('POST');
    },
  );

  test('an unknown path returns 404 with a JSON body for any method', async () => {
    const { url } = await serveEcho();
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(`${url}/nowhere`, { method });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { data: { code: 'not_found' } } });
    }
  });

  test('[F1] a host can choose the format of its error bodies: the focus tools return {ok: false}', async () => {
    const { url } = await serveEcho({ failureBody: plainFailureBody });
    const wrongMethod = await fetch(`${url}/mcp`);
    expect(await wrongMethod.json()).toEqual({
      ok: false,
      error: { code: 'method_not_allowed', message: expect.any(String) },
    });
    const wrongType = await post(`${url}/mcp`, '<xml/>', { 'content-type': 'text/xml' });
    expect(wrongType.status).toBe(415);
    expect(await wrongType.json()).toEqual({
      ok: false,
      error: { code: 'unsupported_media_type', message: expect.any(String) },
    });
  });
});

describe('sessions and revisions over plain HTTP', () => {
  test('only clients that initialise get a session id, each its own', async () => {
    const { url } = await serveEcho();
    const sessionOf = async (message: object) =>
      (await post(`${url}/mcp`, message)).headers.get('mcp-session-id');
    const initialize = rpcRequest('initialize', { protocolVersion: '2025-11-25' });
    const [first, second] = [await sessionOf(initialize), await sessionOf(initialize)];
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(second).not.toBe(first);
    expect(await sessionOf(rpcRequest('initialize', {}))).toBeNull();
    expect(await sessionOf(rpcRequest('ping'))).toBeNull();
  });

  test('POST /rpc returns 400 for an unknown protocol version in the header, and accepts known versions', async () => {
    const { url } = await serveEcho();
    const odd = await post(`${url}/rpc`, rpcRequest('ping'), { 'mcp-protocol-version': '1999-01-01' });
    expect(odd.status).toBe(400);
    expect(await odd.json()).toMatchObject({
      error: {
        message:
          'MCP-Protocol-Version must be one of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 or newer',
        data: { code: 'unsupported_protocol_version' },
      },
    });
    for (const version of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      expect((await post(`${url}/rpc`, rpcRequest('ping'), { 'mcp-protocol-version': version })).status).toBe(
        200,
      );
    }
  });

  test('POST /rpc receives and sends ten megabytes', async () => {
    const { url } = await serveEcho();
    const text = 'é'.repeat(5_000_000);
    const answer = await post(`${url}/rpc`, rpcRequest('tools/call', { name: 'echo', arguments: { text } }));
    const { result } = (await answer.json()) as { result: { content: Array<{ text: string }> } };
    expect(result.content[0]?.text === text).toBe(true);
  });
});

describe('body limits', () => {
  const big = JSON.stringify(
    rpcRequest('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(5_000_000) } }),
  );

  test('[P4] POST /rpc returns 413 with a JSON-RPC error for a body above the limit, in any error format', async () => {
    for (const options of [{}, { failureBody: plainFailureBody }]) {
      const { url } = await serveEcho({ maxBodyBytes: 1000, ...options });
      const answer = await post(`${url}/rpc`, big);
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({
        jsonrpc: '2.0',
        id: null,
        error: { data: { code: 'input_too_large' } },
      });
    }
  });

  test('[P4] POST /rpc returns 413 for a body above the limit that does not announce its length', async () => {
    const { url } = await serveEcho({ maxBodyBytes: 1000 });
    const body = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 100; n += 1) controller.enqueue(Buffer.alloc(1000, 32));
        controller.close();
      },
    });
    const init = {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    } as RequestInit;
    const answer = await fetch(`${url}/rpc`, init);
    expect(answer.status).toBe(413);
  });

  test('[W8] a client that sends its whole body before it reads receives the 413 response', async () => {
    const { port } = await serveEcho({ maxBodyBytes: 1000 });
    const body = Buffer.alloc(20_000_000, 32);
    const head = `POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const answer = await sendThenRead(port, Buffer.concat([Buffer.from(head), body]));
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*input_too_large/s);
  });

  test.each([
    ['announces a long one', 'Content-Length: 1000000'],
    ['announces none', 'Transfer-Encoding: chunked'],
  ])('[W8] the host refuses and disconnects a client that %s and sends nothing', async (_, length) => {
    const { port } = await serveEcho();
    const head = `PUT /rpc HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n`;
    // Ends when the server closes the connection.
    const answer = await sendRaw(port, head, { waitMs: 600_000 });
    expect(answer.status).toBe(405);
    expect(answer.head).toMatch(/allow: POST[\s\S]*connection: close/i);
    expect(answer.body).toContain('method_not_allowed');
  });

  test('[W8] the host refuses a too long body of a client that waits for 100-continue before the client sends it', async () => {
    const { port } = await serveEcho({ maxBodyBytes: 1000 });
    const answer = await sendRaw(
      port,
      `POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000000\r\nExpect: 100-continue\r\n\r\n`,
      { until: /\}$/ },
    );
    expect(answer.status).toBe(413);
  });

  test('[W8] the host sends 100-continue to a client whose body is accepted', async () => {
    const { port } = await serveEcho();
    const body = JSON.stringify(rpcRequest('ping'));
    const head = `POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;
    const answer = await sendRaw(port, head + body, { until: /"result":\{\}\}$/ });
    expect(answer.status).toBe(100);
    expect(answer.body).toContain('"result":{}');
  });

  test('[W8] the host accepts a body of exactly the maximum length', async () => {
    const body = JSON.stringify(rpcRequest('ping'));
    const { port } = await serveEcho({ maxBodyBytes: body.length });
    const head = `POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;
    const answer = await sendRaw(port, head + body, { until: /"result":\{\}\}$/ });
    expect(answer.status).toBe(100);
  });

  test('[W8] the host returns 408 for a body that never ends, and serves other clients in the meantime', async () => {
    const { url, port } = await serveEcho({ requestTimeoutMs: 300 });
    const slow = sendRaw(
      port,
      'POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"json',
    );
    expect((await post(`${url}/rpc`, rpcRequest('ping'))).status).toBe(200);
    expect((await slow).status).toBe(408);
  });

  test('[W8] the host returns 408 for headers that never end', async () => {
    const { port } = await serveEcho({ requestTimeoutMs: 300 });
    expect((await sendRaw(port, 'POST /rpc HTTP/1.1\r\nHost: localhost\r\n')).status).toBe(408);
  });

  test('[W8] the host returns 431 for headers above the size limit', async () => {
    const { url, port } = await serveEcho();
    const answer = await sendRaw(
      port,
      `POST /rpc HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
    );
    expect(answer.status).toBe(431);
    expect((await post(`${url}/rpc`, rpcRequest('ping'))).status).toBe(200);
  });
});

describe('events that a host reports to its server', () => {
  const health: HttpRoute = { method: 'GET', path: '/health', handle: async () => ({ json: {} }) };

  test('onAnswered is called for each response to a call, with status and time, but not for a health check', async () => {
    const answers: { status: number; seconds: number; user: string | undefined }[] = [];
    const { url } = await serveEcho({ routes: [health], onAnswered: (answer) => answers.push(answer) });
    await fetch(`${url}/health`);
    await post(`${url}/rpc`, rpcRequest('ping'));
    await post(`${url}/rpc`, '<xml/>', { 'content-type': 'text/xml' });
    await expect.poll(() => answers.map(({ status }) => status)).toEqual([200, 415]);
    for (const { seconds, user } of answers) {
      expect(user).toBeUndefined();
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThan(20);
    }
  });

  test('`around` sees the trace of a message only after the call is read', async () => {
    const traces: unknown[] = [];
    const around: HttpHostOptions['around'] = async (exchange, work) => {
      traces.push(exchange.traceparent);
      await work();
      traces.push(exchange.traceparent);
    };
    const { url } = await serveEcho({ routes: [health], around });
    await fetch(`${url}/health`);
    expect(traces).toEqual([]);
    await post(`${url}/rpc`, rpcRequest('ping', { _meta: { traceparent: '00-1-2-01' } }));
    await post(`${url}/rpc`, { jsonrpc: '2.0', id: 1, result: {} });
    await expect.poll(() => traces).toEqual([undefined, '00-1-2-01', undefined, undefined]);
  });
});

describe('starting and closing a host', () => {
  test('[W12] serveHttp rejects for a port in use, with the port in the message', async () => {
    const { port } = await serveEcho();
    await expect(serveHttp({ host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringContaining(String(port)),
      data: { host: '127.0.0.1', port },
    });
  });

  test('serveHttp rejects for an address of another machine, with the address in the message', async () => {
    const options = {
      host: '203.0.113.7',
      port: 0,
      allowRemote: true,
      tlsTerminated: true,
      bearerToken: 'secret',
    };
    await expect(serveHttp(options)).rejects.toMatchObject({
      code: 'host_not_available',
      message: '203.0.113.7 is no address of this machine',
    });
  });

  test('[W12] closing a host waits for a running call', async () => {
    const host = await serveEcho({ closeGraceMs: 600_000 });
    const answer = post(
      `${host.url}/rpc`,
      rpcRequest('tools/call', { name: 'slow', arguments: { steps: 0, wait_ms: 150 } }),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closing = host.close();
    expect(await (await answer).json()).toMatchObject({ result: { content: [{ text: 'done' }] } });
    await closing;
    await expect(fetch(host.url)).rejects.toThrow();
  });

  test('[W12] closing a host ends in time, even if a call is running and a client keeps its connection open', async () => {
    const host = await serveEcho({ closeGraceMs: 50 });
    await post(`${host.url}/rpc`, rpcRequest('ping'));
    const hanging = post(
      `${host.url}/rpc`,
      rpcRequest('tools/call', { name: 'slow', arguments: { steps: 0, wait_ms: 60_000 } }),
    );
    hanging.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 50));
    await host.close();
    await host.close();
    await expect(hanging).rejects.toThrow();
  });
});
