import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/secateur-cli.ts';
import { startSecateur } from '../support/secateur-process.ts';

const MB = 1024 * 1024;
const ANSWER_BYTES = 12 * MB;
const READERS = 60;
const ENV = { SECATEUR_MAX_HELD_BYTES: String(32 * MB) };

/** Returns the peak memory of the process in MB, as counted by the kernel. */
function peakMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Starts an upstream with only long responses. */
async function startLongUpstream(type: string): Promise<string> {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(ANSWER_BYTES) } });
  const body = Buffer.from(type === 'application/json' ? message : `data: ${message}\n\n`);
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** Starts clients that each send a call and do not read the response. */
function startSlowReaders(url: string, call: string): void {
  const { port, pathname } = new URL(url);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`;
  for (let at = 0; at < READERS; at += 1) {
    const socket = connect(Number(port), '127.0.0.1').pause();
    socket.on('error', () => {}).write(`${head}Content-Length: ${call.length}\r\n\r\n${call}`);
    onTestFinished(() => void socket.destroy());
  }
}

const toolCall = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

/** Returns whether a further call is refused, as the limit on held bytes asks for. */
async function expectRefused(url: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const refused = await fetch(url, { method: 'POST', headers, body });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ error: { code: -32009 } });
}

const onLinux = it.runIf(process.platform === 'linux');

onLinux.each(['application/json', 'text/event-stream'])(
  '[X6] [X23] 60 clients that do not read long %s answers cost the gateway at most SECATEUR_MAX_HELD_BYTES',
  async (type) => {
    const cwd = temporaryFolder();
    const upstream = await startLongUpstream(type);
    writeFileSync(
      join(cwd, 'config.toml'),
      `[mcp_gateway.servers.long]\nurl = "${upstream}"\nmax_chars = -1\n`,
    );
    const gateway = await startSecateur(['gateway'], { cwd, env: ENV });
    onTestFinished(() => gateway.stop());
    const before = peakMb(gateway.pid);
    const url = `${gateway.url}/api/mcp-gateway/long/rpc`;
    startSlowReaders(url, toolCall('long', {}));
    await expectRefused(url, toolCall('long', {}));
    expect(peakMb(gateway.pid) - before).toBeLessThan(300);
  },
  60_000,
);

onLinux(
  '[X6] [X23] 60 clients that read nothing of a long file cost the focus server what SECATEUR_MAX_HELD_BYTES allows',
  async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'long.txt'), `${'x'.repeat(99)}\n`.repeat(ANSWER_BYTES / 100));
    const focus = await startSecateur(['focus', '--root', cwd], { cwd, env: ENV });
    onTestFinished(() => focus.stop());
    const call = toolCall('read', { path: 'long.txt' });
    // One call, with all copies of its text. 60 such calls would need 60 times this memory.
    const headers = { 'content-type': 'application/json' };
    await (await fetch(`${focus.url}/mcp`, { method: 'POST', headers, body: call })).text();
    const before = peakMb(focus.pid);
    startSlowReaders(`${focus.url}/mcp`, call);
    await expectRefused(`${focus.url}/mcp`, call);
    expect(peakMb(focus.pid) - before).toBeLessThan(300);
  },
  60_000,
);
