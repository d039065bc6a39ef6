import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { upServers } from '../../packages/secateur/src/cli/up/start.ts';
import { printed, secateur, spawnSecateur, temporaryFolder } from '../support/secateur-cli.ts';
import { takenPort } from '../support/taken-port.ts';

const ANY_PORTS = ['--pruner-port', '0', '--focus-port', '0', '--gateway-port', '0'];

it('[H6] [F15] up prints the servers, their addresses, the root and the next commands; Ctrl-C stops all of them', async () => {
  const dataDir = temporaryFolder();
  const up = spawnSecateur(['up', ...ANY_PORTS], { dataDir });
  const text = await printed(up.stdout, /secateur status/);
  // The working directory of a process has no links, because the system resolves them.
  expect(text).toMatch(new RegExp(`focus +http.*, in ${realpathSync(dataDir)}`));
  for (const { name } of upServers) expect(text).toMatch(new RegExp(`${name} +http://127`));
  expect(text).toContain('claude mcp add');
  expect(text).toContain('  secateur status | stats | stop, from any terminal');
  const { servers } = await status(dataDir);
  for (const { name, healthy } of servers) expect(healthy, name).toBe(true);
  up.kill('SIGINT');
  expect(await once(up, 'exit')).toEqual([0, null]);
  for (const { healthUrl } of servers) await expect(fetch(healthUrl)).rejects.toThrow();
  expect(existsSync(join(dataDir, 'up.json'))).toBe(false);
});

it('[H6] [A17] up --detach returns when the servers respond; status and stop work from another folder', async () => {
  const dataDir = temporaryFolder();
  onTestFinished(async () => void (await secateur(['stop'], { dataDir })));
  const before = await secateur(['status'], { dataDir });
  expect(before).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/^secateur is not up\.\nCuts are on here/),
  });

  const detached = await secateur(['up', '--detach', ...ANY_PORTS], { dataDir });
  expect(detached).toMatchObject({ code: 0, stderr: '' });
  const { pid, servers } = await status(dataDir);
  for (const { healthUrl } of servers) expect((await fetch(healthUrl)).status).toBe(200);

  const second = await secateur(['up', ...ANY_PORTS], { dataDir });
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining(`process ${pid}`) });

  const stopped = await secateur(['stop'], { dataDir });
  expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining(String(pid)) });
  for (const { healthUrl } of servers) await expect(fetch(healthUrl)).rejects.toThrow();
  expect((await secateur(['status'], { dataDir })).code).toBe(3);
  expect((await secateur(['stop'], { dataDir })).stdout).toContain('nothing to stop');
});

it('[H6] secateur start runs the servers in the background; restart keeps their flags and folder, or uses new flags', async () => {
  const dataDir = temporaryFolder();
  const options = { dataDir, cwd: temporaryFolder() };
  onTestFinished(async () => void (await secateur(['stop'], options)));
  const started = await secateur(['start', ...ANY_PORTS, '--focus-root', '.'], options);
  expect(started).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('is up') });
  expect((await secateur(['start', ...ANY_PORTS], options)).stderr).toContain('secateur restart');
  const first = await status(dataDir);

  const restarted = await secateur(['restart'], { dataDir });
  expect(restarted).toMatchObject({ code: 0, stdout: expect.stringContaining(`process ${first.pid}`) });
  const second = await status(dataDir);
  expect(second.pid).not.toBe(first.pid);
  for (const { name, healthy, offers } of second.servers) {
    expect(healthy, name).toBe(true);
    if (name === 'focus') expect(offers).toContain(`in ${realpathSync(options.cwd)}`);
  }

  await secateur(['restart', ...ANY_PORTS], options);
  await secateur(['stop'], options);
  const fromNothing = await secateur(['restart', ...ANY_PORTS], options);
  expect(fromNothing).toMatchObject({ code: 0, stdout: expect.not.stringContaining('has stopped') });
  expect((await status(dataDir)).servers).toHaveLength(upServers.length);
});

it('[H6] [H4] restart with an invalid setting fails and keeps the servers running', async () => {
  const dataDir = temporaryFolder();
  onTestFinished(async () => void (await secateur(['stop'], { dataDir })));
  await secateur(['start', ...ANY_PORTS], { dataDir });
  const { pid } = await status(dataDir);
  const refused = await secateur(['restart'], { dataDir, env: { MCP_PRUNER_PORT: 'http' } });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('MCP_PRUNER_PORT') });
  expect((await status(dataDir)).pid).toBe(pid);
});

