import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpHost, serveHttp } from '../../../packages/serving/src/wire/http-host.ts';
import { serveStdio } from '../../../packages/serving/src/wire/stdio-host.ts';
import { writtenTo } from '../../support/written-to.ts';
import { echoServer } from './echo-server.ts';
import { post } from './serve-echo.ts';

const newId = () => 'call';
let http: HttpHost;
beforeAll(async () => {
  http = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    rpc: { server: echoServer(), paths: ['/rpc'] },
    newId,
  });
});
afterAll(() => http.close());

async function overHttp(text: string): Promise<string> {
  return (await post(`${http.url}/rpc`, text)).text();
}

async function overStdio(text: string): Promise<string> {
  const input = new PassThrough();
  const output = new PassThrough();
  const host = serveStdio(echoServer(), { input, output, newId });
  input.end(`${text}\n`);
  await host.closed;
  return writtenTo(output).trimEnd();
}

const message = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '2.0', '1.0'),
    id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
    method: fc.constantFrom(
      'initialize',
      'ping',
      'tools/list',
      'tools/call',
      'prompts/list',
      'health',
      'nothing',
      'notifications/x',
    ),
    params: fc.oneof(
      fc.record({
        name: fc.constantFrom('echo', 'repeat', 'fail', 'sing'),
        arguments: fc.oneof(
          fc.record({ text: fc.string() }),
          fc.record({ how: fc.constantFrom('known', 'bug') }),
          fc.jsonValue(),
        ),
      }),
      fc.record({ protocolVersion: fc.constantFrom('2025-06-18', '1', 5) }),
      fc.jsonValue(),
    ),
  },
  { requiredKeys: ['jsonrpc'] },
);

test('[W1] HTTP and stdio respond to the same request with the same bytes', async () => {
  const text = fc.oneof(
    { weight: 9, arbitrary: message.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.json() },
  );
  await fc.assert(
    fc.asyncProperty(text, async (sent) => {
      expect(await overHttp(sent)).toBe(await overStdio(sent));
    }),
    { numRuns: 300 },
  );
});

test.each(['9007199254740993', '1763208000123456789', '-12345678901234567890'])(
  '[W1] the response contains the id %s with all digits',
  async (id) => {
    const ping = `{"method":"ping","params":{"id":7},"jsonrpc":"2.0","id":${id}}`;
    const answer = `{"jsonrpc":"2.0","id":${id},"result":{}}`;
    expect(await overHttp(ping)).toBe(answer);
    expect(await overStdio(ping)).toBe(answer);
    const unknown = ping.replace('ping', 'nothing');
    expect(await overHttp(unknown)).toContain(`{"jsonrpc":"2.0","id":${id},"error":`);
    expect(await overStdio(unknown)).toBe(await overHttp(unknown));
  },
);

test('the host keeps the connection open for the next request', async () => {
  const { Pool } = await import('undici');
  const pool = new Pool(http.url, { connections: 1 });
  let connected = 0;
  pool.on('connect', () => {
    connected += 1;
  });
  for (let call = 0; call < 5; call += 1) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: call, method: 'ping' });
    const answer = await pool.request({
      path: '/rpc',
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(await answer.body.json()).toEqual({ jsonrpc: '2.0', id: call, result: {} });
  }
  expect(connected).toBe(1);
  await pool.close();
});
