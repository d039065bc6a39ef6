import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sendRaw } from './raw-http.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

const token = fc.stringMatching(/^[A-Za-z0-9-]{1,12}$/);

/** Mostly valid requests, sometimes any bytes, because bytes that fail in Node's own parser do not test this host. */
function mostly<T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

const header = mostly(
  fc.oneof(
    fc.tuple(fc.constant('Origin'), fc.constantFrom('http://localhost', 'http://evil.example', 'null', '')),
    fc.tuple(fc.constant('Host'), fc.constantFrom('localhost', 'evil.example', '[::1]:9', '@')),
    fc.tuple(fc.constant('Accept'), fc.constantFrom('application/json', 'text/event-stream', '*/*')),
    fc.tuple(
      fc.constant('MCP-Protocol-Version'),
      fc.constantFrom('2026-07-28', '2025-11-25', '1', '9999-99-99'),
    ),
    fc.tuple(
      fc.constantFrom('Mcp-Session-Id', 'Mcp-Method', 'Mcp-Name', 'Authorization'),
      fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
    ),
    fc.tuple(fc.constant('Expect'), fc.constantFrom('100-continue', 'miracles')),
    fc.tuple(fc.constant('Content-Encoding'), fc.constantFrom('gzip', 'identity', '')),
    fc.tuple(fc.constant('Connection'), fc.constantFrom('close', 'keep-alive', 'upgrade')),
    fc.tuple(fc.constant('Upgrade'), fc.constantFrom('websocket', 'h2c')),
  ),
  fc.tuple(
    mostly(token, fc.constantFrom('Content-Length', 'Transfer-Encoding')),
    fc.string({ maxLength: 20 }),
  ),
);
const target = mostly(
  fc.constantFrom(
    '/rpc',
    '/mcp',
    '/rpc?x=%ff',
    '/health',
    '/api/a/rpc',
    '/api/%ff/rpc',
    '*',
    '/%',
    '//',
    'http://evil.example/',
  ),
  fc.string({ maxLength: 20 }),
);
const method = mostly(
  fc.constantFrom('POST', 'POST', 'POST', 'GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'),
  token,
);
const body = fc.oneof(
  fc.constantFrom(
    ...['ping', 'tools/list', 'initialize', 'server/discover'].map((name) =>
      JSON.stringify(rpcRequest(name)),
    ),
  ),
  fc
    .json()
    .map(
      (args) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${args}}}`,
    ),
  fc.json(),
  fc.string({ maxLength: 50 }),
);
const framing = mostly(
  fc.constantFrom('length', 'chunks'),
  fc.constantFrom('none', 'short', 'both', 'broken chunks'),
);

function framed(text: string, kind: string): { headers: string; body: string } {
  const bytes = Buffer.from(text).toString('latin1');
  const length = `Content-Length: ${bytes.length}\r\n`;
  const chunked = 'Transfer-Encoding: chunked\r\n';
  const chunks = `${bytes.length.toString(16)}\r\n${bytes}\r\n0\r\n\r\n`;
  if (kind === 'length') return { headers: length, body: bytes };
  if (kind === 'chunks') return { headers: chunked, body: bytes.length === 0 ? '0\r\n\r\n' : chunks };
  if (kind === 'short') return { headers: `Content-Length: ${bytes.length + 5}\r\n`, body: bytes };
  if (kind === 'both') return { headers: length + chunked, body: chunks };
  if (kind === 'broken chunks') return { headers: chunked, body: `zz\r\n${bytes}` };
  return { headers: '', body: bytes };
}

const request = fc
  .record({
    method,
    target,
    headers: fc.array(header, { maxLength: 3 }),
    body,
    framing,
    host: mostly(fc.constant('Host: localhost\r\n'), fc.constant('')),
  })
  .map(({ method, target, headers, body, framing, host }) => {
    const frame = framed(body, framing);
    const others = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return `${method} ${target} HTTP/1.1\r\n${host}Content-Type: application/json\r\n${frame.headers}${others}\r\n${frame.body}`;
  });

test('[W5] the HTTP host does not crash for any bytes on its socket', async () => {
  const errors: unknown[] = [];
  const health = { method: 'GET', path: '/health', handle: async () => ({ json: {} }) } as const;
  const raw = {
    kind: 'raw',
    path: '/api/:name/rpc',
    handle: async ({ response }: { response: { end(): void } }) => response.end(),
  } as const;
  const { url, port } = await serveEcho({
    routes: [health, raw] as never,
    requestTimeoutMs: 500,
    maxBodyBytes: 10_000,
    onError: (error) => errors.push(error),
  });
  const bytes = fc.oneof(
    { weight: 5, arbitrary: request },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 200 }).map((noise) => Buffer.from(noise).toString('latin1')),
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 3 }), async (requests) => {
      // The test does not wait for slow responses; the host has to survive clients that leave in the middle.
      await sendRaw(port, Buffer.from(requests.join(''), 'latin1'), { waitMs: 15 });
    }),
    { numRuns: 400 },
  );
  expect(errors).toEqual([]);
  expect((await post(`${url}/rpc`, rpcRequest('ping'))).status).toBe(200);
});
