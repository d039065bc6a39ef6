import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { LogEvent } from '../../packages/base/src/runtime/event-log.ts';
import { noProcessWatchdog } from '../../packages/base/src/runtime/process-watchdog.ts';
import { systemClock } from '../../packages/base/src/runtime/time.ts';
import { inlineEngine } from '../../packages/engine/src/inline-engine.ts';
import { createPruner } from '../../packages/engine/src/pruner.ts';
import { createRecovery } from '../../packages/engine/src/recovery/recovery.ts';
import { MemoryStore } from '../../packages/engine/src/recovery/stores/memory.ts';
import type { Ledger, SavingsEntry } from '../../packages/secateur/src/savings/ledger.ts';
import { embeddedBackend, httpBackend } from '../../packages/secateur/src/servers/focus/backend.ts';
import {
  createFocusServer,
  FOCUS_RPC_PATHS,
  type FocusServerDeps,
} from '../../packages/secateur/src/servers/focus/server.ts';
import { serveHttp } from '../../packages/serving/src/wire/http-host.ts';
import { plainFailureBody } from '../../packages/serving/src/wire/http-route.ts';
import { noPipes } from '../../packages/serving/src/workspace/output-pipes.ts';
import type { WorkspaceRoot } from '../../packages/serving/src/workspace/root.ts';
import { bareEnvironment } from './bare-environment.ts';
import { eventually } from './eventually.ts';

export interface FocusSetup extends Partial<FocusServerDeps> {
  root: WorkspaceRoot;
  /** `embedded`, a URL, or nothing. */
  endpoint?: string;
  prunerTimeoutMs?: number;
}

export interface FocusAnswer {
  content: { type: string; text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
  structuredContent: Record<string, any>;
  isError?: boolean;
}

/** The real server on a real port; its events and savings are kept for the test to read. */
export async function startFocus({ root, endpoint, prunerTimeoutMs = 2_000, ...more }: FocusSetup) {
  const events: LogEvent[] = [];
  const savings: Omit<SavingsEntry, 'at'>[] = [];
  const store = new MemoryStore({ ttlMs: 600_000, maxBytes: 1 << 28, clock: systemClock, randomBytes });
  const recovery = createRecovery({ store, randomBytes });
  const ledger: Ledger = { record: (entry) => savings.push(entry) };
  const parts: FocusServerDeps = {
    root,
    backend: backendFor(endpoint, { recovery, timeoutMs: prunerTimeoutMs }),
    maxPruneInputBytes: 262_144,
    textOnly: false,
    ownEnv: bareEnvironment,
    watchdog: noProcessWatchdog,
    pipes: noPipes,
    recovery,
    ledger,
    clock: systemClock,
    log: { emit: (event) => events.push(event) },
    version: '1.2.3',
    ...more,
  };
  const server = createFocusServer(parts);
  const host = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    rpc: { server: server.rpc, paths: FOCUS_RPC_PATHS },
    routes: server.routes,
    failureBody: plainFailureBody,
    closeGraceMs: 50,
  });
  onTestFinished(() => host.close());
  return { ...clientOf(host.url), url: host.url, root, events, savings, ...eventReaders(events) };
}

function backendFor(
  endpoint: string | undefined,
  parts: { recovery: FocusServerDeps['recovery']; timeoutMs: number },
) {
  if (endpoint === undefined) return undefined;
  if (endpoint !== 'embedded') return httpBackend({ url: endpoint, fetch, ...parts });
  const pruner = createPruner({
    engine: inlineEngine(),
    clock: systemClock,
    maxInputChars: 2_097_152,
    ...parts,
  });
  const least = { characters: 0, savedTokens: 0, savedShare: 0 };
  return embeddedBackend({ pruner, timeoutMs: parts.timeoutMs, least });
}

function clientOf(url: string) {
  const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    fetch(`${url}/mcp`, { method: 'POST', headers, body });
  const rpc = async (method: string, params: unknown = {}) => {
    const response = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
    return (await response.json()) as { result?: any; error?: any };
  };
  return {
    post,
    rpc,
    call: async (name: string, args: unknown): Promise<FocusAnswer> => {
      const { result, error } = await rpc('tools/call', { name, arguments: args });
      if (error !== undefined) throw new Error(JSON.stringify(error));
      return result;
    },
    /** The fields a call is refused for. */
    refusedFields: async (name: string, args: unknown): Promise<string[]> => {
      const { error } = await rpc('tools/call', { name, arguments: args });
      if (error?.code !== -32602) return [];
      return error.data.field_errors.map(({ field }: { field: string }) => field);
    },
  };
}

function eventReaders(events: LogEvent[]) {
  return {
    /** Waits for an event; its data. */
    event: (name: string) =>
      eventually(async () => events.find(({ event }) => event === name), `event ${name}`),
    eventNames: () => events.map(({ event }) => event),
  };
}

export interface StandInPruner {
  url: string;
  requests: Record<string, unknown>[];
}

/** A pruning service on loopback that answers as the test says. */
export async function standInPruner(
  answer: (body: Record<string, unknown>, response: ServerResponse) => void,
): Promise<StandInPruner> {
  const requests: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await bodyOf(request)) as Record<string, unknown>;
    requests.push(body);
    answer(body, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prune`, requests };
}

export function sendJson(response: ServerResponse, json: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
