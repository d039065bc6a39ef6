import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Type } from '../../../packages/base/src/tools/schema.ts';
import { defineTool, textResult } from '../../../packages/base/src/tools/tool.ts';
import { serveStdio } from '../../../packages/serving/src/wire/stdio-host.ts';
import { writtenTo } from '../../support/written-to.ts';
import { echoServer } from './echo-server.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const meta = { [VERSION]: '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

function modern(method: string, params: object = {}, name?: string) {
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  };
  return { message: rpcRequest(method, { ...params, _meta: meta }), headers };
}

/** Sends more than the buffers between two processes hold. */
function talkative(steps: number) {
  return defineTool({
    name: 'talk',
    description: 'Reports progress at length.',
    inputSchema: Type.Object({}),
    handle: async (_, { progress }) => {
      for (let step = 1; step <= steps; step += 1)
        progress({ progress: step, total: steps, message: 'talk'.repeat(2000) });
      return textResult('done');
    },
  });
}

describe('the 2026-07-28 revision over HTTP', () => {
  test('[P5] [W14] server/discover returns the revision, without an Accept header or a session', async () => {
    const { url } = await serveEcho();
    const { message, headers } = modern('server/discover');
    const answer = await post(`${url}/mcp`, message, headers);
    expect(await answer.json()).toMatchObject({
      id: 1,
      result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    });
  });

  test('[W14] results of list methods contain ttlMs and cacheScope', async () => {
    const { url } = await serveEcho();
    const { message, headers } = modern('tools/list');
    const { result } = (await (await post(`${url}/mcp`, message, headers)).json()) as {
      result: Record<string, unknown>;
    };
    expect(result).toMatchObject({ ttlMs: expect.any(Number), cacheScope: expect.any(String) });
  });

  test('[W14] an unknown method returns 404, also methods of earlier revisions', async () => {
    const { url } = await serveEcho();
    for (const method of ['dance', 'ping', 'initialize']) {
      const { message, headers } = modern(method);
      const answer = await post(`${url}/mcp`, message, headers);
      expect([method, answer.status]).toEqual([method, 404]);
      expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32601 } });
    }
  });

  test('[W14] the host refuses an unknown version and returns the supported versions', async () => {
    const { url } = await serveEcho();
    for (const version of ['2099-01-01', 'soon']) {
      const message = rpcRequest('tools/list', { _meta: { ...meta, [VERSION]: version } });
      const answer = await post(`${url}/mcp`, message, {
        'mcp-protocol-version': version,
        'mcp-method': 'tools/list',
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        id: 1,
        error: { data: { supported: ['2026-07-28'], requested: version } },
      });
    }
  });

  test('[W10] the host drops progress for a client that does not read, but never the response', async () => {
    const steps = 5000;
    const { url } = await serveEcho({
      rpc: { server: echoServer({ tools: [talkative(steps)] }), paths: ['/mcp'] },
    });
    const params = { name: 'talk', arguments: {} };
    const { headers } = modern('tools/call', params, 'talk');
    const message = rpcRequest('tools/call', { ...params, _meta: { ...meta, progressToken: 7 } });
    const accept = 'application/json, text/event-stream';
    const answer = await post(`${url}/mcp`, message, { ...headers, accept });
    // Reads nothing until the server has sent everything.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const events = (await answer.text()).split('\n').filter((line) => line.startsWith('data: '));
    expect(events.length).toBeGreaterThan(1);
    expect(events.length).toBeLessThan(steps / 2);
    expect(JSON.parse(events.at(-1)?.slice(6) ?? '')).toMatchObject({ id: 1, result: {} });
  });

  test('[W14] the host cancels a call when its client disconnects', async () => {
    const { url } = await serveEcho();
    const stop = new AbortController();
    const { message, headers } = modern(
      'tools/call',
      { name: 'slow', arguments: { steps: 0, wait_ms: 60_000 } },
      'slow',
    );
    const call = fetch(`${url}/mcp`, {
      method: 'POST',
      body: JSON.stringify(message),
      headers: { 'content-type': 'application/json', ...headers },
      signal: stop.signal,
    });
    setTimeout(() => stop.abort(), 300);
    // The host closes right after this test; a call that ran on would hold it for a minute.
    await expect(call).rejects.toThrow();
  });

  test('[W5] the host responds to a request with modern headers and any body, and then serves the next client', async () => {
    const { url } = await serveEcho();
    const params = fc.oneof(
      fc.jsonValue(),
      fc.record({
        name: fc.jsonValue(),
        arguments: fc.jsonValue(),
        _meta: fc.oneof(fc.constant(meta), fc.jsonValue()),
      }),
    );
    const message = fc.oneof(
      fc.jsonValue(),
      fc.record({
        jsonrpc: fc.constant('2.0'),
        id: fc.oneof(fc.integer(), fc.jsonValue()),
        method: fc.constantFrom('tools/call', 'tools/list', 'x'),
        params,
      }),
    );
    await fc.assert(
      fc.asyncProperty(message, async (body) => {
        const answer = await post(`${url}/mcp`, body, {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
        });
        expect([200, 202, 400, 404]).toContain(answer.status);
        await answer.text();
      }),
      { numRuns: 200 },
    );
    expect((await post(`${url}/mcp`, rpcRequest('ping'))).status).toBe(200);
  });

  test('[W5] arguments nested 100,000 levels deep do not crash the host', async () => {
    const { url } = await serveEcho();
    const { message, headers } = modern('tools/call', { name: 'echo', arguments: { text: 'DEEP' } }, 'echo');
    const depth = 100_000;
    const text = JSON.stringify(message).replace('"DEEP"', '['.repeat(depth) + ']'.repeat(depth));
    const answer = await post(`${url}/mcp`, text, headers);
    expect(await answer.json()).toMatchObject({ error: { code: expect.any(Number) } });
    expect((await post(`${url}/mcp`, rpcRequest('ping'))).status).toBe(200);
  });
});

