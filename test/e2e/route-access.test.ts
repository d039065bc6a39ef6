import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../packages/base/src/runtime/event-log.ts';
import { withServerDeps } from '../../packages/secateur/src/cli/server-deps.ts';
import { startAll } from '../../packages/secateur/src/cli/up/start.ts';
import { loadConfig } from '../../packages/serving/src/config/load.ts';
import type { RouteEntry } from '../../packages/serving/src/wire/http-host/exchange.ts';
import { serveHttp } from '../../packages/serving/src/wire/http-host.ts';
import { hashToken, writeTokenFile } from '../../packages/serving/src/wire/token-file.ts';
import { echoServer } from '../serving/wire/echo-server.ts';

/** Tools whose work a route can do. */
const TOOLS = ['prune_text', 'recover_text', 'read', 'bash', 'grep', 'echo'] as const;

/** Each token by name, with its rules: all tools, none, all but one, one alone. */
const RULES: Readonly<Record<string, { allowTools?: string[]; denyTools?: string[] }>> = {
  all: {},
  none: { allowTools: [] },
  ...Object.fromEntries(
    TOOLS.flatMap((tool) => [
      [`not-${tool}`, { denyTools: [tool] }],
      [`only-${tool}`, { allowTools: [tool] }],
    ]),
  ),
};

const mayUse = (token: string, tool: string) => {
  const { allowTools, denyTools } = RULES[token] ?? {};
  return (allowTools?.includes(tool) ?? true) && denyTools?.includes(tool) !== true;
};

/** JSON-RPC routes that forward messages and are not listed as JSON-RPC routes. */
const PASSES_ON = ['/api/mcp-gateway/:server/rpc', '/api/mcp-gateway/:server/mcp'];

/**
 * Routes that do the work of no tool: they show a token its own figures, or report that a server runs. Add a
 * new route here only if it names no tool.
 */
const WITHOUT_TOOL = [
  '/',
  '/api/cuts',
  '/api/cuts/:id',
  '/api/events',
  '/api/mcp-gateway/servers',
  '/api/overview',
  '/assets/:file',
  '/health',
  '/healthz',
  '/login',
  '/metrics',
];

/** The gateway adds its own `recover_text` to every server, so that its cuts can be recovered. */
const isOwnOfGateway = ({ path }: RouteEntry, tool: string) =>
  PASSES_ON.includes(path) && tool === 'recover_text';

interface ServedRoute extends RouteEntry {
  readonly server: string;
  readonly url: string;
}

let routes: readonly ServedRoute[] = [];
const closing: (() => Promise<unknown>)[] = [];
const folder = mkdtempSync(join(tmpdir(), 'secateur-routes-'));

beforeAll(async () => {
  const upstream = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    rpc: { server: echoServer(), paths: ['/mcp'] },
  });
  writeFileSync(join(folder, 'config.toml'), `[mcp_gateway.servers.echo]\nurl = "${upstream.url}/mcp"\n`);
  await writeTokenFile(
    join(folder, 'tokens.json'),
    Object.entries(RULES).map(([name, rules]) => ({ name, sha256: hashToken(`token-${name}`), ...rules })),
  );
  const ports = { MCP_PRUNER_PORT: '0', JEEVES_MCP_PRUNER_PORT: '0', MCP_GATEWAY_PORT: '0' };
  const env = { ...process.env, SECATEUR_DATA_DIR: folder, JEEVES_PRUNER_ENDPOINT: 'embedded', ...ports };
  const origin = { env, cwd: folder, platform: process.platform, homeDir: folder };
  const sections = ['pruner', 'focus', 'gateway', 'hook', 'recovery', 'audit', 'wire', 'up'] as const;
  const { config } = loadConfig(sections, { origin, flags: new Map(), readsWorkingDirectory: true });
  await new Promise<void>((resolve, reject) => {
    const served = withServerDeps(config, silentLog, async (parts) => {
      const started = await startAll(config, parts, env);
      routes = started.flatMap(({ name: server, running }) =>
        running.routes.map((route) => ({ ...route, server, url: running.url })),
      );
      const stopped = new Promise<void>((stop) => closing.unshift(async () => stop()));
      resolve();
      await stopped;
      for (const { running } of started) await running.close();
    });
    served.catch(reject);
    closing.push(() => served);
  });
  closing.push(() => upstream.close());
});

