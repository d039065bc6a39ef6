import { once } from 'node:events';
import { existsSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpExchange } from '../../../packages/serving/src/wire/http-route.ts';
import {
  postToSocket,
  type SocketHostOptions,
  type SocketPost,
  serveSocket,
} from '../../../packages/serving/src/wire/socket.ts';

const newPath = () => join(mkdtempSync(join(tmpdir(), 'sct-')), 'sockets', 's');

async function echo({ request, response }: HttpExchange): Promise<void> {
  response.end(`${await text(request)} of ${request.headers['x-who']}`);
}

async function served(options: Partial<SocketHostOptions> = {}) {
  const path = options.path ?? newPath();
  const routes = options.routes ?? [{ kind: 'raw', path: '/echo', handle: echo }];
  const host = await serveSocket({ maxCalls: 8, accepts: () => true, ...options, path, routes });
  onTestFinished(() => host?.close());
  return { path, host };
}

/** Starts a server of another program at a socket. */
async function stranger(answer: RequestListener): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'sct-')), 's');
  const server = createHttpServer().on('request', answer).on('checkContinue', answer);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(path), 'listening');
  return path;
}

const post = (socketPath: string, parts: Partial<SocketPost> = {}) =>
  postToSocket({
    socketPath,
    path: '/echo',
    headers: { 'x-who': 'me' },
    body: Buffer.from('héllo'),
    acceptedWithinMs: 2000,
    until: { remainingMs: () => 5000 } as SocketPost['until'],
    ...parts,
  });

describe.runIf(process.platform !== 'win32')('a Unix socket for the same user', () => {
  it('[A1] the socket transfers a body and the response, and only its owner can open it', async () => {
    const { path, host } = await served();
    expect(await post(path)).toEqual({ kind: 'answered', body: 'héllo of me' });
    expect(await post(path)).toEqual({ kind: 'answered', body: 'héllo of me' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    host?.close();
    expect(existsSync(path)).toBe(false);
    expect(await post(path)).toEqual({ kind: 'gone' });
  });

  it('[A2] serveSocket replaces the socket of a killed server, and returns undefined if the socket cannot be created', async () => {
    const path = newPath();
    await served({ path });
    writeFileSync(`${path}2`, 'left over');
    const { path: second } = await served({ path: `${path}2` });
    expect(await post(second)).toMatchObject({ kind: 'answered' });
    expect((await served({ path: join(`${path}2`, 'below') })).host).toBeUndefined();
    const folder = mkdtempSync(join(tmpdir(), 'sct-'));
    const pathOf = (bytes: number) => join(folder, 'x'.repeat(bytes - Buffer.byteLength(folder) - 1));
    expect((await served({ path: pathOf(101) })).host).toBeUndefined();
    expect((await served({ path: pathOf(100) })).host).toBeDefined();
  });

  it('[A2] serveSocket refuses a caller by its headers before the body is sent', async () => {
    const bodies: string[] = [];
    const handle = async ({ request, response }: HttpExchange) => {
      bodies.push(await text(request));
      response.end();
    };
    const accepts = ({ headers }: IncomingMessage) => headers['x-who'] === 'me';
    const { path } = await served({ accepts, routes: [{ kind: 'raw', path: '/echo', handle }] });
    expect(await post(path, { headers: { 'x-who': 'you' } })).toEqual({ kind: 'refused' });
    expect(await post(path, { path: '/other' })).toEqual({ kind: 'refused' });
    expect(await post(path, { path: '/echo?x' })).toEqual({ kind: 'refused' });
    expect(bodies).toEqual([]);
    expect(await post(path)).toEqual({ kind: 'answered', body: '' });
  });

  it('[X4] [X6] serveSocket aborts the work of a caller that disconnects, closes a failed call, and refuses too many calls', async () => {
    let aborted = false;
    let entered: () => void = () => {};
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const wait = async ({ signal }: HttpExchange) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      entered();
      await once(signal, 'abort');
    };
    const fail = async () => Promise.reject(new Error('broken'));
    const routes = [
      { kind: 'raw', path: '/wait', handle: wait },
      { kind: 'raw', path: '/fail', handle: fail },
    ] as const;
    const { path } = await served({ routes, maxCalls: 1 });
    expect(await post(path, { path: '/fail' })).toEqual({ kind: 'broken' });
    let left = 1e6;
    const waiting = post(path, { path: '/wait', until: { remainingMs: () => left } as SocketPost['until'] });
    left = 300;
    await inside;
    expect(await post(path, { path: '/wait' })).toEqual({ kind: 'refused' });
    expect(aborted).toBe(false);
    expect(await waiting).toEqual({ kind: 'late' });
    await expect.poll(() => aborted).toBe(true);
  });

  it.each<[string, RequestListener, string]>([
    ['is answered by an error', (_, response) => void response.writeHead(500).end('x'), 'refused'],
    ['is never asked for the body', () => {}, 'refused'],
    ['asks for the body and fails', (_, r) => r.writeContinue(() => r.destroy()), 'broken'],
    [
      'asks for the body and answers an error',
      (_, response) => {
        response.writeContinue();
        response.writeHead(500).end('x');
      },
      'broken',
    ],
    [
      'breaks off in the middle of the answer',
      (_, response) => {
        response.writeContinue();
        response.writeHead(200, { 'content-length': 9 }).write('{');
        setTimeout(() => response.destroy(), 20);
      },
      'broken',
    ],
  ])('[A2] postToSocket: a call that %s returns no body', async (_, answer, kind) => {
    expect(await post(await stranger(answer), { acceptedWithinMs: 300 })).toEqual({ kind });
  });

  it('[A2] postToSocket returns "gone" for a missing socket or server, and "refused" if the server closes the connection', async () => {
    expect(await post(join(tmpdir(), 'no-such-socket'))).toEqual({ kind: 'gone' });
    const path = join(mkdtempSync(join(tmpdir(), 'sct-')), 's');
    const server = createServer((socket) => socket.destroy());
    onTestFinished(() => void server.close());
    await once(server.listen(path), 'listening');
    expect(await post(path)).toEqual({ kind: 'refused' });
  });
});
