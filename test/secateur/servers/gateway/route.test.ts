import { expect, it } from 'vitest';
import { answering, startGateway, startUpstream } from '../../../support/gateway.ts';

const request = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'read', arguments: {} } };

it('[G1] POST /api/mcp-gateway/NAME/rpc forwards one JSON-RPC object and returns one JSON-RPC object', async () => {
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text: 'hello' }] }));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const response = await gateway.post('files', request);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(await response.json()).toEqual({
    jsonrpc: '2.0',
    id: 7,
    result: { content: [{ type: 'text', text: 'hello' }] },
  });
});

it('[G1] the gateway route forwards the exact bytes of the body, with large numbers and spaces', async () => {
  const upstream = await startUpstream(answering({}));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const body = '{ "jsonrpc":"2.0",  "id": 12345678901234567890, "method": "x", "params": {"n": 1.0e400} }\n';
  await gateway.post('files', body);
  expect(upstream.seen[0]?.body).toBe(body);
});

it('[G1] the gateway route accepts a body from curl with any content type', async () => {
  const upstream = await startUpstream(answering({ ok: true }));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const response = await gateway.post('files', request, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect(await response.json()).toMatchObject({ result: { ok: true } });
  expect(upstream.seen[0]?.headers['content-type']).toBe('application/json');
});

it('[G1] the gateway route returns JSON to a client that does not accept events', async () => {
  const upstream = await startUpstream((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n',
    );
    response.end('data: {"jsonrpc":"2.0","id":7,"result":{"ok":true}}\n\n');
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const response = await gateway.post('files', request);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 7, result: { ok: true } });
  expect(upstream.seen[0]?.headers.accept).toBe('application/json, text/event-stream');
});

it.each(['text/event-stream; charset=utf-8', 'Text/Event-Stream'])(
  '[G1] the gateway route reads %s as an event stream',
  async (contentType) => {
    const upstream = await startUpstream((_, response) => {
      response.writeHead(200, { 'content-type': contentType });
      response.end('data: {"jsonrpc":"2.0","id":7,"result":{"ok":true}}\n\n');
    });
    const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
    const response = await gateway.post('files', request);
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 7, result: { ok: true } });
  },
);

it('[G1] the gateway route forwards events as they arrive, byte for byte', async () => {
  const events = ': hello\n\nid: 4\nevent: message\r\ndata: {"jsonrpc":"2.0",\r\ndata: "method":"x"}\r\n\r\n';
  const upstream = await startUpstream((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 's1' });
    response.write(events.slice(0, 30));
    setImmediate(() => response.end(events.slice(30)));
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const response = await gateway.post('files', request, { accept: 'application/json, text/event-stream' });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('mcp-session-id')).toBe('s1');
  expect(await response.text()).toBe(events);
});

it('[G1] the gateway route forwards GET and DELETE with their session and protocol headers', async () => {
  const upstream = await startUpstream(({ method }, response) => {
    response.writeHead(method === 'GET' ? 405 : 204, method === 'GET' ? { allow: 'POST' } : {}).end();
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const headers = { 'mcp-session-id': 's1', 'mcp-protocol-version': '2025-11-25', 'last-event-id': '4' };
  const got = await fetch(gateway.url('files'), { headers: { ...headers, accept: 'text/event-stream' } });
  expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
  const deleted = await fetch(gateway.url('files'), { method: 'DELETE', headers });
  expect(deleted.status).toBe(204);
  expect(upstream.seen.map((each) => each.method)).toEqual(['GET', 'DELETE']);
  for (const each of upstream.seen) expect(each.headers).toMatchObject(headers);
});

it('[G1] the gateway route returns 202 for a notification that the upstream accepted', async () => {
  const upstream = await startUpstream((_, response) => response.writeHead(202).end());
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const response = await gateway.post('files', { jsonrpc: '2.0', method: 'notifications/initialized' });
  expect([response.status, await response.text()]).toEqual([202, '']);
});

it('[G2] GET /api/mcp-gateway lists the servers with their state', async () => {
  const gateway = await startGateway({
    servers: { files: { url: 'http://user:secret@127.0.0.1:1/rpc?key=secret', maxChars: 100 } },
  });
  expect(await gateway.servers()).toEqual([
    {
      name: 'files',
      kind: 'http',
      url: 'http://127.0.0.1:1/rpc',
      session: 'none',
      circuit: { state: 'closed', failures: 0 },
      in_flight: 0,
      settings: expect.objectContaining({ max_chars: 100, head_chars: 2000 }),
    },
  ]);
});

it('[G3] the gateway route calls a server whose configuration is only its address', async () => {
  const upstream = await startUpstream(answering({ ok: true }));
  const gateway = await startGateway({ servers: { 'any name': { url: upstream.url } } });
  expect(await gateway.call('any%20name', 'ping')).toMatchObject({ result: { ok: true } });
});

it('[G25] the gateway route does not forward Authorization, cookies or unlisted headers', async () => {
  const upstream = await startUpstream(answering({}));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  await gateway.post('files', request, {
    authorization: 'Bearer secret',
    cookie: 'a=b',
    'x-other': 'c',
    traceparent: '00-1-2-03',
    'mcp-name': 'read',
  });
  const seen = upstream.seen[0]?.headers ?? {};
  expect(seen).toMatchObject({ traceparent: '00-1-2-03', 'mcp-name': 'read' });
  expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['authorization']));
  expect(seen.cookie).toBeUndefined();
  expect(seen['x-other']).toBeUndefined();
});

it('[G25] the gateway route sends the configured headers, and a client cannot replace them', async () => {
  const upstream = await startUpstream(answering({}));
  const servers = {
    files: { url: upstream.url, headers: { Authorization: 'Bearer ours', 'Mcp-Name': 'ours' } },
  };
  const gateway = await startGateway({ servers });
  await gateway.post('files', request, { authorization: 'Bearer theirs', 'mcp-name': 'theirs' });
  expect(upstream.seen[0]?.headers).toMatchObject({ authorization: 'Bearer ours', 'mcp-name': 'ours' });
});

it('[G25] the gateway route does not follow redirects', async () => {
  const elsewhere = await startUpstream(answering({}));
  const upstream = await startUpstream((_, response) =>
    response.writeHead(307, { location: elsewhere.url }).end(),
  );
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  expect(await gateway.call('files', 'tools/call')).toMatchObject({
    id: 1,
    error: { code: -31005, data: { code: 'upstream_http_error', http_status: 307 } },
  });
  expect(elsewhere.seen).toEqual([]);
});

it('the gateway route keeps connections to its upstream open between calls', async () => {
  const sockets = new Set<unknown>();
  const upstream = await startUpstream((seen, response) => {
    sockets.add(response.socket);
    answering({})(seen, response);
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  for (let at = 0; at < 5; at += 1) await gateway.call('files', 'ping');
  expect(sockets.size).toBe(1);
});

it('[G33] POST /api/mcp-gateway/NAME/mcp returns what POST /api/mcp-gateway/NAME/rpc returns', async () => {
  const upstream = await startUpstream(answering({ ok: true }));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const post = (path: string) =>
    fetch(`${gateway.origin}/api/mcp-gateway/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
  const [rpc, mcp] = await Promise.all([post('files/rpc'), post('files/mcp')]);
  expect(mcp.status).toBe(200);
  expect(await mcp.json()).toEqual(await rpc.json());
  expect((await post('unknown/mcp')).status).toBe(404);
});
