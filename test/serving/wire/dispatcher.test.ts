import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Type } from '../../../packages/base/src/tools/schema.ts';
import { defineTool, textResult } from '../../../packages/base/src/tools/tool.ts';
import {
  createDispatcher,
  type RpcNotification,
  type RpcResponse,
} from '../../../packages/serving/src/wire/dispatcher.ts';
import { readMessage } from '../../../packages/serving/src/wire/messages/rpc-message.ts';
import type { CallObserver, RpcServer } from '../../../packages/serving/src/wire/protocol.ts';
import { echoServer } from './echo-server.ts';

async function send(message: unknown, server: RpcServer = echoServer()): Promise<RpcResponse | undefined> {
  return createDispatcher(server, { newId: () => 'call-1' }).dispatch(readMessage(message), {
    signal: new AbortController().signal,
  });
}

const request = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 7, method, params });
const call = (name: unknown, args?: unknown) => request('tools/call', { name, arguments: args });

describe('methods', () => {
  test.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    ['nonsense', '2025-11-25'],
  ])('[P5] initialize at %s, without capabilities, returns %s', async (asked, answered) => {
    expect(await send(request('initialize', { protocolVersion: asked }))).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {
        protocolVersion: answered,
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: 'echo-server', version: '1.2.3' },
        jeeves: { schemaVersion: 1 },
      },
    });
  });

  test('initialize returns the instructions of the server', async () => {
    const answer = await send(
      request('initialize', { protocolVersion: '2025-06-18' }),
      echoServer({ instructions: 'Ask.' }),
    );
    expect(answer).toMatchObject({ result: { instructions: 'Ask.' } });
  });

  test.each([
    [{}, 'is required'],
    [{ protocolVersion: 3 }, 'must be a string'],
  ])('[FM1] initialize with params %j reports that protocolVersion %s', async (params, message) => {
    expect(await send(request('initialize', params))).toMatchObject({
      error: { code: -32602, data: { field_errors: [{ field: 'protocolVersion', message }] } },
    });
  });

  test.each([
    ['ping', {}],
    // A notification that carries an id by mistake.
    ['notifications/initialized', {}],
    ['resources/list', { resources: [] }],
    ['resources/templates/list', { resourceTemplates: [] }],
    ['prompts/list', { prompts: [] }],
    ['health', { status: 'healthy' }],
  ])('[P3] the method %s returns %j', async (method, result) => {
    expect(await send(request(method))).toEqual({ jsonrpc: '2.0', id: 7, result });
  });

  test.each(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])(
    '[P3] %s returns -32602 for any cursor, because its results have one page',
    async (method) => {
      for (const cursor of ['next', '', null, 7]) {
        expect(await send(request(method, { cursor }))).toMatchObject({
          error: { code: -32602, data: { field_errors: [{ field: 'cursor' }] } },
        });
      }
    },
  );

  test('[P3] tools/list returns name, description, schema and hints, but no aliases', async () => {
    const answer = await send(request('tools/list', {}));
    const { tools } = (answer as unknown as { result: { tools: Array<Record<string, unknown>> } }).result;
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'fail', 'slow']);
    expect(Object.keys(tools[0] ?? {})).toEqual(['name', 'description', 'inputSchema', 'annotations']);
  });

  test('[T8] tools/list returns the tools that a caller may use, each with all of its members and no others', async () => {
    const [, ...others] = echoServer().tools;
    const plain = { name: 'plain', title: 'Plain', description: '', inputSchema: Type.Object({}) };
    const tools = [{ ...plain, call: async () => textResult('') }, ...others];
    const isOffered = (name: string) => name !== 'fail';
    const answer = await send(request('tools/list', {}), echoServer({ tools, isOffered }));
    const listed = (answer as unknown as { result: { tools: Array<Record<string, unknown>> } }).result.tools;
    expect(listed.map(({ name }) => name)).toEqual(['plain', 'slow']);
    expect(listed[0]).toStrictEqual(plain);
  });

  test('tools/call accepts an alias of a tool', async () => {
    expect(await send(call('repeat', { text: 'x' }))).toMatchObject({ result: { content: [{ text: 'x' }] } });
  });

  test('[P4] the dispatcher returns undefined for notifications and unrequested responses', async () => {
    expect(await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined();
    expect(await send({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'echo' } })).toBeUndefined();
    expect(await send({ jsonrpc: '2.0', id: 3, result: {} })).toBeUndefined();
  });
});

