import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runTool } from '../support/run-tool.ts';
import { type SecateurProcess, startSecateur } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

const fixture = fileURLToPath(new URL('../fixtures/gateway/stdio-server.mjs', import.meta.url));

async function start(words = [process.execPath, fixture]): Promise<SecateurProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'secateur-gateway-'));
  const command = JSON.stringify(words);
  writeFileSync(join(folder, 'config.toml'), `[mcp_gateway.servers.child]\ncommand = ${command}\n`);
  return startSecateur(['gateway'], { cwd: folder, env: { SECATEUR_DATA_DIR: folder } });
}

async function childPid({ url }: SecateurProcess): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pid' } });
  const response = await fetch(`${url}/api/mcp-gateway/child/rpc`, { method: 'POST', body });
  const { result } = (await response.json()) as { result: { content: Array<{ text: string }> } };
  return (JSON.parse(result.content[0]?.text ?? '{}') as { pid: number }).pid;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.each(['stop', 'kill'] as const)('[G24] the gateway leaves no upstream process after %s', async (how) => {
  const gateway = await start();
  const pid = await childPid(gateway);
  expect(isAlive(pid)).toBe(true);
  await gateway[how]();
  await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false);
});

it('[G24] an upstream process that ignores the end of its input ends with the gateway', async () => {
  const gateway = await start(['sh', '-c', `"${process.execPath}" "${fixture}"; sleep 1000`]);
  await childPid(gateway);
  const listed = await fetch(`${gateway.url}/api/mcp-gateway/servers`);
  const { servers } = (await listed.json()) as { servers: Array<{ processes?: Array<{ pid: number }> }> };
  const shell = servers.at(-1)?.processes?.[0]?.pid ?? 0;
  expect(isAlive(shell)).toBe(true);
  await gateway.kill();
  await expect.poll(() => isAlive(shell), { timeout: 5000 }).toBe(false);
});

it('[G2] secateur gateway lists the default servers and the servers of config.toml', async () => {
  const gateway = await start();
  const response = await fetch(`${gateway.url}/api/mcp-gateway/servers`);
  const { servers } = (await response.json()) as { servers: Array<{ name: string; url?: string }> };
  expect(Object.fromEntries(servers.map(({ name, url }) => [name, url]))).toEqual({
    pruner: 'http://127.0.0.1:8006/rpc',
    'fast-filesystem': 'http://127.0.0.1:8004/rpc',
    'json-query': 'http://127.0.0.1:8005/rpc',
    'sequential-thinking': 'http://127.0.0.1:8003/rpc',
    'shrimp-task-manager': 'http://127.0.0.1:8007/rpc',
    child: undefined,
  });
  await gateway.stop();
});

describeWith(['curl'], 'curl to the gateway', ({ curl }) => {
  it('[G1] the curl example of the documentation returns a result from the gateway', async () => {
    const gateway = await start();
    const call =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1}}}';
    const { stdout } = await runTool(curl, ['-s', `${gateway.url}/api/mcp-gateway/child/rpc`, '-d', call]);
    expect(JSON.parse(stdout)).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ text: '{"a":1}' }] },
    });
    await gateway.stop();
  });
});
