import { afterEach } from 'vitest';
import {
  type HttpHost,
  type HttpHostOptions,
  serveHttp,
} from '../../../packages/serving/src/wire/http-host.ts';
import { echoServer } from './echo-server.ts';

const hosts: HttpHost[] = [];

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

/** The echo server on a port of the system's choice; closed after the test. */
export async function serveEcho(options: Partial<HttpHostOptions> = {}): Promise<HttpHost> {
  const rpc = { server: echoServer(), paths: ['/rpc', '/mcp'] };
  const host = await serveHttp({ host: '127.0.0.1', port: 0, rpc, closeGraceMs: 200, ...options });
  hosts.push(host);
  return host;
}

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

export function rpcRequest(method: string, params?: unknown): Record<string, unknown> {
  return { jsonrpc: '2.0', id: 1, method, params };
}