describe('failure', () => {
  test.each([
    ['a number', 3],
    ['null', null],
    ['a batch', [request('ping')]],
    ['an empty batch', []],
    ['no version', { id: 1, method: 'ping' }],
    ['no method', { jsonrpc: '2.0', id: 1 }],
    ['a method that is not a string', { jsonrpc: '2.0', id: 1, method: 5 }],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }],
  ])('[P4] %s returns -32600', async (_, message) => {
    expect(await send(message)).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
  });

  test.each(['nothing/known', '__proto__', 'constructor', 'toString'])(
    '[P4] the method %s returns -32601',
    async (method) => {
      const error = { code: -32601, message: `Method not found: ${method}` };
      expect(await send(request(method))).toMatchObject({ id: 7, error });
    },
  );

  test('[W5] the error for an unknown method contains at most 100 characters of its name', async () => {
    const answer = await send(request('x'.repeat(10_000)));
    expect(answer).toMatchObject({ error: { message: `Method not found: ${'x'.repeat(100)}` } });
  });

  test('[P4] params that are not an object return -32602', async () => {
    expect(await send(request('ping', [1]))).toMatchObject({
      error: { code: -32602, data: { field_errors: [{ field: 'params', message: 'must be an object' }] } },
    });
  });

  test.each([
    ['an unknown tool', 'sing', 'name'],
    ['a tool without a name', undefined, 'name'],
    ['a name that is not a string', 4, 'name'],
    ['an inherited name', 'constructor', 'name'],
  ])('[W3] %s returns -32602 with the name of the field', async (_, name, field) => {
    expect(await send(call(name, {}))).toMatchObject({
      error: { code: -32602, data: { field_errors: [{ field, message: expect.any(String) }] } },
    });
  });

  test('[W3] the error for a nested invalid argument contains its path', async () => {
    expect(await send(call('echo', { text: 'a', options: { times: 9, colour: 1 } }))).toMatchObject({
      error: {
        code: -32602,
        message: expect.stringContaining('options.times'),
        data: { field_errors: [{ field: 'options.times' }, { field: 'options.colour' }] },
      },
    });
  });

  test('[W3] arguments that are not an object return one field error', async () => {
    expect(await send(call('echo', 'text'))).toMatchObject({
      error: { code: -32602, data: { field_errors: [{ field: 'arguments', message: 'must be an object' }] } },
    });
  });

  test('[W3] the custom check of a tool reports errors like the schema does, and runs after the schema accepted the arguments', async () => {
    expect(await send(call('echo', { text: 'a\0b' }))).toMatchObject({
      error: { code: -32602, data: { field_errors: [{ field: 'text', message: 'must not contain NUL' }] } },
    });
    expect(await send(call('echo', { text: 5 }))).toMatchObject({
      error: { data: { field_errors: [{ field: 'text', message: 'must be a string' }] } },
    });
  });

  test('[W4] the dispatcher returns a listed domain error with its number, code, data and hint', async () => {
    expect(await send(call('fail', { how: 'known' }))).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: {
        code: -32004,
        message: 'thing_not_found',
        data: { code: 'thing_not_found', thing: 7, hint: 'Look again.' },
      },
    });
  });

  test('[W4] the dispatcher returns any other domain error as -32603 with its message and code, without its cause', async () => {
    const answer = await send(call('fail', { how: 'domain' }));
    expect(answer).toMatchObject({
      error: { code: -32603, message: 'The disk is full', data: { code: 'disk_full' } },
    });
    expect(JSON.stringify(answer)).not.toContain('ENOSPC');
  });

  test('[W4] the dispatcher returns an unexpected exception as -32603 without details', async () => {
    const answer = await send(call('fail', { how: 'bug' }));
    expect(answer).toMatchObject({
      error: {
        code: -32603,
        message: 'Internal error: the call failed on our side',
        data: { code: 'internal_error', request_id: 'call-1' },
      },
    });
    expect(JSON.stringify(answer)).not.toMatch(/hunter2|at .*\.ts/);
  });

  test('[W4] a server without listed codes returns every domain error as -32603', async () => {
    const { errorCodes: _, ...server } = echoServer();
    const parseError = { code: -32700, message: 'Parse error: noise' };
    for (const watched of [server, { ...server, observer: {} }]) {
      const answer = await send(call('fail', { how: 'known' }), watched);
      expect(answer).toMatchObject({ error: { code: -32603, data: { code: 'thing_not_found' } } });
      const answered = createDispatcher(watched).unparsable('noise');
      expect(answered).toEqual({ jsonrpc: '2.0', id: null, error: parseError });
    }
  });

  test('[W4] the observer learns the name of a failed tool only for tools/call', async () => {
    const crashed: unknown[] = [];
    const observer: CallObserver = { crashed: ({ tool }) => crashed.push(tool) };
    const health = async () => Promise.reject(new Error('broken'));
    await send(request('health', { name: 'echo' }), echoServer({ observer, methods: { health } }));
    expect(crashed).toEqual([undefined]);
  });

  test('[W4] the dispatcher returns -32603 if JSON cannot represent a result', async () => {
    const dispatcher = createDispatcher(echoServer());
    const ports = { signal: new AbortController().signal };
    const answer = await dispatcher.dispatch(readMessage(call('fail', { how: 'unprintable' })), ports);
    expect(answer).toBeDefined();
    expect(JSON.parse(String(await dispatcher.encode(answer as RpcResponse)))).toMatchObject({
      id: 7,
      error: { code: -32603 },
    });
  });

  test('[W4] the dispatcher notifies the observer of calls, invalid arguments, exceptions and malformed JSON', async () => {
    const heard: unknown[] = [];
    const observer: CallObserver = {
      received: ({ tool, requestId }) => heard.push(['received', tool, requestId]),
      invalid: ({ tool, fieldErrors }) => heard.push(['invalid', tool, fieldErrors.length]),
      crashed: ({ tool, error }) => heard.push(['crashed', tool, (error as Error).message]),
      unparsable: () => heard.push(['unparsable']),
    };
    const server = echoServer({ observer });
    await send(call('echo', { text: 'x' }), server);
    await send(call('echo', {}), server);
    await send(call('sing', {}), server);
    await send(call('fail', { how: 'bug' }), server);
    createDispatcher(server).unparsable('it is noise');
    expect(heard).toEqual([
      ['received', 'echo', 'call-1'],
      ['received', 'echo', 'call-1'],
      ['invalid', 'echo', 1],
      ['received', undefined, 'call-1'],
      ['invalid', undefined, 1],
      ['received', 'fail', 'call-1'],
      ['crashed', 'fail', 'password=hunter2'],
      ['unparsable'],
    ]);
  });
});

