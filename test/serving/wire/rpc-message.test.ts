import { describe, expect, it } from 'vitest';
import { answerTo, readMessage, writtenId } from '../../../packages/serving/src/wire/messages/rpc-message.ts';

const call = { jsonrpc: '2.0', method: 'ping' };

const INVALID: [message: unknown, id: unknown, reason: string][] = [
  [[{ ...call, id: 1 }], null, 'batches are not supported; send one request at a time'],
  ['ping', null, 'a request is a JSON object'],
  [null, null, 'a request is a JSON object'],
  [{ ...call, id: null }, null, 'id must be a string or a number'],
  [{ ...call, id: {} }, null, 'id must be a string or a number'],
  [{ ...call, id: Number.POSITIVE_INFINITY }, null, 'id must be a string or a number'],
  [{ method: 'ping', id: 1 }, 1, 'jsonrpc must be "2.0"'],
  [{ method: 'ping', jsonrpc: '1.0' }, null, 'jsonrpc must be "2.0"'],
  [{ jsonrpc: '2.0', id: 1 }, 1, 'method must be a string'],
  [{ jsonrpc: '2.0', method: 7 }, null, 'method must be a string'],
];

describe('[W5] a parsed JSON-RPC message', () => {
  it.each([0, -1, 1.5, '', '7'])('readMessage reads a message with id %j as a request', (id) => {
    const request = { kind: 'request', id, method: 'ping', params: {} };
    expect(readMessage({ ...call, id })).toEqual(request);
    expect(readMessage({ ...call, id, params: null })).toEqual(request);
    expect(readMessage({ ...call, id, params: { a: 1 } })).toEqual({ ...request, params: { a: 1 } });
  });

  it('readMessage reads a message without an id as a notification, and ignores its invalid params', () => {
    const notification = { kind: 'notification', method: 'ping' };
    expect(readMessage({ ...call, params: { a: 1 } })).toEqual({ ...notification, params: { a: 1 } });
    for (const params of [undefined, [1], 'a'])
      expect(readMessage({ ...call, params })).toEqual({ ...notification, params: {} });
  });

  it.each([{ result: 1 }, { error: { code: 1, message: 'no' } }])(
    'readMessage reads a message with %j as a response',
    (answer) => {
      const result = 'result' in answer ? answer.result : undefined;
      expect(readMessage({ jsonrpc: '2.0', id: 1, ...answer })).toEqual({ kind: 'response', id: 1, result });
      expect(readMessage({ ...call, id: 1, ...answer })).toMatchObject({ kind: 'request' });
    },
  );

  it.each(INVALID)('readMessage reports %j as invalid', (message, id, reason) => {
    const read = readMessage(message);
    expect(read).toMatchObject({ kind: 'invalid', id, error: { code: -32600 } });
    expect(read.kind === 'invalid' && read.error.message).toBe(`Invalid request: ${reason}`);
  });

  it.each([[[1]], ['a'], [7]])('readMessage reports a request with the params %j as invalid', (params) => {
    const read = readMessage({ ...call, id: 'a', params });
    expect(read).toMatchObject({ kind: 'invalid', id: 'a', error: { code: -32602 } });
    expect(JSON.stringify(read)).toContain('{"field":"params","message":"must be an object"}');
  });
});

describe('[W1] an id that exceeds the precision of JavaScript numbers', () => {
  it('writtenId returns the id exactly as the client wrote it', () => {
    const written = '1763251200123456789';
    const message = Buffer.from(` {"a":{"id":1}, "id" : ${written} ,"method":"ping"}`);
    expect(writtenId(Number(written), message)).toBe(written);
    expect(answerTo(written, '{"jsonrpc":"2.0","id":1763251200123456800,"result":{"id":1}}')).toBe(
      `{"jsonrpc":"2.0","id":${written},"result":{"id":1}}`,
    );
  });

  it('writtenId searches the text only for integers that JavaScript may have rounded', () => {
    for (const id of ['1763251200123456789', 7, 1.5, 2 ** 53 - 1])
      expect(writtenId(id, Buffer.from(`{"id":9007199254740993}`))).toBeUndefined();
    expect(writtenId(2 ** 53, Buffer.from('{}'))).toBeUndefined();
    expect(answerTo(undefined, '{"jsonrpc":"2.0","id":7}')).toBe('{"jsonrpc":"2.0","id":7}');
  });
});
