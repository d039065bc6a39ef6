import { expect, it } from 'vitest';
import { DomainError } from '../../../../packages/base/src/runtime/domain-error.ts';
import { credentialsIn, publicUrl } from '../../../../packages/base/src/runtime/probe-health.ts';
import { failure, failureText } from '../../../../packages/secateur/src/servers/gateway/answer.ts';
import {
  type ClientMessage,
  forwardedHeaders,
  isEndless,
  isModernCall,
  readClientMessage,
} from '../../../../packages/secateur/src/servers/gateway/client-call.ts';
import { openUpstream } from '../../../../packages/secateur/src/servers/gateway/server.ts';
import {
  toolSettings,
  upstreamOptions,
} from '../../../../packages/secateur/src/servers/gateway/server-table.ts';
import { acceptsEvents } from '../../../../packages/serving/src/wire/http-route.ts';

const read = (text: string) => readClientMessage(Buffer.from(text));

it('[G25] the gateway forwards no Authorization, no cookies and no header that is not on its list', () => {
  const named = {
    'content-type': 'application/json',
    accept: 'application/json',
    'last-event-id': '7',
    traceparent: '00-a-b-01',
    tracestate: 'x=1',
    'mcp-session-id': 's',
    'mcp-protocol-version': '2025-11-25',
  };
  const kept = {
    authorization: 'Bearer secret',
    cookie: 'secateur_page=x',
    'proxy-authorization': 'Basic x',
    'x-api-key': 'secret',
    'x-mcp-session': 'x',
    host: 'localhost',
    'set-cookie': ['a', 'b'],
  };
  expect(forwardedHeaders({ ...named, ...kept })).toEqual(named);
});

it.each([
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}', { kind: 'request', idText: '1', method: 'ping', params: {} }],
  ['{"id":null,"method":"x","params":[1]}', { kind: 'request', idText: 'null', params: {} }],
  [
    ' {"method":"x","id":"a\\u0062","params":{"n":1}}',
    { kind: 'request', idText: '"a\\u0062"', params: { n: 1 } },
  ],
  ['{"method":"x","params":{"n":1}}', { kind: 'notification', method: 'x', params: { n: 1 } }],
  ['{"id":1e3,"result":null}', { kind: 'response', idText: '1e3' }],
  ['{"id":2,"error":{}}', { kind: 'response', idText: '2' }],
  ['{"result":{}}', { kind: 'response', idText: 'null' }],
  ['{"id":3}', { kind: 'other' }],
  ['{"id":3,"method":4}', { kind: 'other' }],
])('[G1] readClientMessage classifies %s and keeps its exact text', (text, expected) => {
  expect(read(text)).toMatchObject({ ...expected, text });
});

it('[G20] text that is not JSON and JSON that is not an object have different error codes', () => {
  const thrown = (text: string) => {
    try {
      return read(text);
    } catch (error) {
      return error;
    }
  };
  expect(thrown('{')).toMatchObject({
    code: 'parse_error',
    message: 'Parse error: the body is not valid JSON',
    cause: expect.any(SyntaxError),
  });
  for (const text of ['[]', 'null', '"x"', '7'])
    expect(thrown(text)).toMatchObject({
      code: 'invalid_request',
      message: 'Invalid request: one JSON-RPC object is expected',
    });
});

it('[G1] acceptsEvents returns true for clients that accept event streams, and isEndless returns true for streams and subscriptions', () => {
  expect(acceptsEvents({ accept: 'application/json, text/event-stream' })).toBe(true);
  expect([acceptsEvents({ accept: 'application/json' }), acceptsEvents({})]).toEqual([false, false]);
  expect(isEndless({ kind: 'none' })).toBe(true);
  expect(isEndless(read('{"id":1,"method":"subscriptions/listen"}'))).toBe(true);
  expect(isEndless(read('{"id":1,"method":"tools/call"}'))).toBe(false);
  expect(isEndless(read('{"method":"subscriptions/listen"}'))).toBe(false);
});

it.each<[Record<string, string>, ClientMessage, boolean]>([
  [{ 'mcp-protocol-version': '2026-07-28' }, { kind: 'none' }, true],
  [{ 'mcp-protocol-version': '2025-11-25' }, { kind: 'none' }, false],
  [
    {},
    read('{"id":1,"method":"x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"z"}}}'),
    true,
  ],
  [{}, read('{"method":"x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"z"}}}'), true],
  [{}, read('{"id":1,"method":"x","params":{"_meta":{}}}'), false],
  [{}, read('{"id":1,"method":"x","params":{"_meta":"z"}}'), false],
  [{}, read('{"id":1,"method":"x"}'), false],
  [{}, read('{"id":1,"result":{}}'), false],
])('[G1] isModernCall with the headers %j and the message %j returns %s', (headers, message, modern) => {
  expect(isModernCall({ headers, message })).toBe(modern);
});

