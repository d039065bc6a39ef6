import { describe, expect, it } from 'vitest';
import { readClientMessage } from '../../../../packages/secateur/src/servers/gateway/client-call.ts';
import {
  readChildMessage,
  withId,
} from '../../../../packages/secateur/src/servers/gateway/upstreams/stdio/child.ts';
import {
  envelopeFailure,
  modernStatus,
} from '../../../../packages/secateur/src/servers/gateway/upstreams/stdio/envelope.ts';
import { MessageQueue } from '../../../../packages/secateur/src/servers/gateway/upstreams/stdio/sessions.ts';

describe('[G24] a line that a stdio server prints', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"result":{}}', { kind: 'answer', id: 7 }],
    ['  {"id":7.0,"error":{}}', { kind: 'answer', id: 7 }],
    ['{"id":"7","method":"ping"}', { kind: 'request', idText: '"7"', method: 'ping' }],
    ['{"method":"x","params":{"a":1}}', { kind: 'notification', params: { a: 1 } }],
    ['{"method":"x","params":[1]}', { kind: 'notification', params: {} }],
    ['{"method":"x"}', { kind: 'notification', params: {} }],
  ])('readChildMessage classifies: %s', (text, expected) => {
    expect(readChildMessage(text)).toMatchObject({ ...expected, text });
  });

  it.each([
    'Server is running',
    '',
    '[{"id":7,"result":{}}]',
    '("id":7,"result":{}}',
    '{"id":7}',
    '{"result":{}}',
    '{"id":"7","result":{}}',
    '{"id":7.5,"result":{}}',
    '{"id":7,"method":8}',
    '{"method":"x","params":}',
  ])('readChildMessage ignores: %s', (text) => {
    expect(readChildMessage(text)).toBeUndefined();
  });

  it('withId replaces the id of a message and changes nothing else', () => {
    const message = readChildMessage('{"a": [1], "id": 7 ,"result":{"id":7}}');
    if (message?.kind !== 'answer') throw new Error('is an answer');
    expect(withId(message, '"mine"')).toBe('{"a": [1], "id": "mine" ,"result":{"id":7}}');
  });
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Returns what is wrong with a request; the version and method headers default to right ones. */
function wrong(method: string, params: object, headers: Record<string, string> = {}) {
  const message = readClientMessage(Buffer.from(JSON.stringify({ id: 1, method, params })));
  if (message.kind !== 'request') throw new Error('is a request');
  const said = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
  return envelopeFailure({ headers: { ...said, ...headers } }, message);
}

