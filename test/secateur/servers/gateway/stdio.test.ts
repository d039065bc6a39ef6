import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { silentLog } from '../../../../packages/base/src/runtime/event-log.ts';
import { noProcessWatchdog } from '../../../../packages/base/src/runtime/process-watchdog.ts';
import { stdioUpstream } from '../../../../packages/secateur/src/servers/gateway/upstreams/stdio.ts';
import { startGateway, type TestGateway, type TestGatewayOptions, textOf } from '../../../support/gateway.ts';

const fixture = fileURLToPath(new URL('../../../fixtures/gateway/stdio-server.mjs', import.meta.url));
const command = [process.execPath, fixture];
const BOTH = 'application/json, text/event-stream';

async function start(entry = {}, options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  return startGateway({ servers: { child: { command, ...entry } }, ...options });
}

async function tool(gateway: TestGateway, name: string, args = {}): Promise<Record<string, unknown>> {
  const answer = await gateway.call('child', 'tools/call', { name, arguments: args });
  return JSON.parse(textOf(answer)) as Record<string, unknown>;
}

async function hello(gateway: TestGateway, capabilities = {}): Promise<Record<string, string>> {
  const response = await gateway.post('child', {
    jsonrpc: '2.0',
    id: 'hello',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 't', version: '1' } },
  });
  expect(await response.json()).toMatchObject({ id: 'hello', result: { protocolVersion: '2025-11-25' } });
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '', accept: BOTH };
}

function toolCall(id: unknown, name: string, more = {}) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {}, ...more } };
}

function isAlive(pid: unknown): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

it('[G2] the gateway starts a stdio server at its first call and keeps it running', async () => {
  const gateway = await start();
  expect((await gateway.servers())[0]).toMatchObject({ kind: 'stdio', processes: [], starts: 0 });
  const first = await tool(gateway, 'pid');
  const second = await tool(gateway, 'pid');
  expect(second).toEqual(first);
  expect(first.hellos).toBe(1);
  expect((await gateway.servers())[0]).toMatchObject({ processes: [{ pid: first.pid }], starts: 1 });
});

it('[G2] the gateway starts a stdio server with the configured variables and working directory', async () => {
  const gateway = await start({ env: { FIXTURE_WORD: 'hi' }, cwd: '/' });
  expect(await tool(gateway, 'env', { name: 'FIXTURE_WORD' })).toEqual({ value: 'hi', cwd: '/' });
});

it('[G2] the gateway starts a stdio server again after it exited', async () => {
  const gateway = await start();
  const first = await tool(gateway, 'pid');
  process.kill(Number(first.pid), 'SIGKILL');
  await expect.poll(async () => (await gateway.servers())[0]?.processes).toEqual([]);
  const second = await tool(gateway, 'pid');
  expect(second.pid).not.toBe(first.pid);
});

it('[G2] a session continues with a new process after its first process has exited', async () => {
  const gateway = await start();
  const session = await hello(gateway);
  await gateway.post('child', toolCall(1, 'die'), session);
  const response = await gateway.post('child', toolCall(2, 'echo'), session);
  expect(await response.json()).toMatchObject({ id: 2, result: {} });
});

it('[G24] open calls return -31002 if the stdio server exits', async () => {
  const gateway = await start();
  const held = Promise.all(
    [1, 2].map(async (id) => (await gateway.post('child', toolCall(id, 'hold'))).json()),
  );
  await expect.poll(async () => (await gateway.servers())[0]?.processes).toMatchObject([{ in_flight: 2 }]);
  const died = await gateway.post('child', toolCall('x', 'die'));
  const dead = { code: -31002, data: { code: 'upstream_unavailable', exit_code: 9 } };
  expect(await died.json()).toMatchObject({ id: 'x', error: dead });
  expect(await held).toMatchObject([
    { id: 1, error: dead },
    { id: 2, error: dead },
  ]);
});

it.each([
  ['that cannot be started', ['/no/such/program']],
  ['that dies at once', [process.execPath, '-e', 'process.exit(3)']],
])('[G24] [G20] a call of a program %s returns -31002', async (_, program) => {
  const gateway = await start({ command: program });
  expect(await gateway.call('child', 'tools/list')).toMatchObject({
    id: 1,
    error: { code: -31002, data: { code: 'upstream_unavailable' } },
  });
});

it('[G24] lines on stdout that are not JSON-RPC do not break later messages of a stdio server', async () => {
  const gateway = await start({ env: { FIXTURE_NOISE: '1' } });
  expect(await tool(gateway, 'noise')).toBe('after noise');
  expect(await tool(gateway, 'echo', { a: 1 })).toEqual({ a: 1 });
});

it('[G24] a response above max_response_bytes returns -31007, and the next response is complete', async () => {
  const gateway = await start({ maxResponseBytes: 100_000 });
  const params = { name: 'big', arguments: { chars: 300_000 } };
  expect((await gateway.call('child', 'tools/call', params)).error?.code).toBe(-31007);
  expect(await tool(gateway, 'echo', { a: 1 })).toEqual({ a: 1 });
});

