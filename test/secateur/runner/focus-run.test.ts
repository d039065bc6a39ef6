import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import type { LogEvent } from '../../../packages/base/src/runtime/event-log.ts';
import {
  FocusRun,
  type FocusRunOptions,
  type RunState,
  startFocusRun,
} from '../../../packages/secateur/src/runner/focus-run.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';

const FIXTURE = fileURLToPath(new URL('../../fixtures/runner/server.mjs', import.meta.url));
const QUICK = {
  startupTimeoutMs: 10_000,
  shutdownTimeoutMs: 300,
  probeIntervalMs: 10,
  maxConnectFailures: 10,
};

let runs: FocusRun[] = [];
afterEach(async () => {
  for (const run of runs) await run.shutdown();
  runs = [];
});

async function start(mode: string, options: Partial<FocusRunOptions> = {}) {
  const events: LogEvent[] = [];
  const states: RunState[] = [];
  const run = await startFocusRun({
    root: tmpdir(),
    env: { ...bareEnvironment, JEEVES_MCP_PRUNER_ENABLED: 'true' },
    log: { emit: (event) => events.push(event) },
    onState: (state) => states.push(state),
    command: { file: process.execPath, args: [FIXTURE, mode] },
    limits: QUICK,
    ...options,
  });
  runs.push(run);
  const names = () => events.map((event) => event.event);
  return { run, events, states, names };
}

function dataOf(events: LogEvent[], name: string) {
  return events.find((event) => event.event === name)?.data;
}

async function until(condition: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 1000 && !condition(); attempt += 1) await pause(20);
  expect(condition()).toBe(true);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function groupIsGone(pid: number | undefined): boolean {
  if (pid === undefined || Number.isNaN(pid)) throw new Error('no pid to look for');
  try {
    process.kill(-pid, 0);
    return false;
  } catch {
    return true;
  }
}

it('FocusRun changes its state from init to running and to shutdown, and offers the tools while it runs [F20] [FRT2] [FRT3] [FRT6] [FRV2]', async () => {
  const { run, states, names, events } = await start('healthy');
  expect(run.state).toBe('run:mcp_pruner_running');
  expect(run.claudeMcpServers()).toEqual({ pruner: { type: 'http', url: run.endpoint?.url } });
  expect(run.codexArguments()).toEqual(['--config', `mcp_servers.pruner.url="${run.endpoint?.url}"`]);
  const pid = run.serverPid;
  await run.shutdown();
  expect(run.claudeMcpServers()).toEqual({});
  expect(run.codexArguments()).toEqual([]);
  expect(states).toEqual(['run:init', 'run:mcp_pruner_starting', 'run:mcp_pruner_running', 'run:shutdown']);
  expect(names()).toEqual(['mcp_pruner.ready', 'mcp_pruner.stopped']);
  expect(dataOf(events, 'mcp_pruner.ready')).toEqual({
    host: '127.0.0.1',
    port: expect.any(Number),
    root: tmpdir(),
  });
  expect(dataOf(events, 'mcp_pruner.stopped')).toMatchObject({ graceful: true });
  expect(groupIsGone(pid)).toBe(true);
});

it.each(['false', '0', undefined])(
  'FocusRun starts no tools if JEEVES_MCP_PRUNER_ENABLED is %s, and the agent run continues [F22] [FRT1] [FRT7] [FRV1]',
  async (value) => {
    const { run, names, events } = await start('healthy', {
      env: { ...bareEnvironment, JEEVES_MCP_PRUNER_ENABLED: value },
    });
    expect(run.state).toBe('run:mcp_pruner_disabled');
    expect(run.endpoint).toBeUndefined();
    expect(dataOf(events, 'mcp_pruner.disabled')).toEqual({ reason: 'config_disabled' });
    await run.shutdown();
    expect(names()).toEqual(['mcp_pruner.disabled', 'mcp_pruner.not_running']);
  },
);

it('FocusRun treats an unknown value of JEEVES_MCP_PRUNER_ENABLED as false and reports it [F22] [FRE1]', async () => {
  const { run, names } = await start('healthy', {
    env: { ...bareEnvironment, JEEVES_MCP_PRUNER_ENABLED: 'maybe' },
  });
  expect(run.state).toBe('run:mcp_pruner_disabled');
  expect(names()).toContain('mcp_pruner.config_invalid');
});

