import { expect, it } from 'vitest';
import { readClientMessage } from '../../../../packages/secateur/src/servers/gateway/client-call.ts';
import { ClientNames } from '../../../../packages/secateur/src/servers/gateway/gateway.ts';

const message = (fields: object) => readClientMessage(Buffer.from(JSON.stringify(fields)));
const hello = (name: string) =>
  message({ id: 1, method: 'initialize', params: { clientInfo: { name, version: '1' } } });
const call = message({ id: 2, method: 'tools/call', params: { name: 'read' } });
const answerIn = (session: string) => ({ headers: { 'mcp-session-id': session } });

it('[AU1] ClientNames identifies a client by its session after initialize', () => {
  const names = new ClientNames();
  names.learn(hello('editor'), answerIn('s1'));
  names.learn(hello('terminal'), answerIn('s2'));
  expect(names.of({ 'mcp-session-id': 's1', 'user-agent': 'node' }, call)).toBe('editor');
  expect(names.of({ 'mcp-session-id': 's2' }, call)).toBe('terminal');
});

it('[AU1] ClientNames identifies a client without a session by the message, or else by its User-Agent', () => {
  const names = new ClientNames();
  names.learn(hello('editor'), { headers: {} });
  names.learn(call, answerIn('s1'));
  expect(names.of({ 'mcp-session-id': 's1', 'user-agent': 'curl/8.5' }, call)).toBe('curl');
  expect(names.of({ 'user-agent': 'curl/8.5' }, hello('editor'))).toBe('editor');
  expect(names.of({}, call)).toBeUndefined();
  const _meta = { 'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' } };
  expect(names.of({}, message({ id: 1, method: 'tools/call', params: { _meta } }))).toBe('modern');
});

it('[AU1] ClientNames returns no name for a message that is not a request', () => {
  const params = { clientInfo: { name: 'editor', version: '1' } };
  expect(new ClientNames().of({}, message({ method: 'initialize', params }))).toBeUndefined();
  expect(new ClientNames().of({}, { kind: 'none' })).toBeUndefined();
});

it('[X6] ClientNames holds a thousand sessions and drops the oldest session first', () => {
  const names = new ClientNames();
  for (let at = 0; at < 1000; at += 1) names.learn(hello(`client-${at}`), answerIn(`s${at}`));
  const known = (session: string) => names.of({ 'mcp-session-id': session }, call);
  names.learn(call, answerIn('nameless'));
  names.learn(hello('sessionless'), { headers: {} });
  expect(known('s0')).toBe('client-0');
  names.learn(hello('newest'), answerIn('new'));
  expect([known('s0'), known('s1'), known('new')]).toEqual([undefined, 'client-1', 'newest']);
});
