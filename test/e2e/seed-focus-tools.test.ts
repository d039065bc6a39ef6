/**
 * The requests, answers, events and ranges of the focus tools' specification (sections 2 and 3), against the built
 * program. Shapes and rows are quoted as they are printed there.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { differences } from '../support/printed-shape.ts';
import { type PruningService, startPruningService } from '../support/pruning-service.ts';

const PROGRAM = fileURLToPath(
  new URL('../../packages/secateur/dist/main/jeeves-mcp-pruner.js', import.meta.url),
);

/** Responses as printed in section 3. */
const HEALTH =
  '{ ok: true, status: "ok", server: { name: "@jeeves/mcp-pruner", version: string }, time: { started_at: string, uptime_ms: number } }';
const HTTP_ERROR =
  '{ ok: false, error: { code: string, message: string, details?: Record<string, unknown> } }';
const SUCCESS = '{ jsonrpc: "2.0", id: string | number, result: object }';
const ERROR =
  '{ jsonrpc: "2.0", id: string | number | null, error: { code: number, message: string, data?: object } }';
const FIELD_ERRORS = '{ field_errors: Array<{ field: string, message: string }> }';
const INITIALIZE =
  '{ protocolVersion: string, serverInfo: { name: "@jeeves/mcp-pruner", version: string }, capabilities: { tools: { listChanged?: false } }, jeeves: { schemaVersion: 1 } }';
const TOOLS = 'Array<{ name: "read" | "bash" | "grep", description: string, inputSchema: JSONSchema }>';
const CALL =
  '{ content: Array<{ type: "text", text: string }>, structuredContent?: object, isError?: boolean }';
const READ =
  '{ tool: "read", path: string, encoding: "utf-8", content: string, truncated: boolean, bytes: number, duration_ms: number, pruning: PruningMetadata }';
const READ_ERROR =
  '{ tool: "read", error: { code: "not_found" | "permission_denied" | "invalid_path" | "io_error", message: string }, pruning: PruningMetadata }';
const BASH =
  '{ tool: "bash", cmd: string, cwd: string, stdout: string, stderr: string, exit_code: number, timed_out: boolean, truncated: boolean, duration_ms: number, pruning: PruningMetadata }';
const BASH_ERROR =
  '{ tool: "bash", error: { code: "timeout" | "spawn_error" | "nonzero_exit" | "invalid_cwd", message: string, exit_code?: number }, stdout?: string, stderr?: string, pruning: PruningMetadata }';
const GREP =
  '{ tool: "grep", pattern: string, paths: string[], matches: Array<{ path: string, line: number, column: number | null, text: string }>, match_count: number, truncated: boolean, duration_ms: number, pruning: PruningMetadata }';
const GREP_ERROR =
  '{ tool: "grep", error: { code: "timeout" | "spawn_error" | "invalid_path" | "rg_error", message: string, exit_code?: number }, pruning: PruningMetadata }';
const PRUNING = {
  PruningMetadata:
    '{ attempted: boolean, applied: boolean, fallback: boolean, reason?: "disabled_or_unconfigured" | "no_focus_question" | "too_large" | "output_empty" | "pruner_error", raw_bytes: number, pruned_bytes?: number, pruner_duration_ms?: number, error?: { code: "timeout" | "http_error" | "invalid_response", message: string } }',
};
const PRUNER_REQUEST =
  '{ request_id: string, tool: "read" | "bash" | "grep", focus_question: string, input: string, input_bytes: number, max_output_bytes?: number }';
const EVENT =
  '{ ts: string, level: "debug" | "info" | "warn" | "error", event: string, request_id?: string, data?: object }';

/** Events of the server with their payloads. Events of the runner are tested with the runner. */
const EVENTS: Readonly<Record<string, string>> = {
  'mcp_pruner.ready': '{ host: string, port: number, root: string }',
  'mcp_pruner.start_failed': '{ message: string }',
  'tool.request_invalid': '{ tool?: string, field_errors: Array<{ field: string, message: string }> }',
  'tool.exec_failed': '{ tool: string, code: string, message: string, exit_code?: number }',
  'tool.exec_timeout': '{ tool: string, timeout_ms: number }',
  'pruner.call_start': '{ endpoint: string, tool: string, input_bytes: number }',
  'pruner.call_ok': '{ tool: string, pruner_duration_ms: number, pruned_bytes: number }',
  'pruner.call_failed':
    '{ tool: string, reason: "timeout" | "http_error" | "invalid_response", pruner_duration_ms?: number, message?: string }',
};

