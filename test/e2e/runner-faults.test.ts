import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LogEvent } from '../../packages/base/src/runtime/event-log.ts';
import { bareEnvironment } from '../support/bare-environment.ts';

const RUNNER = new URL('../../packages/secateur/dist/runner/focus-run.js', import.meta.url).href;
const ENABLED = { ...bareEnvironment, JEEVES_MCP_PRUNER_ENABLED: 'true', JEEVES_PRUNER_ENDPOINT: 'embedded' };

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'secateur-faults-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('an agent run continues without tools after the server was killed during a call, and leaves no process [F20] [F22] [FRT5]', async () => {
  const { startFocusRun }: typeof import('../../packages/secateur/src/runner/focus-run.ts') = await import(
    RUNNER
  );
  const events: LogEvent[] = [];
  const run = await startFocusRun({ root, env: ENABLED, log: { emit: (event) => events.push(event) } });
  const server = run.serverPid ?? 0;
  const call = callBash(run.endpoint?.url ?? '', 'echo $$ > pid; sleep 300 | sleep 300').catch(() => 'lost');
  const command = await eventually(
    async () => Number(await readFile(join(root, 'pid'), 'utf8')) || undefined,
  );
  process.kill(server, 'SIGKILL');
  expect(await call).toBe('lost');
  await eventually(async () => run.state === 'run:mcp_pruner_degraded' || undefined);
  expect(run.claudeMcpServers()).toEqual({});
  await run.shutdown();
  expect(events.at(-1)?.event).toBe('mcp_pruner.shutdown_after_degraded');
  await eventually(async () => (!groupLives(server) && !groupLives(command)) || undefined);
});

it('the focus server exits when the runner is killed [F20]', async () => {
  const script = `
    const { startFocusRun } = await import(${JSON.stringify(RUNNER)});
    const run = await startFocusRun({ root: ${JSON.stringify(root)}, env: process.env });
    console.log(run.serverPid);
    setInterval(() => {}, 1000);
  `;
  const runner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: ENABLED,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: runner.stdout }), 'line');
  const server = Number(line);
  expect(groupLives(server)).toBe(true);
  runner.kill('SIGKILL');
  await eventually(async () => !groupLives(server) || undefined);
});

async function callBash(url: string, cmd: string): Promise<string> {
  const params = { name: 'bash', arguments: { cmd, timeout_ms: 300_000 } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return response.text();
}

function groupLives(leader: number): boolean {
  if (leader === 0) throw new Error('no process to look for');
  try {
    process.kill(-leader, 0);
    return true;
  } catch {
    return false;
  }
}

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('waited in vain');
}