afterAll(async () => {
  for (const close of closing) await close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function call({ url, path, method }: ServedRoute, token: string | undefined, message: unknown = {}) {
  const address = url + path.replace(':server', 'echo').replace(/:\w+/, 'x');
  const asked = method ?? (PASSES_ON.includes(path) ? 'POST' : 'GET');
  const leaving = new AbortController();
  return fetch(address, {
    method: asked,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer token-${token}` }),
    },
    ...(asked === 'POST' && { body: JSON.stringify(message) }),
    redirect: 'manual',
    signal: leaving.signal,
  }).then(async (answer) => {
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const text = isStream && asked === 'GET' ? '' : await answer.text();
    leaving.abort();
    return { status: answer.status, text };
  });
}

const rpc = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });
const isRpc = ({ isRpc: plain, path }: ServedRoute) => plain || PASSES_ON.includes(path);
const named = ({ server, method = 'any', path }: ServedRoute) => `${server} ${method} ${path}`;

describe('tokens on every route of `secateur up`', () => {
  it('[X29] [T8] each route declares its tool, is a JSON-RPC route, or is listed here as a route without a tool', () => {
    expect(routes.length).toBeGreaterThan(15);
    const unknown = routes.filter(
      (route) => route.tool === undefined && !isRpc(route) && !WITHOUT_TOOL.includes(route.path),
    );
    expect(unknown.map(named)).toEqual([]);
    expect(
      routes.flatMap(({ tool }) => tool ?? []).filter((tool) => !TOOLS.some((each) => each === tool)),
    ).toEqual([]);
  });

  it('[X29] [T4] every route except public ones refuses calls without a token or with a wrong token', async () => {
    for (const route of routes)
      for (const token of [undefined, 'wrong']) {
        const { status } = await call(route, token, rpc('tools/list', {}));
        if (route.access === 'public') expect([200, 303, 400, 401, 405, 415], named(route)).toContain(status);
        else expect(status, `${named(route)} with ${token ?? 'no token'}`).toBe(401);
      }
  });

  it('[X29] [T8] a route that does the work of a tool returns 404 to tokens that may not use the tool', async () => {
    for (const route of routes.filter(({ tool }) => tool !== undefined))
      for (const token of Object.keys(RULES)) {
        const { status } = await call(route, token);
        const expected = mayUse(token, route.tool ?? '') ? [200, 400] : [404];
        expect(expected, `${named(route)} with ${token}`).toContain(status);
      }
  });

  it('[X29] [T8] a tool is listed and can be called only with tokens that may use it', async () => {
    for (const route of routes.filter(isRpc)) {
      const all = await toolsOf(route, 'all');
      expect(all.length, named(route)).toBeGreaterThan(0);
      for (const token of Object.keys(RULES)) {
        const allowed = all.filter((tool) => mayUse(token, tool) || isOwnOfGateway(route, tool));
        expect(await toolsOf(route, token), `${named(route)} with ${token}`).toEqual(allowed);
        for (const tool of all) {
          const { text } = await call(route, token, rpc('tools/call', { name: tool, arguments: { x: 1 } }));
          const isUnknown = /unknown tool|no such tool|tool_not_found/i.test(text);
          expect(isUnknown, `${named(route)} ${tool} with ${token}: ${text}`).toBe(!allowed.includes(tool));
        }
      }
    }
  });
});

async function toolsOf(route: ServedRoute, token: string): Promise<string[]> {
  const { text } = await call(route, token, rpc('tools/list', {}));
  const json = /\{.*\}/s.exec(text)?.[0] ?? '{}';
  const { result } = JSON.parse(json) as { result?: { tools: { name: string }[] } };
  return (result?.tools ?? []).map(({ name }) => name);
}