describe('progress of a call', () => {
  test('[W10] the progress token of a call may be a number, and progress needs no listener', async () => {
    const params = { name: 'slow', arguments: { steps: 1, wait_ms: 0 }, _meta: { progressToken: 0 } };
    const notified: unknown[] = [];
    const signal = new AbortController().signal;
    const dispatcher = createDispatcher(echoServer());
    const notify = (notification: RpcNotification) => void notified.push(notification.params.progressToken);
    await dispatcher.run('tools/call', params, { signal, notify });
    expect(notified).toEqual([0]);
    expect(await dispatcher.run('tools/call', params, { signal })).toEqual(textResult('done'));
  });

  test('[W10] progress is dropped after the response', async () => {
    const notified: unknown[] = [];
    let late: (() => void) | undefined;
    const tool = defineTool({
      name: 'late',
      description: 'Goes on talking.',
      inputSchema: Type.Object({}),
      handle: async (_, { progress }) => {
        progress({ progress: 1 });
        late = () => progress({ progress: 2 });
        return textResult('done');
      },
    });
    const message = readMessage(request('tools/call', { name: 'late', _meta: { progressToken: 'p' } }));
    const notify = (notification: unknown) => notified.push(notification);
    await createDispatcher(echoServer({ tools: [tool] })).dispatch(message, {
      signal: new AbortController().signal,
      notify,
    });
    late?.();
    expect(notified).toHaveLength(1);
  });
});

describe('the dispatcher with any message', () => {
  const server = echoServer();
  const dispatcher = createDispatcher(server);
  const ports = { signal: new AbortController().signal };
  const method = fc.constantFrom(
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'health',
    '__proto__',
    'x',
  );
  const almostARequest = fc.record(
    {
      jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
      id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
      method: fc.oneof(method, fc.jsonValue()),
      params: fc.oneof(
        fc.record({
          name: fc.oneof(fc.constantFrom('echo', 'fail'), fc.jsonValue()),
          arguments: fc.jsonValue(),
          _meta: fc.jsonValue(),
        }),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: [] },
  );

  test('[W5] the dispatcher never throws, and returns a JSON-RPC response or undefined for any message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(almostARequest, fc.jsonValue()), async (message) => {
        const answer = await dispatcher.dispatch(readMessage(message), ports);
        if (answer === undefined) return;
        const sent = JSON.parse(String(await dispatcher.encode(answer)));
        expect(sent.jsonrpc).toBe('2.0');
        expect('result' in sent).not.toBe('error' in sent);
        if ('error' in sent)
          expect(sent.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
      }),
      { numRuns: 1000 },
    );
  });

  test('[W5] the response to any request has the id of the request', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.integer(), fc.string()),
        fc.oneof(method, fc.string()),
        fc.jsonValue(),
        async (id, name, params) => {
          const answer = await dispatcher.dispatch(
            readMessage({ jsonrpc: '2.0', id, method: name, params }),
            ports,
          );
          expect(answer?.id).toBe(id);
        },
      ),
    );
  });

  test('[W5] arguments nested 100,000 levels deep return one field error', async () => {
    const depth = 100_000;
    const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":${'['.repeat(depth)}${']'.repeat(depth)}}}}`;
    const answer = await dispatcher.dispatch(readMessage(JSON.parse(text)), ports);
    expect(answer).toMatchObject({ error: { code: -32602, data: { field_errors: [{ field: 'text' }] } } });
  });
});
