import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { type ClientRequest, createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { dirname } from 'node:path';
import { readAtMost } from '@secateur/base/runtime/bounded-reading.ts';
import { HTTP_LIMITS } from '@secateur/base/runtime/http-limits.ts';
import type { Deadline } from '@secateur/base/runtime/time.ts';
import { makeFolder } from '@secateur/base/runtime/writing-files.ts';
import type { HttpExchange, RawRoute } from './http-route.ts';

export interface SocketHostOptions {
  /** Path of the socket file. A process may call if it can open the file. */
  readonly path: string;
  readonly routes: readonly RawRoute[];
  /** Maximum number of concurrent connections. Further ones are closed without a response. */
  readonly maxCalls: number;
  /** Whether to accept a request, by its headers. A refused client gets 409 and does not send its body. */
  accepts(request: IncomingMessage): boolean;
}

/** Maximum bytes of a socket path. Kernels accept 104 to 108, and Node may silently truncate longer paths. */
const MAX_PATH_BYTES = 100;

/**
 * Serves HTTP on a socket file for processes of the same user. Does not keep this process alive. `undefined`
 * if the socket cannot be created.
 */
export async function serveSocket(options: SocketHostOptions): Promise<{ close(): void } | undefined> {
  const { path, maxCalls } = options;
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return undefined;
  const answer = createListener(options);
  const server = createServer().on('request', answer).on('checkContinue', answer);
  server.maxConnections = maxCalls;
  try {
    makeFolder(dirname(path));
    // A killed server that had the same PID may have left its socket file.
    rmSync(path, { force: true });
    await once(server.listen(path), 'listening');
    server.on('error', () => {}).unref();
    chmodSync(path, 0o600);
  } catch {
    server.close();
    return undefined;
  }
  return {
    close: () => {
      // Closing also removes the file.
      server.close();
      server.closeAllConnections();
    },
  };
}

function createListener({ routes, accepts }: SocketHostOptions): RequestListener {
  return (request, response) => {
    const route = routes.find(({ path }) => path === request.url);
    if (route === undefined) return void response.writeHead(404).end();
    if (!accepts(request)) return void response.writeHead(409).end();
    response.writeContinue();
    const left = new AbortController();
    response.once('close', () => left.abort());
    const exchange: HttpExchange = {
      request,
      response,
      params: {},
      query: new URLSearchParams(),
      signal: left.signal,
      maxBodyBytes: HTTP_LIMITS.maxBodyBytes,
      caller: async () => 'socket',
      refuse: ({ status }) => void response.writeHead(status, { connection: 'close' }).end(),
    };
    route.handle(exchange).catch(() => response.destroy());
  };
}

export interface SocketPost {
  readonly socketPath: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Time in ms in which the server must request the body. */
  readonly acceptedWithinMs: number;
  readonly until: Deadline;
}

export type SocketReply =
  | { readonly kind: 'answered'; readonly body: string }
  /** No server listens on the socket. */
  | { readonly kind: 'gone' }
  /** The server refused the request, or did not request the body in time. The body was not sent. */
  | { readonly kind: 'refused' }
  /** The server failed after it received the body. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'late' };

/** Sends a POST request over a socket file. The body is sent only when the server requests it. */
export async function postToSocket({
  body,
  until,
  acceptedWithinMs,
  ...target
}: SocketPost): Promise<SocketReply> {
  const headers = { ...target.headers, expect: '100-continue', 'content-length': body.length };
  // Imported here, because it is only needed if there is a socket.
  const http = await import('node:http');
  const request = http.request({ ...target, method: 'POST', agent: false, headers });
  let timer: NodeJS.Timeout | undefined;
  const reply = new Promise<SocketReply>((resolve) => {
    let failure: SocketReply = { kind: 'refused' };
    const fail = () => resolve(failure);
    timer = setTimeout(fail, acceptedWithinMs);
    request.once('continue', () => {
      clearTimeout(timer);
      failure = { kind: 'broken' };
      timer = setTimeout(resolve, until.remainingMs(), { kind: 'late' });
      request.end(body);
    });
    request.on('error', ({ code }: NodeJS.ErrnoException) =>
      code === 'ECONNREFUSED' || code === 'ENOENT' ? resolve({ kind: 'gone' }) : fail(),
    );
    answerTo(request).then((answer) => (answer === undefined ? fail() : resolve(answer)), fail);
  });
  return reply.finally(() => {
    clearTimeout(timer);
    request.destroy();
  });
}

/** Maximum bytes of a response. Hooks never lengthen an output. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

async function answerTo(request: ClientRequest): Promise<SocketReply | undefined> {
  const response = await new Promise<IncomingMessage>((resolve) => request.once('response', resolve));
  if (response.statusCode !== 200) return undefined;
  const body = await readAtMost(response, MAX_REPLY_BYTES);
  return body === undefined ? undefined : { kind: 'answered', body: body.toString('utf8') };
}
