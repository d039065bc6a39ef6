import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const UPSTREAM = [process.execPath, here('test/fixtures/gateway/stdio-server.mjs')];
const OUTSIDE = here('test/outside/node_modules/.bin');

/** Something that carries a call to the stdio server. */
export interface Target {
  readonly name: string;
  /** A client of its own: a session, a connection. */
  connect(): Promise<BenchClient>;
  /** CPU milliseconds that the proxy process has used so far; 0 without a proxy. */
  cpuMs(): number;
  close(): void;
}

export interface BenchClient {
  call(args: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** No process in between: lines to the server's stdin, lines from its stdout. */
export async function direct(): Promise<Target> {
  const child = spawn(UPSTREAM[0] ?? '', UPSTREAM.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, (line: string) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const id = Number(/"id":(\d+)/.exec(line)?.[1]);
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  let lastId = 0;
  const send = (method: string, params: unknown) =>
    new Promise<string>((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })}\n`);
    });
  await send('initialize', HELLO);
  const call = (args: Record<string, unknown>) => send('tools/call', { name: 'echo', arguments: args });
  return {
    name: 'direct',
    connect: async () => ({ call, close: async () => {} }),
    cpuMs: () => 0,
    close: () => void child.kill(),
  };
}

export async function secateur(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'secateur-bench-'));
  writeFileSync(
    join(folder, 'config.toml'),
    `[mcp_gateway.servers.up]\ncommand = ${JSON.stringify(UPSTREAM)}\n`,
  );
  const args = [here('packages/secateur/dist/main/secateur.js'), 'gateway', '--data-dir', folder];
  return overHttp('secateur gateway', {
    args,
    cwd: folder,
    path: '/api/mcp-gateway/up/rpc',
    portFlag: '--port',
  });
}

export function mcpProxy(): Promise<Target> {
  const args = [join(OUTSIDE, 'mcp-proxy'), '--host', '127.0.0.1', '--server', 'stream'];
  return overHttp('mcp-proxy', { args, path: '/mcp', portFlag: '--port', command: UPSTREAM });
}

export function supergateway(): Promise<Target> {
  const args = [
    join(OUTSIDE, 'supergateway'),
    '--stdio',
    UPSTREAM.join(' '),
    '--outputTransport',
    'streamableHttp',
  ];
  const more = ['--stateful', '--logLevel', 'none'];
  return overHttp('supergateway', { args: [...args, ...more], path: '/mcp', portFlag: '--port' });
}

interface HttpTarget {
  readonly args: readonly string[];
  readonly path: string;
  readonly portFlag: string;
  readonly command?: readonly string[];
  readonly cwd?: string;
}

async function overHttp(name: string, { args, path, portFlag, command, cwd }: HttpTarget): Promise<Target> {
  const port = await freePort();
  const all = [...args, portFlag, String(port), ...(command === undefined ? [] : ['--', ...command])];
  const child = spawn(process.execPath, all, { stdio: 'ignore', ...(cwd === undefined ? {} : { cwd }) });
  await listening(port, child);
  return {
    name,
    connect: () => httpClient(`http://127.0.0.1:${port}`, path),
    cpuMs: () => cpuMsOf(child),
    close: () => void child.kill(),
  };
}

const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

async function httpClient(origin: string, path: string): Promise<BenchClient> {
  const pool = new Pool(origin, { connections: 1, keepAliveTimeout: 60_000 });
  let session: Record<string, string> = {};
  let lastId = 0;
  const post = async (message: object) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...session,
    };
    const response = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(message) });
    const id = response.headers['mcp-session-id'];
    if (typeof id === 'string') session = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-06-18' };
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${response.statusCode} ${text}`);
    return text;
  };
  const request = (method: string, params: unknown) => {
    lastId += 1;
    return post({ jsonrpc: '2.0', id: lastId, method, params });
  };
  await request('initialize', HELLO);
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    call: (args) => request('tools/call', { name: 'echo', arguments: args }),
    close: () => pool.close(),
  };
}

/** User and system time of one process, from Linux's own count in ticks of 10 ms. */
function cpuMsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600 && child.exitCode === null; tries += 1) {
    const found = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (found) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing listens on ${port}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
