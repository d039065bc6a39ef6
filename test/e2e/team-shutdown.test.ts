import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/secateur-cli.ts';
import { type SecateurProcess, startSecateur } from '../support/secateur-process.ts';

/** Starts a server that answers when the test says so. */
async function slowUpstream() {
  const waiting: (() => void)[] = [];
  const server = createServer((asked, response) => {
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.on('end', () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number };
      const json = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } };
      response.setHeader('content-type', 'application/json');
      waiting.push(() => void response.end(JSON.stringify(json)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`, waiting };
}

async function startGateway(upstream: string, env: Readonly<Record<string, string>>) {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'config.toml'), `[mcp_gateway.servers.slow]\nurl = "${upstream}"\n`);
  return startSecateur(['gateway'], { cwd: dataDir, env: { SECATEUR_DATA_DIR: dataDir, ...env } });
}

async function callTool({ url }: SecateurProcess): Promise<string> {
  const response = await fetch(`${url}/api/mcp-gateway/slow/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } }),
  });
  return response.text();
}

const readiness = ({ url }: SecateurProcess) =>
  fetch(`${url}/ready`).then(
    ({ status }) => status,
    () => 0,
  );

it('[T11] the gateway after SIGTERM returns 503 for /ready, finishes running calls, and exits with 0', async () => {
  const upstream = await slowUpstream();
  const gateway = await startGateway(upstream.url, {
    SECATEUR_SHUTDOWN_DELAY_MS: '3000',
    SECATEUR_SHUTDOWN_TIMEOUT_MS: '30000',
  });
  expect(await readiness(gateway)).toBe(200);
  const running = callTool(gateway);
  await expect.poll(() => upstream.waiting.length).toBe(1);
  const stopped = gateway.stop();
  await expect.poll(() => readiness(gateway), { interval: 20 }).toBe(503);
  // A client that has not noticed the shutdown is still served.
  const late = callTool(gateway);
  await expect.poll(() => upstream.waiting.length).toBe(2);
  await expect.poll(() => readiness(gateway), { timeout: 20_000 }).toBe(0);
  for (const finish of upstream.waiting) finish();
  expect(await running).toContain('done');
  expect(await late).toContain('done');
  await stopped;
  expect(gateway.exitCode()).toBe(0);
});

it('[T11] a call that runs longer than shutdown_timeout_ms does not delay the exit of the gateway', async () => {
  const upstream = await slowUpstream();
  const gateway = await startGateway(upstream.url, { SECATEUR_SHUTDOWN_TIMEOUT_MS: '200' });
  const running = callTool(gateway).then(
    () => 'answered',
    () => 'broken off',
  );
  await expect.poll(() => upstream.waiting.length).toBe(1);
  await gateway.stop();
  expect(await running).toBe('broken off');
});

it('[T12] the server accepts its declared public name as Host, and refuses every other name', async () => {
  const server = await startSecateur(['pruner'], { env: { SECATEUR_ALLOWED_HOSTS: 'pruner.example' } });
  onTestFinished(() => server.stop());
  const statusFor = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${server.url}/health`, { headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .once('error', reject)
        .end();
    });
  expect(await statusFor('pruner.example')).toBe(200);
  expect(await statusFor('pruner.example:443')).toBe(200);
  expect(await statusFor('evil.example')).toBe(403);
});
