import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { dirname } from 'node:path';
import { HTTP_LIMITS } from '@secateur/base/runtime/http-limits.ts';
import { makeFolder } from '@secateur/base/runtime/make-folder.ts';
import type { HttpExchange, RawRoute } from './http-route.ts';

export interface SocketHostOptions {
  /** Path of the socket file; processes that can open it may call. */
  readonly path: string;
  readonly routes: readonly RawRoute[];
  /** Further concurrent connections are closed unanswered. */
  readonly maxCalls: number;
  /** By its headers: who is turned away (409) sends no body. */
  accepts(request: IncomingMessage): boolean;
}

/** The kernel takes 104 to 108, and some versions of Node cut a longer path short without a word. */
const MAX_PATH_BYTES = 100;

/** Serves HTTP to the same user; never keeps the process alive. `undefined` if no socket can be made. */
export async function serveSocket(options: SocketHostOptions): Promise<{ close(): void } | undefined> {
  const { path, maxCalls } = options;
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return undefined;
  const answer = createListener(options);
  const server = createServer().on('request', answer).on('checkContinue', answer);
  server.maxConnections = maxCalls;
  try {
    makeFolder(dirname(path));
    // A server that was killed under the same number has left its own.
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
      // Takes the file away too.
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
