import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Type } from '../../../packages/base/src/tools/schema.ts';
import { defineTool, textResult } from '../../../packages/base/src/tools/tool.ts';
import { FREE_ANSWER_BYTES, Reservations } from '../../../packages/serving/src/wire/http-host/admission.ts';
import type { RpcServer } from '../../../packages/serving/src/wire/protocol.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

const MB = 1_000_000;

/** Creates a response that has written nothing yet. A test sets its number of unread bytes. */
function madeUp() {
  const state = { writableLength: 0, writableEnded: false, socket: null };
  return { state, response: state as unknown as ServerResponse };
}

function reservations(maxHeldBytes: number, bodyBytes = 0) {
  const held = new Reservations({ maxHeldBytes, bodyBytes: () => bodyBytes });
  const open = () => {
    const { state, response } = madeUp();
    held.open(response);
    return { state, response, reserve: (bytes: number) => held.reserve(response, bytes) };
  };
  return { held, open };
}

it('[X23] Reservations grants responses that fit, and a single response of any size', async () => {
  const { held, open } = reservations(3 * MB);
  const [first, second] = [open(), open()];
  expect(first.reserve(10 * MB)).toBe(true);
  expect(held.heldBytes).toBe(10 * MB);
  const waiting = second.reserve(MB);
  held.close(first.response);
  expect(await waiting).toBe(true);
  expect(held.heldBytes).toBe(MB);
});

it('[X23] Reservations grants short responses while a long response waits', () => {
  const { open } = reservations(MB);
  const [first, second, third] = [open(), open(), open()];
  first.reserve(MB);
  expect(second.reserve(MB)).toBeInstanceOf(Promise);
  expect(third.reserve(FREE_ANSWER_BYTES)).toBe(true);
  expect(third.reserve(FREE_ANSWER_BYTES + 1)).toBeInstanceOf(Promise);
});

it('[X23] Reservations counts request bodies and, once a response is written, its unread bytes instead of the reservation', async () => {
  const { held, open } = reservations(3 * MB, MB);
  const [first, second] = [open(), open()];
  expect(first.reserve(1.5 * MB)).toBe(true);
  const waiting = second.reserve(MB);
  expect(waiting).toBeInstanceOf(Promise);
  Object.assign(first.state, { writableEnded: true, writableLength: MB });
  expect(await waiting).toBe(true);
  expect(held.heldBytes).toBe(2 * MB);
});

it('[X23] [X4] Reservations refuses a waiting call whose client disconnects, and leaves no timer', async () => {
  const { held, open } = reservations(MB);
  const [first, second] = [open(), open()];
  first.reserve(MB);
  const waiting = second.reserve(MB);
  held.close(second.response);
  expect(await waiting).toBe(false);
  held.close(first.response);
  expect(held.heldBytes).toBe(0);
});

/** More than the kernel buffers for a client that does not read. */
const ANSWER_BYTES = 12 * MB;

/** A tool that declares and returns a response of `ANSWER_BYTES`. */
function longAnswers() {
  const counts = { started: 0 };
  const long = defineTool({
    name: 'long',
    description: 'Answers with a long text.',
    inputSchema: Type.Object({}),
    answerBytes: () => ANSWER_BYTES,
    handle: async () => {
      counts.started += 1;
      return textResult('x'.repeat(ANSWER_BYTES - 1000));
    },
  });
  const server: RpcServer = { name: 'long', version: '1', tools: [long] };
  return { counts, rpc: { server, paths: ['/mcp'] } };
}

const CALL = JSON.stringify(rpcRequest('tools/call', { name: 'long', arguments: {} }));

/** Sends a call and does not read the response. */
function callWithoutReading(port: number): Socket {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${CALL.length}\r\n\r\n${CALL}`,
  );
  onTestFinished(() => void socket.destroy());
  return socket;
}

it('[X6] [X23] of 60 clients that do not read, the host serves only those whose responses fit; the others get 503', async () => {
  const { counts, rpc } = longAnswers();
  const host = await serveEcho({ rpc, maxHeldBytes: 5 * ANSWER_BYTES, writeTimeoutMs: 60_000 });
  const readers = Array.from({ length: 60 }, () => callWithoutReading(host.port));
  await expect.poll(() => counts.started).toBeGreaterThan(3);
  const refused = await post(`${host.url}/mcp`, CALL);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ error: { code: -32009 } });
  // The kernel takes a few megabytes of each answer, so that somewhat more than five fit.
  expect(counts.started).toBeLessThan(20);
  for (const reader of readers) reader.destroy();
  await expect.poll(async () => (await post(`${host.url}/mcp`, CALL)).status).toBe(200);
}, 30_000);