it('[G1] clients that concurrently use the same ids each get their own response', async () => {
  const gateway = await start();
  const session = await hello(gateway);
  const calls = [
    gateway.post('child', toolCall(1, 'hold'), session),
    gateway.post('child', toolCall(1, 'hold')),
    gateway.post('child', toolCall('1', 'hold')),
  ];
  await expect
    .poll(async () => {
      const processes = (await gateway.servers())[0]?.processes as Array<{ in_flight: number }>;
      return processes.reduce((sum, each) => sum + each.in_flight, 0);
    })
    .toBe(3);
  await gateway.post('child', toolCall(9, 'release'), session);
  const answers = await Promise.all(
    calls.map(async (call) => (await (await call).json()) as { id: unknown }),
  );
  expect(answers.map((answer) => answer.id)).toEqual([1, 1, '1']);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(3);
});

it('[G1] the gateway forwards a request with line breaks between its tokens, and numbers with all digits', async () => {
  const gateway = await start();
  const body = `{"jsonrpc":"2.0","id":1,\n"method":"tools/call",\r\n"params":{"name":"echo","arguments":{"n":"1\\n2"}}}`;
  const response = await gateway.post('child', body);
  expect(JSON.parse(textOf((await response.json()) as never))).toEqual({ n: '1\n2' });
});

it('[G1] the gateway returns progress as an event of its own call, with the token of the client', async () => {
  const gateway = await start();
  const session = await hello(gateway);
  const call = toolCall(1, 'progress', { _meta: { progressToken: 'mine' } });
  const text = await (await gateway.post('child', call, session)).text();
  expect(text).toMatch(
    /^event: message\ndata: .*"progressToken":"mine".*\n\nevent: message\ndata: .*"id":1/s,
  );
  const plain = await gateway.post('child', call);
  expect(plain.headers.get('content-type')).toBe('application/json');
  expect(await plain.json()).toMatchObject({ id: 1, result: {} });
});

it('[G1] the gateway sends a notification to the only running call, or to the stream of the client if several calls run', async () => {
  const gateway = await start();
  const session = await hello(gateway);
  const text = await (await gateway.post('child', toolCall(1, 'log'), session)).text();
  expect(text).toContain('notifications/message');
  const leave = new AbortController();
  const stream = await fetch(gateway.url('child'), { headers: session, signal: leave.signal });
  expect(stream.status).toBe(200);
  const held = gateway.post('child', toolCall(3, 'hold'), { ...session, accept: 'application/json' });
  await gateway.post('child', toolCall(2, 'log'), { ...session, accept: 'application/json' });
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toContain('notifications/message');
  leave.abort();
  await gateway.post('child', toolCall(9, 'release'), session);
  await held;
});

it('[G1] the gateway forwards a request of the server to the calling client, and forwards the response to the server', async () => {
  const gateway = await start();
  const session = await hello(gateway, { sampling: {} });
  const response = await gateway.post('child', toolCall(1, 'ask'), session);
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const asked = /data: (\{.*"method":"sampling\/createMessage".*\})\n/.exec(text)?.[1];
    if (asked === undefined || text.includes('"id":1')) continue;
    const { id } = JSON.parse(asked) as { id: string };
    const accepted = await gateway.post('child', { jsonrpc: '2.0', id, result: { model: 'm' } }, session);
    expect(accepted.status).toBe(202);
  }
  expect(text).toContain('\\"got\\":{\\"model\\":\\"m\\"}');
});

it('[G1] the gateway refuses a server request that no client can handle', async () => {
  const gateway = await start();
  expect(await tool(gateway, 'ask')).toMatchObject({ got: { code: -32601 } });
});

it('[G1] clients with different capabilities have different processes; clients with the same handshake share one', async () => {
  const gateway = await start();
  await hello(gateway);
  await hello(gateway);
  await hello(gateway, { sampling: {} });
  expect((await gateway.servers())[0]).toMatchObject({ starts: 2, sessions: 3 });
});

it('[G22] max_processes limits stdio processes: the gateway stops an idle process before it starts another', async () => {
  const gateway = await start({ maxProcesses: 2 });
  for (const capabilities of [{}, { sampling: {} }, { roots: {} }, { elicitation: {} }]) {
    await hello(gateway, capabilities);
  }
  const state = (await gateway.servers())[0] as { processes: unknown[]; starts: number };
  expect([state.processes.length, state.starts]).toEqual([2, 4]);
});