describe('[G1] a request without a handshake', () => {
  it('a request without a handshake is accepted if its headers match its body', () => {
    expect(wrong('ping', { _meta: META })).toBeUndefined();
    expect(wrong('tools/call', { name: 'read', _meta: META }, { 'mcp-name': 'read' })).toBeUndefined();
    const umlaut = `=?base64?${Buffer.from('größe').toString('base64')}?=`;
    expect(wrong('prompts/get', { name: 'größe', _meta: META }, { 'mcp-name': umlaut })).toBeUndefined();
    expect(wrong('tools/call', { _meta: META })).toBeUndefined();
    expect(wrong('ping', { _meta: META }, { 'mcp-name': 'anything' })).toBeUndefined();
  });

  it.each([
    [{}, 'protocolVersion'],
    [{ _meta: 'x' }, 'protocolVersion'],
    [{ _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': 7 } }, 'protocolVersion'],
    [{ _meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': 'x' } }, 'clientCapabilities'],
  ])('a request without a handshake is refused if its body is %j, which lacks %s', (params, field) => {
    expect(wrong('ping', params)).toEqual({
      code: -32602,
      message: `Invalid params: _meta["io.modelcontextprotocol/${field}"] is required`,
    });
  });

  it.each([
    ['ping', {}, { 'mcp-protocol-version': '2025-11-25' }, 'MCP-Protocol-Version'],
    ['ping', {}, { 'mcp-method': 'pong' }, 'Mcp-Method'],
    ['tools/call', { name: 'read' }, {}, 'Mcp-Name'],
    ['tools/call', { name: 'read' }, { 'mcp-name': 'write' }, 'Mcp-Name'],
    ['prompts/get', { name: 'a' }, { 'mcp-name': 'x=?base64?YQ==?=' }, 'Mcp-Name'],
    ['prompts/get', { name: 'a' }, { 'mcp-name': '=?base64?YQ==?=x' }, 'Mcp-Name'],
    ['resources/read', { uri: 'file:///a', name: 'b' }, { 'mcp-name': 'b' }, 'Mcp-Name'],
    ['tasks/get', { taskId: '1' }, { 'mcp-name': '2' }, 'Mcp-Name'],
  ])('the request %s %j without a handshake is refused with the headers %j', (...given) => {
    const [method, params, headers, header] = given;
    expect(wrong(method, { ...params, _meta: META }, headers as Record<string, string>)).toEqual({
      code: -32020,
      message: `Header mismatch: ${header} does not match the body`,
    });
  });

  it.each([
    ['{"id":1,"result":{}}', 200],
    ['{"id":1,"error":{"code":-32601,"message":"m"}}', 404],
    ['{"id":1,"error":{"code":-32602,"message":"m"}}', 400],
    ['{"id":1,"error":{"code":-32022,"message":"m"}}', 400],
    ['{"id":1,"error":{"code":-1,"message":"m"}}', 200],
    ['{"id":1,"error":"m"}', 200],
    ['no JSON', 200],
  ])('the response %s gets HTTP status %i', (answer, status) => {
    expect(modernStatus(Buffer.from(answer))).toBe(status);
  });

  it('modernStatus treats a long error as an error of the tool, not of the protocol', () => {
    const error = (size: number) => {
      const text = '{"id":1,"error":{"code":-32602,"message":""}}';
      return Buffer.from(text.replace('""', `"${'x'.repeat(size - text.length)}"`));
    };
    expect([modernStatus(error(10_000)), modernStatus(error(10_001))]).toEqual([400, 200]);
  });
});

describe('[G1] a queue of messages for a client', () => {
  const news = (text: string) => ({ text, isAnswer: false });

  it('MessageQueue returns messages in order, including messages pushed before its end', async () => {
    const queue = new MessageQueue();
    const first = queue.next();
    queue.push(news('a'));
    queue.push({ text: 'b', isAnswer: true });
    queue.end();
    expect([queue.push(news('c')), queue.push({ text: 'd', isAnswer: true })]).toEqual([false, false]);
    expect([await first, await queue.next(), await queue.next()]).toEqual([
      news('a'),
      { text: 'b', isAnswer: true },
      undefined,
    ]);
  });

  it('MessageQueue rejects with the first error, for a waiting reader and for later readers', async () => {
    const queue = new MessageQueue();
    const waiting = queue.next();
    queue.end(new Error('gone'));
    queue.end(new Error('again'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(queue.next()).rejects.toThrow('gone');
  });

  it('MessageQueue returns undefined after its end, even if no reader was waiting', async () => {
    const queue = new MessageQueue();
    queue.end();
    expect(await queue.next()).toBeUndefined();
  });

  it('MessageQueue holds at most 1,000 messages or 1,048,576 characters while the client does not read', async () => {
    const many = new MessageQueue();
    for (let at = 0; at < 1000; at += 1) expect(many.push(news('x'))).toBe(true);
    expect(many.push(news('x'))).toBe(false);
    await many.next();
    expect([many.push(news('x')), many.push(news('x'))]).toEqual([true, false]);
    const large = new MessageQueue();
    expect(large.push(news('x'.repeat(1_048_575)))).toBe(true);
    expect([large.push(news('x')), large.push(news('x'))]).toEqual([true, false]);
    await large.next();
    expect(large.push(news('x'))).toBe(true);
  });
});
