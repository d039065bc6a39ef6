import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../packages/secateur/dist/main/secateur.js', import.meta.url));

/** One of our servers under load: its calls, and the path of its health check. */
export interface LoadedServer {
  readonly name: string;
  readonly url: string;
  readonly healthPath: string;
  readonly pid: number;
  /** The address and body of the call with this number: sizes are mixed. */
  request(call: number): { path: string; body: string };
}

export interface LoadedServers {
  readonly servers: readonly LoadedServer[];
  close(): Promise<void>;
}

/** The three servers as their users start them, each in a process of its own, and an upstream for the gateway. */
export async function startServers(env: Readonly<Record<string, string>> = {}): Promise<LoadedServers> {
  const home = await mkdtemp(join(tmpdir(), 'secateur-load-'));
  await writeFile(join(home, 'large.txt'), sourceText(200_000));
  const upstream = await startUpstream();
  await writeFile(join(home, 'config.toml'), `[mcp_gateway.servers.files]\nurl = "${upstream.url}"\n`);
  const common = { cwd: home, env: { PATH: process.env.PATH ?? '', HOME: home, ...env } };
  const started = await Promise.all([
    start(['pruner', '--port', '0'], common),
    start(['focus', '--port', '0', '--root', home], common),
    start(['gateway', '--port', '0'], common),
  ]);
  const [pruner, focus, gateway] = started;
  return {
    servers: [
      { name: 'pruner', healthPath: '/health', ...pruner, request: pruneRequest },
      { name: 'focus', healthPath: '/healthz', ...focus, request: focusRequest },
      { name: 'gateway', healthPath: '/health', ...gateway, request: gatewayRequest },
    ],
    close: async () => {
      for (const { child } of started) child.kill();
      upstream.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly pid: number;
}

async function start(
  args: readonly string[],
  place: { cwd: string; env: Record<string, string> },
): Promise<Started> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { ...place, stdio: ['ignore', 'pipe', 'pipe'] });
  const port = await new Promise<string>((resolve, reject) => {
    let said = '';
    const look = (chunk: Buffer) => {
      said += chunk;
      const found = /http:\/\/127\.0\.0\.1:(\d+)|"port":(\d+)/.exec(said);
      if (found !== null) resolve(found[1] ?? found[2] ?? '');
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
  return { child, url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 };
}

/** Resident bytes of a process; 0 where the system does not tell. */
export function residentBytes(pid: number): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

async function startUpstream(): Promise<{ url: string; close(): void }> {
  const sizes = SIZES.map((size) => sourceText(size));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { id?: unknown };
      const text = sizes[Number(id) % sizes.length] ?? '';
      const result = { content: [{ type: 'text', text }] };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, close: () => void server.close() };
}

const SIZES = [2000, 20_000, 2000, 200_000];

function sourceText(characters: number): string {
  const line = (at: number) => `export const value${at} = compute(${at}, "retry policy ${at % 7}");\n`;
  let text = '';
  for (let at = 0; text.length < characters; at += 1) text += line(at);
  return text.slice(0, characters);
}

const TEXTS = SIZES.map((size) => sourceText(size));

function pruneRequest(call: number) {
  const options = {
    ...{ max_prune_ratio: 0.7, min_keep_lines: 5, timeout_ms: 1500 },
    ...{ annotate_lines: false, include_markers: true },
  };
  const text = `// call ${call}\n${TEXTS[call % TEXTS.length]}`;
  const args = { text, goal_hint: 'where does the retry policy give up?', source_type: 'code', options };
  return { path: '/rpc', body: toolCall(call, 'prune_text', args) };
}

function focusRequest(call: number) {
  const grep = toolCall(call, 'grep', { pattern: `value${call % 90}\\b`, paths: ['.'] });
  const read = toolCall(call, 'read', { path: 'large.txt' });
  const bash = toolCall(call, 'bash', { cmd: 'echo done' });
  return { path: '/mcp', body: [grep, read, bash][call % 3] ?? read };
}

function gatewayRequest(call: number) {
  return { path: '/api/mcp-gateway/files/rpc', body: toolCall(call, 'fetch', {}) };
}

function toolCall(id: number, name: string, args: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
}