it('[G22] the gateway cancels a call when its client disconnects', async () => {
  const gateway = await start();
  await tool(gateway, 'echo');
  const client = new AbortController();
  const call = fetch(gateway.url('child'), {
    method: 'POST',
    body: JSON.stringify(toolCall(1, 'hold')),
    signal: client.signal,
  });
  await expect.poll(async () => (await gateway.servers())[0]?.processes).toMatchObject([{ in_flight: 1 }]);
  client.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(async () => (await tool(gateway, 'pid')).cancelled).toHaveLength(1);
  expect((await gateway.servers())[0]?.circuit).toEqual({ state: 'closed', failures: 0 });
});

it('[G22] the gateway forwards a cancellation under the id that the server knows, and ends the call', async () => {
  const gateway = await start();
  const session = await hello(gateway);
  const call = gateway.post('child', toolCall(77, 'hold'), session);
  await expect.poll(async () => (await gateway.servers())[0]?.processes).toMatchObject([{ in_flight: 1 }]);
  const params = { requestId: 77 };
  await gateway.post('child', { jsonrpc: '2.0', method: 'notifications/cancelled', params }, session);
  expect(await (await call).json()).toMatchObject({ id: 77, error: { data: { code: 'client_gone' } } });
  expect(((await tool(gateway, 'pid')).cancelled as number[])[0]).not.toBe(77);
});

it('[G1] a request with an unknown or ended session returns HTTP 404', async () => {
  const gateway = await start();
  const session = await hello(gateway);
  const ended = await fetch(gateway.url('child'), { method: 'DELETE', headers: session });
  expect(ended.status).toBe(200);
  for (const headers of [session, { 'mcp-session-id': 'never' }]) {
    const response = await gateway.post('child', toolCall(5, 'echo'), headers);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ id: 5, error: { message: 'Session not found' } });
  }
});

it('[G1] a GET without a session returns HTTP 405 immediately', async () => {
  const gateway = await start();
  const response = await fetch(gateway.url('child'), { headers: { accept: 'text/event-stream' } });
  expect(response.status).toBe(405);
  expect((await gateway.servers())[0]).toMatchObject({ starts: 0 });
});

it('[G24] close ends all processes, including child processes and processes that ignore SIGTERM', async () => {
  const gateway = await start({ env: { FIXTURE_STUBBORN: '1' } });
  const { pid } = await tool(gateway, 'pid');
  const grandchild = await tool(gateway, 'grandchild');
  expect([isAlive(pid), isAlive(grandchild.pid)]).toEqual([true, true]);
  await gateway.close();
  await expect.poll(() => [isAlive(pid), isAlive(grandchild.pid)]).toEqual([false, false]);
});

it('[G24] the gateway ends a process that does not respond to the handshake, and starts another for the next call', async () => {
  const upstream = stdioUpstream({
    ...{ name: 'mute', command: ['sleep', '1000'], env: process.env, cwd: undefined },
    ...{
      maxResponseBytes: 1000,
      maxProcesses: 1,
      handshakeMs: 100,
      log: silentLog,
      watchdog: noProcessWatchdog,
    },
  });
  const call = {
    ...({ verb: 'POST', headers: {}, body: Buffer.alloc(0), acceptsEvents: false } as const),
    message: {
      kind: 'request',
      idText: '1',
      method: 'ping',
      params: {},
      text: '{"id":1,"method":"ping"}',
    } as const,
    signal: new AbortController().signal,
  };
  await expect(upstream.call(call)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  expect(upstream.state()).toMatchObject({ processes: [], starts: 1 });
  await expect(upstream.call(call)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  expect(upstream.state()).toMatchObject({ starts: 2 });
  await upstream.close();
});

/** Returns a server that responds to every request with this text after the id. `$` in the text has no special meaning. */
function printing(afterId: string): string[] {
  const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const good = method === 'initialize' && !process.argv[2];
    console.log('{"jsonrpc":"2.0","id":' + id + ',' + (good ? '"result":{"protocolVersion":"2025-11-25"}}' : process.argv[1]));
  })`;
  return [process.execPath, '-e', script, afterId];
}

const BROKEN = '"result":{"a":}}';

it('[G20] malformed JSON of a stdio server is an invalid response in every protocol revision', async () => {
  const gateway = await startGateway({ servers: { child: { command: printing(BROKEN) } } });
  expect((await gateway.call('child', 'ping')).error?.code).toBe(-31004);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'ping' };
  const request = { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta } };
  const response = await gateway.post('child', request, headers);
  expect(await response.json()).toMatchObject({ id: 1, error: { code: -31004 } });
});

it('[G24] if a process responds to the handshake with malformed JSON, the gateway ends it and starts another', async () => {
  const command = [...printing(BROKEN), 'handshake too'];
  const gateway = await startGateway({ servers: { child: { command } } });
  expect((await gateway.call('child', 'ping')).error?.code).toBe(-31004);
  await expect.poll(async () => (await gateway.servers())[0]?.processes).toEqual([]);
  expect((await gateway.call('child', 'ping')).error?.code).toBe(-31004);
  expect((await gateway.servers())[0]).toMatchObject({ starts: 2 });
});