it('[H6] up fails if a port is in use, names port and setting in its error, and leaves no process', async () => {
  const port = await takenPort();
  const ports = ['--pruner-port', '0', '--focus-port', String(port), '--gateway-port', '0'];
  for (const args of [['up'], ['up', '--detach']]) {
    const dataDir = temporaryFolder();
    const { code, stderr } = await secateur([...args, ...ports], { dataDir });
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port}`);
    expect(stderr).toContain('JEEVES_MCP_PRUNER_PORT');
    expect((await secateur(['status'], { dataDir })).code).toBe(3);
  }
});

it('[H6] up without a writable data directory starts the servers and reports what will not work', async () => {
  const up = spawnSecateur(['up', '--store', 'memory', ...ANY_PORTS], {
    env: { SECATEUR_DATA_DIR: '/dev/null/data' },
  });
  const warned = printed(up.stderr, /status and stop will not find these servers/);
  expect(await printed(up.stdout, /secateur status/)).toContain('is up');
  expect(await warned).toContain('/dev/null/data cannot be written (SECATEUR_DATA_DIR)');
  up.kill('SIGINT');
  expect(await once(up, 'exit')).toEqual([0, null]);
});

it.each([
  ['pruner', 'MCP_PRUNER_PORT'],
  ['focus', 'JEEVES_MCP_PRUNER_PORT'],
  ['gateway', 'MCP_GATEWAY_PORT'],
])('[H6] a server that cannot listen reports the error and exits: %s', async (server, variable) => {
  const port = String(await takenPort());
  const { code, stderr } = await secateur([server, '--port', port]);
  expect(code).toBe(1);
  expect(stderr).toContain(`Port ${port} on 127.0.0.1 is taken by another program`);
  expect(stderr).toContain(variable);
});

it('[H6] npm start leaves no process when npm is killed, although the shell between them forwards no signal', async () => {
  const dataDir = temporaryFolder();
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const env = { ...process.env, SECATEUR_DATA_DIR: dataDir };
  const npm = spawn('npm', ['start', '--', ...ANY_PORTS], { cwd, env });
  await printed(npm.stdout, /secateur\.js status/);
  const { servers } = await status(dataDir);
  npm.kill('SIGTERM');
  await once(npm, 'exit');
  for (const { healthUrl } of servers)
    await expect.poll(() => answers(healthUrl), { timeout: 20_000 }).toBe(false);
});

it('[H4] up exits with code 2 if a setting is invalid, before any server listens', async () => {
  const { code, stderr } = await secateur(['up'], { env: { MCP_GATEWAY_PORT: 'http' } });
  expect(code).toBe(2);
  expect(stderr).toContain('MCP_GATEWAY_PORT: expected an integer from 0 to 65535, got "http"');
});

it('[H6] one server of up recovers a text that another server pruned', async () => {
  const dataDir = temporaryFolder();
  const up = spawnSecateur(['up', ...ANY_PORTS], { dataDir });
  await printed(up.stdout, /secateur status/);
  const { servers } = await status(dataDir);
  const endpointOf = (name: string) => servers.find((server) => server.name === name)?.endpoint ?? '';
  const text = Array.from({ length: 200 }, (_, index) => `line ${index + 1} speaks of nothing`).join('\n');
  const options = {
    max_prune_ratio: 0.9,
    min_keep_lines: 1,
    timeout_ms: 5000,
    annotate_lines: false,
    include_markers: true,
  };
  const cut = await callTool(endpointOf('pruner'), 'prune_text', {
    text,
    goal_hint: 'line 7',
    source_type: 'docs',
    options,
  });
  const back = await callTool(endpointOf('focus'), 'recover_text', {
    prune_id: cut.prune_id,
    ranges: [{ start_line: 100, end_line: 100 }],
    include_line_numbers: false,
  });
  expect(back.text).toBe('line 100 speaks of nothing');
});

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

interface Status {
  pid: number;
  servers: { name: string; endpoint: string; healthUrl: string; offers: string; healthy: boolean }[];
}

async function status(dataDir: string): Promise<Status> {
  return JSON.parse((await secateur(['status', '--json'], { dataDir })).stdout);
}

async function callTool(endpoint: string, name: string, args: Record<string, unknown>) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const answer: { result: { content: { text: string }[] } } = JSON.parse(await response.text());
  const text = answer.result.content[0]?.text ?? '';
  return text.startsWith('{') ? JSON.parse(text) : { text };
}
