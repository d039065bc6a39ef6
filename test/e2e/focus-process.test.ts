import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryTree } from '../support/temporary-tree.ts';

const SERVER = fileURLToPath(
  new URL('../../packages/secateur/dist/main/jeeves-mcp-pruner.js', import.meta.url),
);
const SECATEUR = fileURLToPath(new URL('../../packages/secateur/dist/main/secateur.js', import.meta.url));

interface Started {
  child: ChildProcess;
  /** The next line of standard output. */
  line(): Promise<string>;
  stderr(): string;
}

async function start(args: readonly string[], env: Record<string, string> = {}): Promise<Started> {
  const data = await temporaryTree();
  const child = spawn(process.execPath, [SERVER, ...args], {
    cwd: data.real,
    env: { PATH: process.env.PATH ?? '', SECATEUR_DATA_DIR: data.real, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, line: async () => String((await lines.next()).value ?? ''), stderr: () => stderr };
}

async function ready(args: readonly string[], env: Record<string, string> = {}) {
  const started = await start(args, env);
  const event = JSON.parse(await started.line());
  return { ...started, event, url: `http://${event.data.host.replace('::1', '[::1]')}:${event.data.port}` };
}

async function refused(args: readonly string[], env: Record<string, string> = {}) {
  const { child, stderr } = await start(args, env);
  const [code] = await once(child, 'exit');
  return { code, stderr: stderr() };
}

it('the focus server writes mcp_pruner.ready to standard output after /healthz responds [FEV1] [F1] [F13]', async () => {
  const root = await temporaryTree();
  const { event, url } = await ready(['--root', root.real]);
  expect(event).toEqual({
    ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    level: 'info',
    event: 'mcp_pruner.ready',
    data: { host: '127.0.0.1', port: expect.any(Number), root: root.real },
  });
  expect(event.data.port).toBeGreaterThan(0);
  expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ ok: true });
});

it('[X10] events of the focus server contain no secret from the arguments of a failed call', async () => {
  const { url, line } = await ready([]);
  const secret = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;
  const params = { name: 'read', arguments: { path: secret } };
  await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const events: string[] = [];
  do events.push(await line());
  while (!events.at(-1)?.includes('tool.exec_failed'));
  expect(events.join('\n')).toContain('[REDACTED:');
  expect(events.join('\n')).not.toContain(secret);
});

it('the focus server writes readable text instead of JSON with --log-format text [F13]', async () => {
  const { line } = await start(['--log-format', 'text']);
  expect(await line()).toMatch(/^\S+Z INFO {2}mcp_pruner\.ready host="127\.0\.0\.1" port=\d+ root=/);
});

it('the focus server reads settings from the environment, and its flags override the environment [F2] [FV2] [FV3] [FV4]', async () => {
  const [one, other] = [await temporaryTree(), await temporaryTree()];
  const env = {
    JEEVES_MCP_PRUNER_ROOT_DIR: one.real,
    JEEVES_MCP_PRUNER_HOST: '::1',
    JEEVES_MCP_PRUNER_PORT: '0',
  };
  expect((await ready([], env)).event.data).toMatchObject({ host: '::1', root: one.real });
  const flagged = await ready(['--root', other.real, '--host', '127.0.0.1'], env);
  expect(flagged.event.data).toMatchObject({ host: '127.0.0.1', root: other.real });
});

const BAD_VALUES = [
  ['JEEVES_MCP_PRUNER_HOST', 'invalid_host', ['0.0.0.0', '192.168.1.1', 'example.org']],
  ['JEEVES_MCP_PRUNER_PORT', 'invalid_port', ['-1', '65536', 'http', '1.5']],
  ['JEEVES_MCP_PRUNER_ROOT_DIR', 'invalid_root_dir', ['/no/such/dir', SERVER]],
  ['JEEVES_PRUNER_ENDPOINT', 'invalid_pruner_endpoint', ['ftp://x/y', '/prune', 'local']],
  ['JEEVES_PRUNER_TIMEOUT_MS', 'invalid_timeout_ms', ['99', '30001', '2s']],
  ['JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES', 'invalid_max_prune_input_bytes', ['1023', '2097153', 'many']],
] as const;

it('the focus server exits with the error code and the name of the variable if a setting is invalid [F2] [FV2] [FV3] [FV4] [FV5] [FV6] [FV7]', async () => {
  for (const [name, code, values] of BAD_VALUES) {
    const outcomes = await Promise.all(values.map((value) => refused([], { [name]: value })));
    for (const [index, outcome] of outcomes.entries()) {
      expect(outcome.code, `${name}=${values[index]}`).not.toBe(0);
      expect(outcome.stderr).toContain(name);
      expect(outcome.stderr).toContain(code);
    }
  }
});