it('FocusRun continues without tools after an invalid setting, and logs the name of the setting [F22] [FRE1]', async () => {
  const { run, events } = await start('healthy', {
    env: { ...bareEnvironment, JEEVES_MCP_PRUNER_ENABLED: 'true', JEEVES_PRUNER_TIMEOUT_MS: 'soon' },
  });
  expect(run.state).toBe('run:mcp_pruner_disabled');
  expect(String(dataOf(events, 'mcp_pruner.config_invalid')?.message)).toContain('JEEVES_PRUNER_TIMEOUT_MS');
  expect(dataOf(events, 'mcp_pruner.disabled')).toEqual({ reason: 'config_invalid' });
});

it('FocusRun continues without tools if the program cannot be started [F22] [FRT4] [FRE2]', async () => {
  const { run, names, events } = await start('', { command: { file: '/nowhere/server', args: [] } });
  expect(run.state).toBe('run:mcp_pruner_disabled');
  expect(names()).toEqual(['mcp_pruner.spawn_error', 'mcp_pruner.start_failed', 'mcp_pruner.disabled']);
  expect(dataOf(events, 'mcp_pruner.disabled')).toEqual({ reason: 'start_failed' });
  expect(run.serverPid).toBeUndefined();
});

it('FocusRun continues without tools if the server exits during its start [F22] [FRT4] [FRV3]', async () => {
  const { run, events } = await start('exits-at-once');
  expect(run.state).toBe('run:mcp_pruner_disabled');
  expect(String(dataOf(events, 'mcp_pruner.start_failed')?.message)).toContain('exit code 3');
});

it.each(['never-listens', 'announces-only'])(
  'FocusRun kills a server that is not healthy in time (%s), even if the server has written a log line [F22] [FRT4] [FRE3]',
  async (mode) => {
    const lines: string[] = [];
    const { run, names } = await start(mode, {
      limits: { ...QUICK, startupTimeoutMs: 4000 },
      onServerLine: (line) => lines.push(line),
    });
    expect(run.state).toBe('run:mcp_pruner_disabled');
    expect(names()).toEqual(['mcp_pruner.start_timeout', 'mcp_pruner.start_failed', 'mcp_pruner.disabled']);
    expect(groupIsGone(Number(lines[0]?.match(/^pid (\d+)$/)?.[1]))).toBe(true);
  },
);

it('FocusRun stays degraded until the end of the agent run after the server was killed [F22] [FRT5] [FRT8] [FRE4] [FRV4]', async () => {
  const { run, names, events } = await start('healthy');
  const pid = run.serverPid;
  await fetch(new URL('/die', run.endpoint?.url)).catch(() => {});
  await until(() => run.state === 'run:mcp_pruner_degraded');
  expect(run.claudeMcpServers()).toEqual({});
  expect(dataOf(events, 'mcp_pruner.degraded')).toEqual({ reason: 'exited', signal: 'SIGKILL' });
  await run.shutdown();
  expect(names().slice(1)).toEqual([
    'mcp_pruner.exited',
    'mcp_pruner.degraded',
    'mcp_pruner.shutdown_after_degraded',
  ]);
  expect(groupIsGone(pid)).toBe(true);
});

it('FocusRun is degraded after ten consecutive connection failures, and leaves no process [F20] [FRT5] [FRE5]', async () => {
  const { run, names, events } = await start('healthy');
  const pid = run.serverPid;
  await fetch(new URL('/hang', run.endpoint?.url)).catch(() => {});
  await until(() => run.state === 'run:mcp_pruner_degraded');
  expect(dataOf(events, 'mcp_pruner.degraded')).toEqual({ reason: 'unreachable' });
  expect(names()).toContain('mcp_pruner.unreachable');
  await run.shutdown();
  expect(groupIsGone(pid)).toBe(true);
});

it('FocusRun leaves no process if the agent run ends while the server starts [F20]', async () => {
  const states: RunState[] = [];
  const run = new FocusRun({
    root: tmpdir(),
    env: { ...bareEnvironment, JEEVES_MCP_PRUNER_ENABLED: 'true' },
    command: { file: process.execPath, args: [FIXTURE, 'healthy'] },
    onState: (state) => states.push(state),
    limits: QUICK,
  });
  const started = run.start();
  await run.shutdown();
  await started;
  expect(states.at(-1)).toBe('run:shutdown');
  expect(groupIsGone(run.serverPid)).toBe(true);
});

it('FocusRun kills a server that does not exit, and reports it [F20] [FRT6] [FRE6] [FRV5]', async () => {
  const { run, names, events } = await start('stubborn');
  const pid = run.serverPid;
  await run.shutdown();
  expect(names()).toEqual(['mcp_pruner.ready', 'mcp_pruner.kill_escalated', 'mcp_pruner.stopped']);
  expect(dataOf(events, 'mcp_pruner.stopped')).toMatchObject({ graceful: false });
  expect(groupIsGone(pid)).toBe(true);
});