it('[G20] an error of the gateway contains number, code, data and hint; an unexpected error contains no details', () => {
  const details = { hint: 'Wait.', data: { timeout_ms: 5 } };
  expect(JSON.parse(failureText(failure('upstream_timeout', 'Too late', details), '"a"'))).toEqual({
    jsonrpc: '2.0',
    id: 'a',
    error: {
      code: -31003,
      message: 'Too late',
      data: { code: 'upstream_timeout', timeout_ms: 5, hint: 'Wait.' },
    },
  });
  for (const error of [new Error('password=hunter2'), new DomainError('disk_full', 'hunter2'), 'hunter2'])
    expect(JSON.parse(failureText(error, '1'))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32603,
        message: 'Internal error: the call failed in the gateway',
        data: { code: 'internal_error' },
      },
    });
  expect(JSON.parse(failureText(failure('circuit_open', 'x'), '1')).error.data).toEqual({
    code: 'circuit_open',
  });
});

const DEFAULTS = {
  connectTimeoutMs: 1,
  timeoutMs: 2,
  maxChars: 3,
  headChars: 4,
  tailChars: 5,
  maxMediaBytes: 8,
  maxResultChars: 9,
  injectRecoverTool: true,
  pruneBeforeMask: false,
  maxResponseBytes: 6,
  maxProcesses: 7,
};

it('[G2] the options of a server override the defaults, and the options of a tool override its server', () => {
  const tools = {
    each: {
      search: { maxChars: 30, headChars: undefined, description: 'Finds.' },
      read: { description: 'Reads.', maxChars: undefined },
    },
  };
  const options = upstreamOptions(
    'files',
    { url: 'http://x', timeoutMs: 20, maxChars: undefined, tools },
    DEFAULTS,
  );
  expect(options).toEqual({ ...DEFAULTS, name: 'files', url: 'http://x', timeoutMs: 20, tools });
  const own = toolSettings(options);
  expect([...own.keys()]).toEqual(['search']);
  expect(own.get('search')).toMatchObject({ maxChars: 30, headChars: 4, timeoutMs: 20 });
  expect(own.get('search')).not.toHaveProperty('description');
  expect(options).toMatchObject({ maxChars: 3, headChars: 4, tailChars: 5 });
  expect(toolSettings(upstreamOptions('plain', {}, DEFAULTS)).size).toBe(0);
});

it('[G2] openUpstream throws for a server with neither url nor command', () => {
  const parts = { env: {}, log: () => {}, watchdog: {} } as unknown as Parameters<typeof openUpstream>[1];
  expect(() => openUpstream(upstreamOptions('odd', {}, DEFAULTS), parts)).toThrow('takes the server odd');
});

it('[G25] [T2] publicUrl omits the credentials of an address, and credentialsIn returns them as a header', () => {
  expect(publicUrl('https://me:p%40ss@tools.example:8443/mcp?key=s#x')).toBe(
    'https://tools.example:8443/mcp',
  );
  const header = (url: string) => credentialsIn(new URL(url)).authorization;
  expect(header('https://me:p%40ss@x/')).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  expect(header('https://me@x/')).toBe(`Basic ${Buffer.from('me:').toString('base64')}`);
  expect(header('https://:p@x/')).toBe(`Basic ${Buffer.from(':p').toString('base64')}`);
  expect(credentialsIn(new URL('https://x/'))).toEqual({});
});

const calling = (params: string, more = '') =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params}}${more}}`;

it.each([
  ['name', calling('"name":"delete_file","name":"read"')],
  ['Name', calling('"name":"read","Name":"delete_file"')],
  ['name', calling('"n\\u0061me":"delete_file","name":"read"')],
  ['Method', calling('"name":"read"', ',"Method":"tools/list"')],
  ['paramſ', calling('"name":"read"', ',"paramſ":{"name":"delete_file"}')],
])('[T8] a call with a duplicate key %s is refused, because servers read it differently', (name, text) => {
  expect(() => read(text)).toThrow(`Invalid request: duplicate key "${name}"`);
});

it('[T8] tool arguments may contain duplicate keys, because only the server of the tool reads them', () => {
  const text = calling('"name":"read","arguments":{"a":1,"A":2,"a":3}');
  expect(read(text)).toMatchObject({ kind: 'request', params: { name: 'read' } });
});
