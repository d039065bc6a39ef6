import { expect, it } from 'vitest';
import { startFocus } from '../../../support/focus.ts';
import { temporaryTree } from '../../../support/temporary-tree.ts';

it('GET /healthz returns the server name and its start time [FH1] [F1]', async () => {
  const focus = await startFocus({ root: await temporaryTree() });
  const response = await fetch(`${focus.url}/healthz`);
  expect(response.status).toBe(200);
  const health = await response.json();
  expect(health).toEqual({
    ok: true,
    status: 'ok',
    server: { name: '@jeeves/mcp-pruner', version: '1.2.3' },
    time: { started_at: expect.stringMatching(/^\d{4}-.*Z$/), uptime_ms: expect.any(Number) },
  });
});

it('POST /mcp accepts only JSON, and refuses other methods [FH2]', async () => {
  const focus = await startFocus({ root: await temporaryTree() });
  const plain = await focus.post('{}', { 'content-type': 'text/plain' });
  expect([plain.status, await plain.json()]).toEqual([
    415,
    { ok: false, error: { code: 'unsupported_media_type', message: expect.any(String) } },
  ]);
  const got = await fetch(`${focus.url}/mcp`);
  expect([got.status, await got.json()]).toEqual([
    405,
    { ok: false, error: { code: 'method_not_allowed', message: expect.any(String) } },
  ]);
  const ping = await focus.post('{"jsonrpc":"2.0","id":7,"method":"ping"}');
  expect([ping.status, await ping.json()]).toEqual([200, { jsonrpc: '2.0', id: 7, result: {} }]);
});

it('initialize returns version, name, capabilities and the schema version [FM1] [F1]', async () => {
  const focus = await startFocus({ root: await temporaryTree() });
  const { result } = await focus.rpc('initialize', {
    protocolVersion: '2025-06-18',
    clientInfo: { name: 'x' },
  });
  expect(result).toMatchObject({
    protocolVersion: '2025-06-18',
    serverInfo: { name: '@jeeves/mcp-pruner', version: '1.2.3' },
    capabilities: { tools: {} },
    jeeves: { schemaVersion: 1 },
  });
  const { error } = await focus.rpc('initialize', {});
  expect(error).toMatchObject({ code: -32602, data: { field_errors: [{ field: 'protocolVersion' }] } });
});

it.each([
  [{ clientInfo: 'curl' }, 'clientInfo', 'must be an object'],
  [{ clientInfo: null }, 'clientInfo', 'must be an object'],
  [{ clientInfo: [] }, 'clientInfo', 'must be an object'],
  [{ clientInfo: {} }, 'clientInfo.name', 'is required'],
  [{ clientInfo: { name: 7 } }, 'clientInfo.name', 'must be a string'],
  [{ clientInfo: { name: 'x', version: 1 } }, 'clientInfo.version', 'must be a string'],
  [{ capabilities: 'all' }, 'capabilities', 'must be an object'],
  [{ capabilities: ['roots'] }, 'capabilities', 'must be an object'],
])('initialize with %j returns -32602 and the name of the field [F1]', async (wrong, field, message) => {
  const focus = await startFocus({ root: await temporaryTree() });
  const { error } = await focus.rpc('initialize', { protocolVersion: '2025-06-18', ...wrong });
  expect(error).toMatchObject({ code: -32602, data: { field_errors: [{ field, message }] } });
});

it('initialize accepts unknown fields in clientInfo and capabilities [F1]', async () => {
  const focus = await startFocus({ root: await temporaryTree() });
  const { result } = await focus.rpc('initialize', {
    protocolVersion: '2025-06-18',
    clientInfo: { name: 'x', version: '1', title: 'X', icons: [] },
    capabilities: { roots: { listChanged: true }, later: 1 },
    later: true,
  });
  expect(result).toMatchObject({ jeeves: { schemaVersion: 1 } });
});

it('tools/list returns read, bash and grep, then recover_text [FM2] [F10]', async () => {
  const focus = await startFocus({ root: await temporaryTree() });
  const { result } = await focus.rpc('tools/list');
  expect(result.tools.map(({ name }: { name: string }) => name)).toEqual([
    'read',
    'bash',
    'grep',
    'recover_text',
  ]);
  for (const { description, inputSchema } of result.tools) {
    expect(description.length).toBeLessThan(2_048);
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  }
  expect((await focus.rpc('tools/nothing')).error).toMatchObject({ code: -32601 });
});

it('tools/call returns an error for an unknown tool, and returns a result with isError if a tool fails [FM3]', async () => {
  const focus = await startFocus({ root: await temporaryTree() });
  expect((await focus.rpc('tools/call', { name: 'write', arguments: {} })).error).toMatchObject({
    code: -32602,
    data: { field_errors: [{ field: 'name' }] },
  });
  expect(await focus.call('read', { path: 'gone' })).toMatchObject({
    isError: true,
    content: [{ type: 'text' }],
  });
});

it('the focus server gives every request an id and logs the request before validation [FT1]', async () => {
  const focus = await startFocus({ root: await temporaryTree({ 'a.txt': 'x' }) });
  await focus.call('read', { path: 'a.txt' });
  await focus.refusedFields('read', {});
  const received = focus.events.filter(({ event }) => event === 'tool.request_received');
  expect(received).toEqual([
    { level: 'info', event: 'tool.request_received', request_id: expect.any(String), data: { tool: 'read' } },
    { level: 'info', event: 'tool.request_received', request_id: expect.any(String), data: { tool: 'read' } },
  ]);
  expect(received[0]?.request_id).not.toBe(received[1]?.request_id);
});

it('tools/call refuses invalid arguments with a reason for each field, and runs nothing [FT2] [FE2] [FEV3] [F4]', async () => {
  const focus = await startFocus({ root: await temporaryTree() });
  const { error } = await focus.rpc('tools/call', {
    name: 'bash',
    arguments: { cmd: '', timeout_ms: 5, x: 1 },
  });
  expect(error.code).toBe(-32602);
  expect(error.data.field_errors.map(({ field }: { field: string }) => field).sort()).toEqual([
    'cmd',
    'timeout_ms',
    'x',
  ]);
  expect(await focus.event('tool.request_invalid')).toMatchObject({
    request_id: expect.any(String),
    data: { tool: 'bash', field_errors: error.data.field_errors },
  });
  expect(focus.eventNames()).not.toContain('tool.exec_start');
});

it('POST /mcp with a body that is not JSON returns -32700 and writes a log event [FE1]', async () => {
  const focus = await startFocus({ root: await temporaryTree() });
  expect(await (await focus.post('{"jsonrpc":')).json()).toMatchObject({ id: null, error: { code: -32700 } });
  await focus.event('tool.request_parse_failed');
});

it('tools/call runs with default arguments, and the log contains events from start to end [FT3] [FT5] [FT14]', async () => {
  const focus = await startFocus({ root: await temporaryTree({ 'a.txt': 'hello' }) });
  await focus.call('read', { path: 'a.txt' });
  await focus.event('tool.respond_ok');
  expect(focus.events.map(({ event, data }) => [event, data])).toEqual([
    ['tool.request_received', { tool: 'read' }],
    ['tool.exec_start', { tool: 'read' }],
    ['tool.exec_ok', { tool: 'read', duration_ms: expect.any(Number), bytes: 5 }],
    ['tool.respond_ok', { tool: 'read', mode: 'raw' }],
  ]);
  expect(new Set(focus.events.map(({ request_id }) => request_id)).size).toBe(1);
});
