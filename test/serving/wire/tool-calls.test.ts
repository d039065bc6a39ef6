import { expect, test } from 'vitest';
import { Type } from '../../../packages/base/src/tools/schema.ts';
import { defineTool, type Tool, textResult } from '../../../packages/base/src/tools/tool.ts';
import { createDispatcher } from '../../../packages/serving/src/wire/dispatcher.ts';
import { callKey, cancelledId, InFlight } from '../../../packages/serving/src/wire/messages/rpc-message.ts';
import type { RpcServer } from '../../../packages/serving/src/wire/protocol.ts';

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  ...defineTool({
    name,
    description: '',
    inputSchema: Type.Object({}),
    handle: async (_, { client }) => textResult(`${name} for ${client}`),
  }),
  ...more,
});

function called(params: Record<string, unknown>, server: Partial<RpcServer>) {
  const whole: RpcServer = { name: 'test', version: '1', tools: [tool('one'), tool('two')], ...server };
  const ports = { signal: new AbortController().signal, client: 'somebody' };
  return createDispatcher(whole).run('tools/call', params, ports);
}

const isOffered = (name: string) => name !== 'two';

test.each([
  [{}, 'is required'],
  [{ name: 7 }, 'must be a string'],
  [{ name: 'three' }, 'unknown tool; known tools: one, two'],
])('[W3] tools/call with %j reports the error of the tool name', async (params, message) => {
  const data = { field_errors: [{ field: 'name', message }] };
  await expect(called(params, {})).rejects.toMatchObject({ code: -32602, data });
});

test('[W3] tools/call returns "unknown tool" for a tool that is not offered to the caller', async () => {
  const data = { field_errors: [{ field: 'name', message: 'unknown tool; known tools: one' }] };
  await expect(called({ name: 'two' }, { isOffered })).rejects.toMatchObject({ data });
  expect(await called({ name: 'one' }, { isOffered })).toEqual(textResult('one for somebody'));
});

test.each([[null], [[]], ['text']])('[W3] tools/call reports the non-object arguments %j', async (args) => {
  const call = called({ name: 'one', arguments: args }, {});
  // `null` counts as no arguments.
  if (args === null) expect(await call).toEqual(textResult('one for somebody'));
  else
    await expect(call).rejects.toMatchObject({
      data: { field_errors: [{ field: 'arguments', message: 'must be an object' }] },
    });
});

test('[F15] a tool can be replaced for one client, and tools/call calls the replacement', async () => {
  const forClient = async () => tool('its own');
  expect(await called({ name: 'one' }, { tools: [tool('one', { forClient })] })).toEqual(
    textResult('its own for somebody'),
  );
});

test('[W4] tools/call works with an observer that has no callbacks', async () => {
  await expect(called({ name: 'three' }, { observer: {} })).rejects.toMatchObject({ code: -32602 });
});

test('[W11] InFlight cancels only the call that currently has the id', () => {
  const calls = new InFlight();
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
  calls.begin('a', first);
  calls.begin('a', second);
  calls.end('a', first);
  calls.cancel('a');
  expect([first.signal.aborted, second.signal.aborted]).toEqual([false, true]);
  calls.begin('b', third);
  calls.end('b', third);
  calls.cancel('b');
  expect(third.signal.aborted).toBe(false);
  calls.begin('c', third);
  calls.abortAll();
  expect(third.signal.aborted).toBe(true);
});

test('[W11] callKey distinguishes calls by type of id and by session; cancelledId accepts only strings and numbers', () => {
  const keys = [callKey(1), callKey('1'), callKey(1, 'session')];
  expect(new Set(keys).size).toBe(3);
  expect(callKey(1)).toBe(callKey(1, ''));
  expect([1, 'a', null, {}, undefined].map((requestId) => cancelledId({ requestId }))).toEqual([
    1,
    'a',
    undefined,
    undefined,
    undefined,
  ]);
});
