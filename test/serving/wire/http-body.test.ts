import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { drained, readBody } from '../../../packages/serving/src/wire/http-route.ts';

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Sends raw bytes and returns the part of the request that the server has read. */
async function exchangeWith(written: string) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  closing.push(
    () => client.destroy(),
    () => server.close(),
  );
  client.write(written);
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  return { client, request, response };
}

function listeners({ request, response }: { request: IncomingMessage; response: ServerResponse }): number[] {
  return [
    ...['data', 'end', 'close', 'error'].map((name) => request.listenerCount(name)),
    ...['drain', 'close'].map((name) => response.listenerCount(name)),
  ];
}

const HALF = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf.';

it.each([
  ['leaves', (client: Socket) => client.destroy()],
  ['breaks off', (client: Socket) => client.resetAndDestroy()],
  ['hangs up in the middle', (client: Socket) => client.end()],
])('[X6] readBody ends when the client %s before the body is complete', async (_, leave) => {
  const exchange = await exchangeWith(HALF);
  const before = listeners(exchange);
  const body = readBody(exchange.request, 100);
  leave(exchange.client);
  expect(await body).toEqual({ kind: 'gone' });
  expect(listeners(exchange)).toEqual(before);
});

it('[X6] readBody reads a body to its end in any number of chunks, and leaves no listener', async () => {
  const exchange = await exchangeWith(HALF);
  const before = listeners(exchange);
  const body = readBody(exchange.request, 10);
  exchange.client.write('whole');
  expect(await body).toEqual({ kind: 'read', bytes: Buffer.from('half.whole') });
  expect(listeners(exchange)).toEqual(before);
});

it.each([
  ['takes what was written', (client: Socket) => client.resume()],
  ['leaves instead', (client: Socket) => client.destroy()],
])('[X6] `drained` resolves when a slow client %s', async (_, act) => {
  const exchange = await exchangeWith('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  exchange.client.pause();
  const before = listeners(exchange);
  while (exchange.response.write('x'.repeat(1 << 20)));
  const taken = drained(exchange.response);
  act(exchange.client);
  expect(await taken).toBeUndefined();
  expect(listeners(exchange)).toEqual(before);
});
