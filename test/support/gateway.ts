import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../packages/base/src/runtime/event-log.ts';
import { noProcessWatchdog } from '../../packages/base/src/runtime/process-watchdog.ts';
import { type Clock, systemClock } from '../../packages/base/src/runtime/time.ts';
import { openStore } from '../../packages/engine/src/recovery/open-store.ts';
import { createRecovery, type Recovery } from '../../packages/engine/src/recovery/recovery.ts';
import type { Ledger } from '../../packages/secateur/src/savings/ledger.ts';
import { noLedger } from '../../packages/secateur/src/savings/ledger.ts';
import { createGateway, type GatewayDeps } from '../../packages/secateur/src/servers/gateway/gateway.ts';
import type {
  ServerEntry,
  ServerSettings,
} from '../../packages/secateur/src/servers/gateway/server-table.ts';
import { loadConfig } from '../../packages/serving/src/config/load.ts';
import { serveHttp } from '../../packages/serving/src/wire/http-host.ts';

export interface TestGateway {
  readonly origin: string;
  url(server: string): string;
  post(server: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  call(server: string, method: string, params?: unknown): Promise<RpcAnswer>;
  servers(): Promise<Array<Record<string, unknown>>>;
  close(): Promise<void>;
}

export interface RpcAnswer {
  jsonrpc: string;
  id: unknown;
  result?: Record<string, unknown> & { content?: Array<Record<string, unknown>> };
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

export interface TestGatewayOptions extends Partial<Omit<GatewayDeps, 'ledger'>> {
  servers: Record<string, ServerEntry>;
  settings?: Partial<ServerSettings>;
  breaker?: { failures: number; cooldownMs: number };
  ledger?: Ledger;
}

/** A gateway on a free port, closed when the test ends. */
export async function startGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const gateway = await runningGateway(options);
  onTestFinished(() => gateway.close());
  return gateway;
}

/** A gateway for several tests; the caller closes it. */
export async function runningGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const clock = options.clock ?? systemClock;
  const key = randomBytes(32);
  const gateway = createGateway(
    {
      servers: options.servers,
      defaults: { ...defaultSettings(), ...options.settings },
      breaker: options.breaker ?? { failures: 5, cooldownMs: 30_000 },
      maxBodyBytes: 16 * 1024 * 1024,
    },
    {
      recovery: options.recovery ?? (await memoryRecovery(clock)),
      ledger: options.ledger ?? noLedger,
      notes: options.notes,
      pruning: options.pruning,
      callerRules: options.callerRules ?? (() => undefined),
      callerServers: () => undefined,
      isOff: options.isOff ?? (() => false),
      sessionKey: async () => key,
      watchdog: noProcessWatchdog,
      clock,
      log: options.log ?? silentLog,
      env: options.env ?? process.env,
    },
  );
  const host = await serveHttp({ host: '127.0.0.1', port: 0, routes: gateway.routes, closeGraceMs: 100 });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= host.close().then(() => gateway.close());
    return closed;
  };
  const url = (server: string) => `${host.url}/api/mcp-gateway/${server}/rpc`;
  const post: TestGateway['post'] = (server, body, headers = {}) =>
    fetch(url(server), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return {
    origin: host.url,
    url,
    post,
    close,
    call: async (server, method, params = {}) => {
      const response = await post(server, { jsonrpc: '2.0', id: 1, method, params });
      return (await response.json()) as RpcAnswer;
    },
    servers: async () => {
      const response = await fetch(`${host.url}/api/mcp-gateway/servers`);
      return ((await response.json()) as { servers: Array<Record<string, unknown>> }).servers;
    },
  };
}

async function memoryRecovery(clock: Clock = systemClock): Promise<Recovery> {
  const store = await openStore({
    kind: 'memory',
    ttlMs: 600_000,
    maxBytes: 256 * 1024 * 1024,
    directory: '',
    redisUrl: '',
    redisPrefix: '',
    clock,
  });
  return createRecovery({ store, randomBytes });
}

export interface SeenRequest {
  method: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface TestUpstream {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

type Handler = (request: SeenRequest, response: ServerResponse) => void;

/** A real HTTP server that does what a test says, closed when the test ends. */
export async function startUpstream(handle: Handler): Promise<TestUpstream> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const read = {
      method: request.method ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    seen.push(read);
    handle(read, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`, seen, close };
}

/** Answers every request with this result. */
export function answering(result: unknown): Handler {
  return ({ body }, response) => {
    const { id } = JSON.parse(body) as { id: unknown };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
}

export function textOf(answer: RpcAnswer, index = 0): string {
  return String(answer.result?.content?.[index]?.text);
}

/** `count` numbered lines of about 40 characters. */
export function numberedLines(count: number): string {
  return Array.from({ length: count }, (_, at) => `line ${at + 1}: the quick brown fox jumps over`).join(
    '\n',
  );
}

/** Returns the defaults of the table of settings. */
function defaultSettings(): ServerSettings {
  const origin = { env: {}, cwd: '/', platform: process.platform, homeDir: '/' };
  return loadConfig(['gateway'], { origin, flags: new Map() }).config.gateway;
}