describe('the 2026-07-28 revision over stdio', () => {
  const capabilities = 'io.modelcontextprotocol/clientCapabilities';
  const someMeta = fc.record(
    {
      [VERSION]: fc.constantFrom('2026-07-28', '2026-07-28', '2025-06-18', '2099-01-01', 5, null),
      [capabilities]: fc.constantFrom({}, {}, 3),
      'io.modelcontextprotocol/clientInfo': fc.constantFrom({ name: 'x', version: '1' }, 7),
      progressToken: fc.constantFrom(1, 'p', {}),
    },
    { requiredKeys: [VERSION] },
  );
  const request = fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.constantFrom(1, 2, 'a', '', 1.5, 1e300),
    method: fc.constantFrom(
      'tools/list',
      'tools/call',
      'server/discover',
      'ping',
      'initialize',
      'subscriptions/listen',
      'x',
      '',
    ),
    params: fc
      .tuple(
        fc.constantFrom(
          {},
          { name: 'echo', arguments: { text: 'x' } },
          { name: 7 },
          { cursor: 5 },
          { notifications: [] },
        ),
        someMeta,
      )
      .map(([params, _meta]) => ({ ...params, _meta })),
  });

  test('[W5] [W13] the stdio host responds to every request, and ends with its input', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 3 }), async (requests) => {
        const input = new PassThrough();
        const output = new PassThrough();
        const host = serveStdio(echoServer(), { input, output });
        input.end(requests.map((message) => `${JSON.stringify(message)}\n`).join(''));
        await host.closed;
        const answered = writtenTo(output);
        for (const { id } of requests) expect(answered).toContain(JSON.stringify(id));
      }),
      { numRuns: 200 },
    );
  });
});

const PACKAGES = fileURLToPath(new URL('../../../packages/', import.meta.url));

test('[W15] the HTTP and stdio hosts import the SDK in no file that they load at start', () => {
  const start = ['http-host.ts', 'stdio-host.ts'].map((name) =>
    fileURLToPath(new URL(`../../../packages/serving/src/wire/${name}`, import.meta.url)),
  );
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const target of staticImports(readFileSync(file, 'utf8'))) {
      const own = target.replace(/^@secateur\/([\w-]+)\//, `${PACKAGES}$1/src/`);
      if (/^[./]/.test(own)) visit(resolve(dirname(file), own));
      else packages.add(target);
    }
  };
  start.forEach(visit);
  expect(seen.size).toBeGreaterThan(20);
  expect([...packages].filter((name) => !name.startsWith('node:'))).toEqual([]);
});

test('[W2] source files import TypeBox only for its types', () => {
  const files = readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^[\w-]+[/\\]src[/\\].*\.ts$/.test(name),
  );
  expect(files.length).toBeGreaterThan(100);
  const importing = files.filter((name) =>
    staticImports(readFileSync(join(PACKAGES, name), 'utf8')).some((target) => target.startsWith('typebox')),
  );
  expect(importing).toEqual([]);
});

function staticImports(source: string): string[] {
  return [...source.matchAll(/^import (?!type )[^;]*?from '([^']+)';/gms)].map(([, target]) => target ?? '');
}
