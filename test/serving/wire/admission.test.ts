import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Type } from '../../../packages/base/src/tools/schema.ts';
import { defineTool, textResult } from '../../../packages/base/src/tools/tool.ts';
import { clientAddress } from '../../../packages/serving/src/wire/http-host/address.ts';
import { Admission, type AdmissionLimits } from '../../../packages/serving/src/wire/http-host/admission.ts';
import type { HttpHostOptions } from '../../../packages/serving/src/wire/http-host.ts';
import type { HttpRoute } from '../../../packages/serving/src/wire/http-route.ts';
import { plainFailureBody } from '../../../packages/serving/src/wire/http-route.ts';
import type { RpcServer } from '../../../packages/serving/src/wire/protocol.ts';
import { sendRaw } from './raw-http.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

/** Starts a server whose tool `wait` responds when the test allows it. */
function waitingServer() {
  const waiting: (() => void)[] = [];
  const wait = defineTool({
    name: 'wait',
    description: 'Waits.',
    inputSchema: Type.Object({ padding: Type.Optional(Type.String()) }),
    handle: async () => {
      await new Promise<void>((resolve) => void waiting.push(resolve));
      return textResult('done');
    },
  });
  const server: RpcServer = { name: 'w', version: '1', tools: [wait] };
  const health: HttpRoute = { method: 'GET', path: '/health', handle: async () => ({ json: { ok: true } }) };
  const answerAll = () => {
    for (const answer of waiting.splice(0)) answer();
  };
  return { options: { rpc: { server, paths: ['/mcp'] }, routes: [health] }, waiting, answerAll };
}

const call = (padding = '') => rpcRequest('tools/call', { name: 'wait', arguments: { padding } });

it('[X6] the host refuses a call above the limit before it reads the body, as JSON-RPC with Retry-After', async () => {
  const { options, waiting, answerAll } = waitingServer();
  const host = await serveEcho({ ...options, maxCalls: 2 });
  const running = [post(`${host.url}/mcp`, call()), post(`${host.url}/mcp`, call())];
  await expect.poll(() => waiting.length).toBe(2);
  const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
  const refused = await sendRaw(host.port, head, { until: /overloaded/ });
  expect(refused.status).toBe(503);
  expect(refused.head).toMatch(/retry-after: 1/i);
  const health = await fetch(`${host.url}/health`);
  expect(health.status).toBe(200);
  answerAll();
  for (const response of await Promise.all(running)) expect(response.status).toBe(200);
  const next = post(`${host.url}/mcp`, call());
  await expect.poll(() => waiting.length).toBe(1);
  answerAll();
  expect((await next).status).toBe(200);
});

it('[X6] [X7] the host keeps the connection of a refused call and responds to its next request', async () => {
  const { options, waiting, answerAll } = waitingServer();
  const host = await serveEcho({ ...options, maxCalls: 1 });
  const running = post(`${host.url}/mcp`, call());
  await expect.poll(() => waiting.length).toBe(1);
  const body = JSON.stringify(call());
  const refused = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const { head, body: rest } = await sendRaw(host.port, refused + body + health, { until: /"ok":true/ });
  expect(head).toMatch(/^HTTP\/1\.1 503[\s\S]*connection: keep-alive/i);
  expect(rest).toMatch(/overloaded[\s\S]*HTTP\/1\.1 200[\s\S]*"ok":true/);
  answerAll();
  expect((await running).status).toBe(200);
});

it('[X6] the host refuses a call above the limit as JSON-RPC, even if other errors of the host have another format', async () => {
  const { options, waiting, answerAll } = waitingServer();
  const host = await serveEcho({ ...options, maxCalls: 1, failureBody: plainFailureBody });
  const running = post(`${host.url}/mcp`, call());
  await expect.poll(() => waiting.length).toBe(1);
  const refused = await post(`${host.url}/mcp`, call());
  expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { data: { code: 'overloaded' } } });
  answerAll();
  expect((await running).status).toBe(200);
});