interface Server {
  url: string;
  events(): Record<string, unknown>[];
}

const folder = mkdtempSync(join(tmpdir(), 'secateur-seed-'));
const root = join(folder, 'root');
const started: ChildProcess[] = [];
let pruner: PruningService;
/** With a pruner, and without one. */
let server: Server;
let plain: Server;

beforeAll(async () => {
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'src/a.txt'), 'one\nkeep two\nthree\n');
  writeFileSync(join(root, 'empty.txt'), '');
  writeFileSync(join(root, 'large.txt'), `${'a line of text\n'.repeat(20_000)}`);
  pruner = await startPruningService();
  server = await start({ JEEVES_PRUNER_ENDPOINT: pruner.url, JEEVES_PRUNER_TIMEOUT_MS: '300' });
  plain = await start({});
});

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await pruner.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function run(env: Record<string, string>, args: readonly string[] = []) {
  const home = mkdtempSync(join(folder, 'home-'));
  const child = spawn(process.execPath, [PROGRAM, '--root', root, '--port', '0', ...args], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, SECATEUR_DATA_DIR: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const events = () =>
    stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { child, events };
}

async function start(env: Record<string, string>): Promise<Server> {
  const { events } = run(env);
  const ready = await eventually(async () => events().find(({ event }) => event === 'mcp_pruner.ready'));
  const { host, port } = (ready as { data: { host: string; port: number } }).data;
  return { url: `http://${host}:${port}`, events };
}

function post(body: unknown, { url }: Server = server, contentType = 'application/json'): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${url}/mcp`, { method: 'POST', headers: { 'content-type': contentType }, body: text });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
async function jsonOf(response: Response): Promise<any> {
  return response.json();
}

async function rpc(method: string, params?: unknown, to: Server = server) {
  const response = await post({ jsonrpc: '2.0', id: 'a', method, params }, to);
  expect(response.status).toBe(200);
  return jsonOf(response);
}

async function call(name: string, args: unknown, to: Server = server) {
  const { result } = await rpc('tools/call', { name, arguments: args }, to);
  expect(differences(result, CALL)).toEqual([]);
  return result;
}

async function eventNamed(name: string, from: Server = server): Promise<unknown> {
  const found = await eventually(
    async () => from.events().find(({ event }) => event === name),
    `event ${name}`,
  );
  return found.data;
}

describe('endpoints of the focus specification', () => {
  it('GET /healthz returns the response printed in the specification [FH1]', async () => {
    const response = await fetch(`${server.url}/healthz`);
    expect(response.status).toBe(200);
    expect(differences(await response.json(), HEALTH)).toEqual([]);
  });

  it('POST /mcp returns 415 for another media type, and 405 for another method [FH2]', async () => {
    const plainText = await post('{}', server, 'text/plain');
    const got = await fetch(`${server.url}/mcp`);
    const [first, second] = [await jsonOf(plainText), await jsonOf(got)];
    expect([plainText.status, got.status]).toEqual([415, 405]);
    expect([...differences(first, HTTP_ERROR), ...differences(second, HTTP_ERROR)]).toEqual([]);
    expect([first.error.code, second.error.code]).toEqual(['unsupported_media_type', 'method_not_allowed']);
  });

  it.each([
    [-32700, '{"jsonrpc":'],
    [-32600, '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    [-32601, '{"jsonrpc":"2.0","id":1,"method":"tools/nothing"}'],
    [-32602, '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'],
  ])('JSON-RPC error %i is returned with status 200 [FH2] [FE1]', async (code, body) => {
    const response = await post(body);
    const answer = await jsonOf(response);
    expect([response.status, answer.error.code]).toEqual([200, code]);
    expect(differences(answer, ERROR)).toEqual([]);
    if (code === -32602) expect(differences(answer.error.data, FIELD_ERRORS)).toEqual([]);
  });
});

describe('methods of the focus specification', () => {
  it('initialize returns the response printed in the specification [FM1] [F1]', async () => {
    const params = {
      protocolVersion: '2025-06-18',
      clientInfo: { name: 'x', version: '1' },
      capabilities: {},
    };
    const answer = await rpc('initialize', params);
    expect([...differences(answer, SUCCESS), ...differences(answer.result, INITIALIZE)]).toEqual([]);
    expect(answer.id).toBe('a');
  });

  it.each([{}, undefined])(
    'tools/list with params %j returns the three tools first [FM2]',
    async (params) => {
      const { tools } = (await rpc('tools/list', params)).result;
      expect(differences(tools.slice(0, 3), TOOLS)).toEqual([]);
      expect(tools.slice(0, 3).map(({ name }: { name: string }) => name)).toEqual(['read', 'bash', 'grep']);
    },
  );
});

describe('tools of the focus specification', () => {
  it.each([
    ['read', { path: 'src/a.txt', encoding: 'utf-8', max_output_bytes: 1024 }, READ],
    ['bash', { cmd: 'echo "$A"', cwd: 'src', env: { A: 'b' }, timeout_ms: 30_000 }, BASH],
    ['grep', { pattern: 'KEEP', paths: ['src'], cwd: 'src', case_sensitive: false, max_matches: 1 }, GREP],
    ['grep', { pattern: 'keep', paths: ['src/a.txt'], fixed_string: true, timeout_ms: 30_000 }, GREP],
  ])('%s %j returns the result printed in the specification [FM3]', async (name, args, shape) => {
    const { structuredContent, isError } = await call(name, args);
    expect(differences(structuredContent, shape, PRUNING)).toEqual([]);
    expect(isError ?? false).toBe(false);
  });

  it.each([
    ['read', { path: 'gone.txt' }, READ_ERROR, 'not_found'],
    ['read', { path: 'src' }, READ_ERROR, 'invalid_path'],
    ['bash', { cmd: 'echo out; exit 3' }, BASH_ERROR, 'nonzero_exit'],
    ['bash', { cmd: 'sleep 20', timeout_ms: 100 }, BASH_ERROR, 'timeout'],
    ['bash', { cmd: 'true', cwd: 'gone' }, BASH_ERROR, 'invalid_cwd'],
    ['grep', { pattern: '(', paths: ['.'] }, GREP_ERROR, 'rg_error'],
    ['grep', { pattern: 'x', paths: ['gone'] }, GREP_ERROR, 'invalid_path'],
  ])('%s %j returns the tool error printed in the specification [FE3] [FE4] [F4] [F5]', async (...row) => {
    const [name, args, shape, code] = row;
    const { structuredContent, isError } = await call(name, args);
    expect(differences(structuredContent, shape, PRUNING)).toEqual([]);
    expect([isError, structuredContent.error.code]).toEqual([true, code]);
  });
});

describe('pruning of the focus specification', () => {
  const ask = { context_focus_question: 'Which line is kept?' };

  it('read posts the body printed in the specification, and returns the lines that the service kept [FT10] [FT11] [F9]', async () => {
    const { structuredContent } = await call('read', {
      path: 'src/a.txt',
      max_output_bytes: 1024,
      ...ask,
    });
    expect(structuredContent.content).toBe('keep two');
    expect(structuredContent.pruning).toMatchObject({ attempted: true, applied: true, fallback: false });
    expect(differences(structuredContent, READ, PRUNING)).toEqual([]);
    const request = pruner.requests.at(-1);
    expect(request).toMatchObject({ method: 'POST', contentType: 'application/json' });
    expect(differences(request?.body, PRUNER_REQUEST)).toEqual([]);
    expect(request?.body).toMatchObject({ tool: 'read', input: 'one\nkeep two\nthree\n', input_bytes: 19 });
  });

  it.each([
    ['no_focus_question', { path: 'src/a.txt' }, () => server],
    ['disabled_or_unconfigured', { path: 'src/a.txt', ...ask }, () => plain],
    ['too_large', { path: 'large.txt', ...ask }, () => server],
    ['output_empty', { path: 'empty.txt', ...ask }, () => server],
  ])('read states the reason %s for %j [F3] [FT7] [FT8] [FT9]', async (reason, args, to) => {
    const { structuredContent } = await call('read', args, to());
    expect(structuredContent.pruning).toMatchObject({
      attempted: false,
      applied: false,
      fallback: false,
      reason,
    });
    expect(differences(structuredContent, READ, PRUNING)).toEqual([]);
  });

  it.each(['timeout', 'http_error', 'invalid_response'] as const)(
    'read returns the raw output after a %s of the service [FE5] [FE6] [FE7] [F12]',
    async (code) => {
      pruner.failNext(code);
      const { structuredContent } = await call('read', { path: 'src/a.txt', ...ask });
      expect(structuredContent).toMatchObject({
        content: 'one\nkeep two\nthree\n',
        pruning: { attempted: true, applied: false, fallback: true, reason: 'pruner_error', error: { code } },
      });
      expect(differences(structuredContent, READ, PRUNING)).toEqual([]);
    },
  );
});

describe('events of the focus specification', () => {
  it('every event of the focus server is the JSON object printed in the specification [F13]', async () => {
    await call('read', { path: 'src/a.txt' });
    for (const event of server.events()) expect(differences(event, EVENT)).toEqual([]);
  });

  it('the focus server emits each event of the specification with its payload [FEV1] [FEV3] [FEV4] [FEV5] [FEV6] [FEV7] [FEV8]', async () => {
    await rpc('tools/call', { name: 'read', arguments: {} });
    for (const [name, payload] of Object.entries(EVENTS)) {
      if (name === 'mcp_pruner.start_failed') continue;
      expect(differences(await eventNamed(name), payload), name).toEqual([]);
    }
  });

  it.each([
    ['JEEVES_MCP_PRUNER_HOST', '0.0.0.0', 'invalid_host'],
    ['JEEVES_PRUNER_ENDPOINT', 'ftp://127.0.0.1/prune', 'invalid_pruner_endpoint'],
    ['JEEVES_PRUNER_TIMEOUT_MS', '99', 'invalid_timeout_ms'],
    ['JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES', '2097153', 'invalid_max_prune_input_bytes'],
  ])(
    '%s=%s stops the start with mcp_pruner.start_failed and %s [F13] [FEV2] [F2]',
    async (name, value, code) => {
      const { child, events } = run({ [name]: value });
      if (child.exitCode === null) await once(child, 'close');
      const [event] = events();
      expect(event).toMatchObject({ event: 'mcp_pruner.start_failed' });
      expect(differences(event?.data, EVENTS['mcp_pruner.start_failed'] ?? '')).toEqual([]);
      expect(JSON.stringify(event?.data)).toContain(code);
    },
  );
});

const long = (characters: number) => 'x'.repeat(characters);

/** The rows of "Validation Rules": values at the edges of each range, and just outside of it. */
const RANGES = [
  { tool: 'read', field: 'path', base: {}, good: ['src/a.txt'], bad: ['', 'a\0b', '../a.txt', 7] },
  { tool: 'read', field: 'encoding', base: { path: 'src/a.txt' }, good: ['utf-8'], bad: ['latin1', 8] },
  {
    tool: 'read',
    field: 'context_focus_question',
    base: { path: 'src/a.txt' },
    good: ['x', long(1000)],
    bad: ['', '  ', long(1001)],
  },
  {
    tool: 'read',
    field: 'max_output_bytes',
    base: { path: 'src/a.txt' },
    good: [1024, 10_485_760],
    bad: [1023, 10_485_761, 1024.5, '1024'],
  },
  {
    tool: 'bash',
    field: 'cmd',
    base: {},
    good: [`: ${long(49_998)}`],
    bad: ['', long(50_001)],
  },
  { tool: 'bash', field: 'cwd', base: { cmd: 'true' }, good: ['src', '.'], bad: ['..', '/'] },
  {
    tool: 'bash',
    field: 'timeout_ms',
    base: { cmd: 'true' },
    good: [100, 300_000],
    bad: [99, 300_001],
  },
  { tool: 'grep', field: 'pattern', base: { paths: ['.'] }, good: ['x'], bad: ['', long(10_001)] },
  {
    tool: 'grep',
    field: 'paths',
    base: { pattern: 'x' },
    good: [['.'], Array.from({ length: 100 }, () => '.')],
    bad: [[], Array.from({ length: 101 }, () => '.'), '.'],
  },
  { tool: 'grep', field: 'fixed_string', base: { pattern: 'x', paths: ['.'] }, good: [true], bad: ['true'] },
  { tool: 'grep', field: 'case_sensitive', base: { pattern: 'x', paths: ['.'] }, good: [false], bad: [0] },
  {
    tool: 'grep',
    field: 'max_matches',
    base: { pattern: 'x', paths: ['.'] },
    good: [1, 5000],
    bad: [0, 5001],
  },
] as const;

describe('validation rules of the focus specification', () => {
  it.each(RANGES)(
    '$tool.$field accepts values in its range, and returns -32602 for other values [F4] [FE2]',
    async (rule) => {
      const { tool, field, base, good, bad } = rule;
      const send = (value: unknown) =>
        rpc('tools/call', { name: tool, arguments: { ...base, [field]: value } });
      for (const value of good) expect((await send(value)).error).toBeUndefined();
      for (const value of bad) {
        const { error } = await send(value);
        expect(error?.code, JSON.stringify(value)?.slice(0, 80)).toBe(-32602);
        expect(differences(error.data, FIELD_ERRORS)).toEqual([]);
        expect(error.data.field_errors[0].field).toContain(field);
      }
    },
  );
});
