import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';
import { startSecateur } from '../support/secateur-process.ts';

/** Settings, a token, an address and a key of ours, and a variable that is not ours. */
const OURS = {
  SECATEUR_MAX_CALLS: '99',
  SECATEUR_REDIS_URL: 'redis://127.0.0.1:1',
  DEEPINFRA_API_KEY: 'key-of-ours',
  JEEVES_PRUNER_ENDPOINT: 'http://127.0.0.1:1/prune',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
};
const NAMES =
  /SECATEUR_|MCP_PRUNER_|MCP_GATEWAY_|JEEVES_|DEEPINFRA_|OTEL_EXPORTER|key-of-ours|127\.0\.0\.1:1/;

/** A stdio server that answers a tool call with its environment. */
const ENV_SERVER = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } };
  const result = method === 'initialize' ? hello : { content: [{ type: 'text', text: JSON.stringify(process.env) }] };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;

async function callTool(url: string, name: string, args: object): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  return response.text();
}

it('[X30] [T22] a stdio upstream gets no SECATEUR variable unless its table sets it', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'server.cjs'), ENV_SERVER);
  writeFileSync(
    join(cwd, 'config.toml'),
    `[mcp_gateway.servers.child]\ncommand = ["${process.execPath}", "${join(cwd, 'server.cjs')}"]\n` +
      'env = { GIVEN = "${env:SECATEUR_MAX_CALLS}" }\n',
  );
  const gateway = await startSecateur(['gateway'], { cwd, env: { ...OURS, OTHERS: 'inherited' } });
  onTestFinished(() => gateway.stop());
  const text = await callTool(`${gateway.url}/api/mcp-gateway/child/rpc`, 'env', {});
  expect(text).toContain('inherited');
  expect(text).toMatch(/GIVEN\W+99/);
  expect(text).not.toMatch(NAMES);
});

it('[X30] a command of the focus tools gets no SECATEUR variable', async () => {
  const cwd = temporaryFolder();
  const focus = await startSecateur(['focus', '--root', cwd], { cwd, env: { ...OURS, OTHERS: 'inherited' } });
  onTestFinished(() => focus.stop());
  const text = await callTool(`${focus.url}/mcp`, 'bash', { cmd: 'env' });
  expect(text).toContain('inherited');
  expect(text).not.toMatch(NAMES);
});

it('[X30] a command started with secateur run keeps its environment', async () => {
  const dataDir = temporaryFolder();
  const { stdout } = await secateur(['run', '--', 'sh', '-c', 'echo at $SECATEUR_DATA_DIR'], { dataDir });
  expect(stdout).toContain(`at ${dataDir}`);
});
