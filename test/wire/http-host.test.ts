import { afterEach, describe, expect, test } from 'vitest';
import { type HttpHost, type HttpHostOptions, serveHttp } from '../../src/wire/http-host.ts';
import { echoServer } from './echo-server.ts';

const hosts: HttpHost[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

async function serve(options: Partial<HttpHostOptions> = {}): Promise<HttpHost> {
  const rpc = { server: echoServer(), paths: ['/rpc', '/mcp'] };
  const host = await serveHttp({ host: '127.0.0.1', port: 0, rpc, ...options });
  hosts.push(host);
  return host;
}

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

const request = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });

describe('JSON-RPC over plain HTTP', () => {
  test('[P1] /rpc and /mcp are the same endpoint', async () => {
    const { url } = await serve();
    const answers = await Promise.all(
      ['/rpc', '/mcp'].map(async (path) => (await post(url + path, request('tools/list'))).json()),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({
      result: { tools: [{ name: 'echo' }, { name: 'fail' }, { name: 'slow' }] },
    });
  });

  test('[P4] a notification gets 202 and no body', async () => {
    const { url } = await serve();
    const answer = await post(`${url}/rpc`, { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(answer.status).toBe(202);
    expect(await answer.text()).toBe('');
  });

  test('[P4] a body over the limit gets 413 and a JSON-RPC error', async () => {
    const { url } = await serve({ maxBodyBytes: 1000 });
    const answer = await post(
      `${url}/rpc`,
      request('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(5e6) } }),
    );
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { data: { code: 'input_too_large' } },
    });
  });

  test('[P4] GET on an RPC path is 405 and says what is allowed', async () => {
    const { url } = await serve();
    const answer = await fetch(`${url}/rpc`);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });
});