/** Opens connections to a server that records its requests in the order in which it handles them. */
async function notedServer(connections: number) {
  const asked: string[] = [];
  const health: HttpRoute = {
    method: 'GET',
    path: '/health',
    handle: async () => {
      asked.push('health');
      return { json: {} };
    },
  };
  const note: HttpRoute = {
    method: 'POST',
    path: '/note',
    handle: async ({ body }) => {
      const text = String(body);
      asked.push(text);
      if (text === 'the next to last leaves') sockets.at(-2)?.destroy();
      return { json: {} };
    },
  };
  const takenUp = { calls: 0 };
  const around: HttpHostOptions['around'] = (_, work) => {
    takenUp.calls += 1;
    return work();
  };
  const host = await serveEcho({ routes: [health, note], loopbackUsers: 'any', around });
  const open = async () => {
    const socket = connect({ host: '127.0.0.1', port: host.port });
    onTestFinished(() => void socket.destroy());
    socket.resume().write('GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: connections }, open));
  return { asked, sockets, takenUp };
}

function noteRequest(text: string): string {
  const body = JSON.stringify(text);
  return `POST /note HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

it('[X7] the host runs a health check before calls that arrived at the same time', async () => {
  const { asked, sockets } = await notedServer(20);
  // Writes all requests together, the health check last, so that the server reads them in one event-loop
  // iteration.
  for (const socket of sockets.slice(0, -1)) socket.write(noteRequest('call'));
  sockets.at(-1)?.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(() => asked.length).toBe(20);
  expect(asked.indexOf('health')).toBeLessThan(5);
});

it('[X2] the host does not start a waiting call whose client has disconnected', async () => {
  const { asked, sockets, takenUp } = await notedServer(20);
  sockets[0]?.write(noteRequest('the next to last leaves'));
  for (const socket of sockets.slice(1, -2)) socket.write(noteRequest('call'));
  sockets.at(-2)?.write(noteRequest('left'));
  sockets.at(-1)?.write(noteRequest('last'));
  await expect.poll(() => asked).toContain('last');
  expect(asked).not.toContain('left');
  expect(takenUp.calls).toBe(19);
});

it('[X6] the host limits the bytes of running requests; a single request may be larger', async () => {
  const { options, waiting, answerAll } = waitingServer();
  const host = await serveEcho({ ...options, maxHeldBytes: 10_000 });
  const large = post(`${host.url}/mcp`, call('x'.repeat(20_000)));
  await expect.poll(() => waiting.length).toBe(1);
  const refused = await post(`${host.url}/mcp`, call());
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({
    id: null,
    error: { code: -32009, data: { code: 'overloaded' } },
  });
  answerAll();
  expect((await large).status).toBe(200);
});

interface Asked {
  readonly from?: string | undefined;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** Bytes its client has not taken, and those that wait on its connection. */
  readonly untaken?: number;
  readonly waiting?: number;
}

/** Requests admission by made-up requests; each of them is closed by its place in `closing`. */
function askAdmission(limits: Partial<AdmissionLimits>) {
  const admission = new Admission({
    ...{ maxCalls: 10, maxClientCalls: 2, maxHeldBytes: 1000, maxBodyBytes: 100 },
    addressOf: clientAddress([]),
    ...limits,
  });
  const closing: (() => void)[] = [];
  const refusal = ({ from, method = 'POST', headers = {}, untaken = 0, waiting }: Asked) => {
    const request = { method, headers, socket: { remoteAddress: from } };
    const response = {
      writableLength: untaken,
      socket: waiting === undefined ? null : { writableLength: waiting },
      once: (event: string, told: () => void) => event === 'close' && closing.push(told),
    };
    return admission.admit(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  };
  return { refusal, closing };
}

it('[X6] maxClientCalls limits the calls of each other machine separately, but does not limit calls of this machine', () => {
  const { refusal, closing } = askAdmission({ maxClientCalls: 2 });
  const from = (address: string | undefined) => refusal({ from: address })?.status;
  expect([from('192.0.2.1'), from('192.0.2.1'), from('192.0.2.1')]).toEqual([undefined, undefined, 429]);
  expect([from('192.0.2.2'), from('::ffff:127.0.0.1'), from('127.0.0.1'), from('127.0.0.1')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  closing[0]?.();
  expect([from('192.0.2.1'), from('192.0.2.1')]).toEqual([undefined, 429]);
  closing[1]?.();
  closing.at(-1)?.();
  expect([from('192.0.2.1'), from('192.0.2.1'), from('192.0.2.1')]).toEqual([undefined, undefined, 429]);
});

it('[X6] maxClientCalls does not limit clients of unknown address', () => {
  const { refusal } = askAdmission({ maxClientCalls: 1 });
  expect([refusal({ from: undefined }), refusal({ from: undefined })]).toEqual([undefined, undefined]);
});

it('[X6] the host counts open streams separately from calls, and allows four per allowed call', () => {
  const { refusal, closing } = askAdmission({ maxCalls: 2 });
  const streams = ['GET', 'HEAD', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET'];
  for (const method of streams) expect(refusal({ method })).toBeUndefined();
  const tooMany = { status: 503, message: 'Too many streams are open at once; try again in a moment' };
  expect(refusal({ method: 'GET' })).toMatchObject(tooMany);
  expect(refusal({ method: 'HEAD' })).toMatchObject(tooMany);
  expect([refusal({}), refusal({})]).toEqual([undefined, undefined]);
  expect(refusal({})).toMatchObject({
    status: 503,
    message: 'Too many calls are being answered at once; try again in a moment',
  });
  closing[0]?.();
  expect(refusal({ method: 'GET' })).toBeUndefined();
});

it('[X6] the host reserves the maximum for a body of unknown length, and reserves no bytes for a body that is too long', () => {
  const { refusal, closing } = askAdmission({ maxBodyBytes: 100, maxHeldBytes: 150 });
  const announced = (length: number) => refusal({ headers: { 'content-length': String(length) } })?.status;
  expect(refusal({ headers: { 'transfer-encoding': 'chunked' } })).toBeUndefined();
  expect([announced(51), announced(101), announced(100), announced(50), announced(1)]).toEqual([
    503,
    undefined,
    503,
    undefined,
    503,
  ]);
  closing[0]?.();
  expect([announced(100), announced(1)]).toEqual([undefined, 503]);
});

it.each([
  ['an answer', { method: 'POST', untaken: 100 }],
  ['a stream', { method: 'GET', untaken: 100 }],
  ['a connection', { method: 'POST', untaken: 1, waiting: 100 }],
  ['an answer more than its connection', { method: 'POST', untaken: 100, waiting: 1 }],
])('[X6] the host includes unread bytes in the limit of held bytes: %s', (_, asked) => {
  const { refusal, closing } = askAdmission({ maxHeldBytes: 100 });
  expect(refusal(asked)).toBeUndefined();
  expect(refusal({})).toBeUndefined();
  expect(refusal({ headers: { 'content-length': '1' } })).toMatchObject({
    status: 503,
    message: 'Too many bytes are held at once; try again in a moment',
  });
  closing[0]?.();
  expect(refusal({ headers: { 'content-length': '1' } })).toBeUndefined();
});

it('[X6] the host disconnects a client that does not read its response', async () => {
  const large: HttpRoute = {
    method: 'POST',
    path: '/large',
    handle: async () => ({ body: 'x'.repeat(30_000_000) }),
  };
  const host = await serveEcho({ routes: [large], maxHeldBytes: 1_048_576, writeTimeoutMs: 400 });
  const socket = connect({ host: '127.0.0.1', port: host.port });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.pause();
  socket.write(
    'POST /large HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  );
  const status = async () => (await post(`${host.url}/rpc`, rpcRequest('ping'))).status;
  await expect.poll(status).toBe(503);
  await expect.poll(status, { timeout: 5000 }).toBe(200);
});

it('[X6] the host closes an unused connection', async () => {
  const host = await serveEcho({ writeTimeoutMs: 100 });
  const socket = connect({ host: '127.0.0.1', port: host.port });
  onTestFinished(() => void socket.destroy());
  await once(socket.resume(), 'close');
});

it('[X6] the host does not disconnect a slow call or a client that reads slowly', async () => {
  const { options, waiting, answerAll } = waitingServer();
  // Longer than a busy machine needs from a connection to its first request, so that the connection does not
  // count as unused.
  const host = await serveEcho({ ...options, writeTimeoutMs: 1000 });
  const slow = post(`${host.url}/mcp`, call());
  await expect.poll(() => waiting.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  answerAll();
  expect((await slow).status).toBe(200);
});