it.each([
  { wrong: 'a setting', env: { JEEVES_PRUNER_TIMEOUT_MS: '99' }, named: 'invalid_timeout_ms' },
  { wrong: 'a flag', args: ['--port', 'http'], named: 'invalid_port' },
  { wrong: 'an unknown option', args: ['--nothing'], named: '--nothing' },
  { wrong: 'an argument', args: ['extra'], named: 'extra' },
  { wrong: 'a missing --config', args: ['--config', '/no/such/file.toml'], named: '/no/such/file.toml' },
])('$wrong causes one start_failed event on stdout and a message on stderr [F13] [FEV2]', async (given) => {
  const { args = [], env = {}, named } = given;
  const { child, line, stderr } = await start(args, env);
  expect(JSON.parse(await line())).toEqual({
    ts: expect.any(String),
    level: 'error',
    event: 'mcp_pruner.start_failed',
    data: { message: expect.stringContaining(named) },
  });
  expect(await line()).toBe('');
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).not.toBe(0);
  expect(stderr()).toContain(named);
});

it.each([
  [['--log-format', 'text', '--port', 'http'], {}],
  [['--log-format=text', '--port', 'http'], {}],
  [['--port', 'http'], { JEEVES_MCP_PRUNER_LOG_FORMAT: 'text' }],
])('the start_failed event is text with the arguments %j and the variables %j [F13]', async (args, env) => {
  const { line } = await start(args, env);
  expect(await line()).toMatch(/^\S+Z ERROR mcp_pruner\.start_failed message="/);
});

it('the focus server accepts the smallest and the largest value of each setting [FV5] [FV6] [FV7]', async () => {
  const edges = [
    {
      JEEVES_PRUNER_TIMEOUT_MS: '100',
      JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: '1024',
      JEEVES_PRUNER_ENDPOINT: 'embedded',
    },
    {
      JEEVES_PRUNER_TIMEOUT_MS: '30000',
      JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: '2097152',
      JEEVES_PRUNER_ENDPOINT: 'https://x.example/p',
    },
  ];
  for (const env of edges) expect((await ready([], env)).event.event).toBe('mcp_pruner.ready');
});

it('the start_failed event for a port in use contains the port [FEV2]', async () => {
  const first = await ready([]);
  const second = await start(['--port', String(first.event.data.port)]);
  expect(JSON.parse(await second.line())).toMatchObject({
    level: 'error',
    event: 'mcp_pruner.start_failed',
    data: { message: expect.stringContaining(String(first.event.data.port)) },
  });
  const [code] = await once(second.child, 'exit');
  expect(code).not.toBe(0);
});

it('the focus server exits on SIGTERM; with --exit-with-stdin, it exits when standard input ends [F1]', async () => {
  const one = await ready([]);
  one.child.kill('SIGTERM');
  expect((await once(one.child, 'exit'))[0]).toBe(0);
  const other = await ready(['--exit-with-stdin']);
  other.child.stdin?.end();
  expect((await once(other.child, 'exit'))[0]).toBe(0);
});

it('the focus server finishes a running call after SIGTERM, refuses a new call and exits [X13]', async () => {
  const root = await temporaryTree({});
  const { url, child } = await ready(['--root', root.real]);
  const call = (cmd: string) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'bash', arguments: { cmd } },
      }),
    });
  const running = call('touch begun; sleep 0.5; echo finished');
  await expect.poll(() => existsSync(join(root.real, 'begun')), { timeout: 20_000 }).toBe(true);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await (await running).text()).toContain('finished');
  await expect(call('echo late').then(({ status }) => status === 200)).rejects.toThrow();
  expect((await exited)[0]).toBe(0);
});

it('the focus server prunes with the embedded engine in its worker threads [F9]', async () => {
  const text = Array.from(
    { length: 400 },
    (_, index) => `paragraph ${index} speaks of the weather on day ${index}`,
  ).join('\n');
  const root = await temporaryTree({ 'a.txt': `${text}\nthe deadline is in March\n${text}` });
  const { url } = await ready(['--root', root.real], {
    JEEVES_PRUNER_ENDPOINT: 'embedded',
    JEEVES_PRUNER_TIMEOUT_MS: '30000',
  });
  const params = {
    name: 'read',
    arguments: { path: 'a.txt', context_focus_question: 'When is the deadline?' },
  };
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { result } = (await response.json()) as { result: { structuredContent: Record<string, unknown> } };
  expect(result.structuredContent).toMatchObject({
    content: expect.stringContaining('the deadline is in March'),
    pruning: { applied: true },
  });
});

it('the focus server offers its tools over stdio, with protocol on stdout and events on stderr [F1] [F13]', async () => {
  const root = await temporaryTree({ 'a.txt': 'hello' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [SECATEUR, 'mcp', 'focus', '--root', root.real],
    env: { PATH: process.env.PATH ?? '', SECATEUR_DATA_DIR: root.real },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    'read',
    'bash',
    'grep',
    'recover_text',
  ]);
  const result = await client.callTool({ name: 'read', arguments: { path: 'a.txt' } });
  expect(result).toMatchObject({ content: [{ text: '1│ hello' }] });
  await client.close();
  const events = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event);
  expect(events).toContain('tool.exec_ok');
});
