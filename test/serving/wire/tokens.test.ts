import { mkdtempSync, rmSync, statSync, unwatchFile, watchFile, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import type { HttpHostOptions } from '../../../packages/serving/src/wire/http-host.ts';
import { serveHttp } from '../../../packages/serving/src/wire/http-host.ts';
import { hashToken, type TokenGrant, writeTokenFile } from '../../../packages/serving/src/wire/token-file.ts';
import { Tokens } from '../../../packages/serving/src/wire/tokens.ts';
import { handClock } from '../../support/hand-clock.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

const ALICE: TokenGrant = { name: 'alice', sha256: hashToken('a-token') };
const BOB: TokenGrant = { name: 'bob', sha256: hashToken('b-token') };

function tokensFile(): string {
  return join(mkdtempSync(join(tmpdir(), 'secateur-')), 'tokens.json');
}

async function openTokens(
  grants: readonly TokenGrant[],
  parts: Partial<Parameters<typeof Tokens.open>[0]> = {},
) {
  const path = parts.path ?? tokensFile();
  await writeTokenFile(path, grants);
  const tokens = await Tokens.open({ clock: systemClock, onUnreadable: () => {}, ...parts, path });
  onTestFinished(() => tokens.close());
  return { tokens, path };
}

const as = (token: string) => ({ authorization: `Bearer ${token}` });

async function statusOf(url: string, token?: string): Promise<number> {
  return (await post(`${url}/rpc`, rpcRequest('ping'), token === undefined ? {} : as(token))).status;
}

async function serveWith(tokens: Tokens, options: Partial<HttpHostOptions> = {}) {
  return serveEcho({ tokens, ...options });
}

it('[T4] the host serves only holders of a token; the token file contains hashes and is readable only by its owner', async () => {
  const { tokens, path } = await openTokens([ALICE, BOB]);
  const { url } = await serveWith(tokens);
  expect(await statusOf(url, 'a-token')).toBe(200);
  expect(await statusOf(url, 'b-token')).toBe(200);
  for (const wrong of [undefined, 'a-toke', 'a-token2', ALICE.sha256])
    expect(await statusOf(url, wrong)).toBe(401);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('[T4] onAnswered receives the name of the token', async () => {
  const { tokens } = await openTokens([ALICE]);
  const users: unknown[] = [];
  const { url } = await serveWith(tokens, { onAnswered: ({ user }) => users.push(user) });
  await statusOf(url, 'a-token');
  await expect.poll(() => users).toEqual(['alice']);
});

it('[T4] an entry with the hash of an empty string does not admit callers without a token', async () => {
  const { tokens } = await openTokens([{ name: 'unset', sha256: hashToken('') }]);
  const { url } = await serveWith(tokens);
  expect(await statusOf(url)).toBe(401);
  expect(tokens.find('')).toBeUndefined();
});

it('[T4] a changed token file applies without a restart; a malformed token file changes nothing', async () => {
  const complaints: unknown[] = [];
  const { tokens, path } = await openTokens([ALICE], { onUnreadable: (error) => complaints.push(error) });
  const { url } = await serveWith(tokens);
  await writeTokenFile(path, [BOB]);
  await expect.poll(() => statusOf(url, 'b-token')).toBe(200);
  expect(await statusOf(url, 'a-token')).toBe(401);
  writeFileSync(path, '{"tokens": [{"name": "bob"}]}');
  await expect.poll(() => complaints.length).toBeGreaterThan(0);
  expect(String(complaints[0])).toContain('entry 1: sha256 must be 64 hex digits');
  expect(await statusOf(url, 'b-token')).toBe(200);
});

it('[T4] [T5] the host accepts no token after the token file was removed', async () => {
  const { tokens, path } = await openTokens([ALICE]);
  const { url } = await serveWith(tokens);
  rmSync(path);
  await expect.poll(() => statusOf(url, 'a-token')).toBe(401);
  expect(await statusOf(url)).toBe(401);
  await writeTokenFile(path, [BOB]);
  await expect.poll(() => statusOf(url, 'b-token')).toBe(200);
});

it('[T4] revoking a token ends the open streams of the token', async () => {
  const { tokens, path } = await openTokens([ALICE]);
  const stream = {
    kind: 'raw',
    path: '/stream',
    handle: async ({ response }) => {
      response.writeHead(200).write('open\n');
      await new Promise((resolve) => response.once('close', resolve));
    },
  } as const satisfies NonNullable<HttpHostOptions['routes']>[number];
  const { url } = await serveWith(tokens, { routes: [stream] });
  const response = await fetch(`${url}/stream`, { headers: as('a-token') });
  const ended = response.text().then(
    () => 'ended',
    () => 'ended',
  );
  await writeTokenFile(path, [BOB]);
  expect(await ended).toBe('ended');
});

it('[T4] revoking a token ends a stream whose route has returned, such as GET /api/events', async () => {
  const { tokens, path } = await openTokens([ALICE, BOB]);
  const stream = {
    kind: 'raw',
    path: '/events',
    access: 'page',
    handle: async ({ response }) => {
      response.writeHead(200).write('open\n');
    },
  } as const satisfies NonNullable<HttpHostOptions['routes']>[number];
  const { url } = await serveWith(tokens, { routes: [stream] });
  const open = async (token: string) => {
    const response = await fetch(`${url}/events`, { headers: as(token) });
    return response.text().catch(() => 'ended');
  };
  const [alices, bobs] = [open('a-token'), open('b-token')];
  await writeTokenFile(path, [BOB]);
  expect(await alices).toBe('ended');
  const stillOpen = new Promise((resolve) => setTimeout(resolve, 50, 'open'));
  expect(await Promise.race([bobs, stillOpen])).toBe('open');
});

it('[T4] [T7] a client that disconnects while its token is checked does not use up a concurrent call', async () => {
  const waiting: ((count: number) => void)[] = [];
  const meter = { add: () => new Promise<number>((resolve) => void waiting.push(resolve)) };
  const limited = { ...ALICE, concurrentCalls: 1, callsPerMinute: 1000 };
  const { tokens } = await openTokens([limited], { meter });
  const { url } = await serveWith(tokens);
  const leaving = new AbortController();
  const call = (signal?: AbortSignal) =>
    fetch(`${url}/rpc`, {
      ...{ method: 'POST', body: JSON.stringify(rpcRequest('ping')), signal: signal ?? null },
      headers: { 'content-type': 'application/json', ...as('a-token') },
    });
  const first = call(leaving.signal).catch(() => 'left');
  await expect.poll(() => waiting.length).toBe(1);
  expect((await call()).status).toBe(429);
  leaving.abort();
  expect(await first).toBe('left');
  // The server notices the disconnection shortly afterwards.
  await new Promise((resolve) => setTimeout(resolve, 100));
  waiting[0]?.(1);
  const second = call();
  await expect.poll(() => waiting.length).toBe(2);
  waiting[1]?.(1);
  expect((await second).status).toBe(200);
});

it('[T4] revoking a token ends only the running calls of that token', async () => {
  const { tokens, path } = await openTokens([ALICE, BOB]);
  const ended: string[] = [];
  tokens.onRevoked(ALICE, () => ended.push('alice, over'))();
  tokens.onRevoked(BOB, () => ended.push('bob'));
  tokens.onRevoked(ALICE, () => ended.push('alice'));
  await writeTokenFile(path, [BOB]);
  await expect.poll(() => ended).toEqual(['alice']);
});

it('[T4] a server without a token file requires no tokens and offers every tool, until the file appears', async () => {
  const path = tokensFile();
  const told = new Promise((resolve) => watchFile(path, { interval: 100, persistent: false }, resolve));
  onTestFinished(() => unwatchFile(path));
  const tokens = await Tokens.open({ path, clock: systemClock, onUnreadable: () => {} });
  onTestFinished(() => tokens.close());
  const { url } = await serveWith(tokens);
  // Node reports a missing file once to the listener.
  await told;
  const listed = await post(`${url}/rpc`, rpcRequest('tools/list'));
  expect(await listed.json()).toMatchObject({ result: { tools: [{ name: 'echo' }, {}, {}] } });
  await writeTokenFile(path, [ALICE]);
  await expect.poll(() => statusOf(url)).toBe(401);
  expect(await statusOf(url, 'a-token')).toBe(200);
});

it('[T4] Tokens.open rejects with the reason if the token file is unreadable', async () => {
  const path = tokensFile();
  const opened = (text: string) => {
    writeFileSync(path, text);
    return Tokens.open({ path, clock: systemClock, onUnreadable: () => {} });
  };
  await expect(opened('nope')).rejects.toThrow('is not JSON');
  await expect(opened('{}')).rejects.toThrow('has no list `tokens`');
  await expect(opened(JSON.stringify({ tokens: [{ ...ALICE, rate: 1 }] }))).rejects.toThrow(
    'unknown key rate',
  );
  await expect(opened(JSON.stringify({ tokens: [ALICE, ALICE] }))).rejects.toThrow(
    'two entries are named alice',
  );
  await expect(opened(JSON.stringify({ tokens: [{ ...ALICE, callsPerMinute: 0 }] }))).rejects.toThrow(
    'callsPerMinute',
  );
});

it('[T5] serveHttp requires tokens and declared TLS for an address that other machines can reach', async () => {
  const { tokens } = await openTokens([ALICE]);
  const start = (options: Partial<HttpHostOptions>) => serveHttp({ host: '0.0.0.0', port: 0, ...options });
  await expect(start({})).rejects.toMatchObject({ code: 'remote_not_allowed' });
  await expect(start({ allowRemote: true })).rejects.toMatchObject({ code: 'bearer_token_required' });
  await expect(start({ allowRemote: true, tokens })).rejects.toMatchObject({ code: 'tls_required' });
  const host = await start({ allowRemote: true, tokens, tlsTerminated: true });
  await host.close();
});

it('[T7] the host counts calls per minute per token; above the limit it returns 429 with Retry-After', async () => {
  const clock = handClock(Date.UTC(2026, 0, 1, 0, 0, 20));
  const { tokens } = await openTokens([{ ...ALICE, callsPerMinute: 2 }, BOB], { clock });
  const { url } = await serveWith(tokens);
  expect([await statusOf(url, 'a-token'), await statusOf(url, 'a-token')]).toEqual([200, 200]);
  const refused = await post(`${url}/rpc`, rpcRequest('ping'), as('a-token'));
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('40');
  expect(await refused.json()).toMatchObject({
    jsonrpc: '2.0',
    error: { data: { code: 'too_many_requests' } },
  });
  expect(await statusOf(url, 'b-token')).toBe(200);
  clock.advance(40_000);
  expect(await statusOf(url, 'a-token')).toBe(200);
});

/** A call that does not announce its length. */
function pingInChunks(url: string, token: string): Promise<Response> {
  const body = new Blob([JSON.stringify(rpcRequest('ping'))]).stream();
  const headers = { 'content-type': 'application/json', ...as(token) };
  return fetch(`${url}/rpc`, { method: 'POST', body, duplex: 'half', headers } as RequestInit);
}

it('[T7] the host counts bytes per minute before it reads the body, and refuses a body of unknown length', async () => {
  const { tokens } = await openTokens([{ ...ALICE, bytesPerMinute: 500 }, BOB]);
  const { url } = await serveWith(tokens);
  expect(await statusOf(url, 'a-token')).toBe(200);
  const large = await post(`${url}/rpc`, rpcRequest('ping', { pad: 'x'.repeat(600) }), as('a-token'));
  expect(large.status).toBe(429);
  const unannounced = await pingInChunks(url, 'a-token');
  expect(unannounced.status).toBe(411);
  expect(await unannounced.json()).toMatchObject({ error: { data: { code: 'length_required' } } });
  expect((await pingInChunks(url, 'b-token')).status).toBe(200);
});

it('[T7] the host limits the concurrent calls of a token, not including ended calls', async () => {
  const { tokens } = await openTokens([{ ...ALICE, concurrentCalls: 1 }]);
  let finish = () => {};
  const slow = {
    method: 'GET',
    path: '/slow',
    handle: () => new Promise((resolve) => (finish = () => resolve({ json: {} }))),
  } as const satisfies NonNullable<HttpHostOptions['routes']>[number];
  const { url } = await serveWith(tokens, { routes: [slow] });
  const first = fetch(`${url}/slow`, { headers: as('a-token') });
  await expect.poll(() => statusOf(url, 'a-token')).toBe(429);
  finish();
  expect((await first).status).toBe(200);
  await expect.poll(() => statusOf(url, 'a-token')).toBe(200);
});

it('[T8] a route that does the work of a tool returns 404 to a token that may not use the tool', async () => {
  const { tokens } = await openTokens([{ ...ALICE, denyTools: ['echo'] }, BOB]);
  const route = { method: 'POST', path: '/echo', tool: 'echo', handle: async () => ({ json: {} }) } as const;
  const { url } = await serveWith(tokens, { routes: [route] });
  expect((await post(`${url}/echo`, {}, as('a-token'))).status).toBe(404);
  expect((await post(`${url}/echo`, {}, as('b-token'))).status).toBe(200);
});

it("[T8] Sécateur's servers neither list nor call a tool for a token that may not use the tool", async () => {
  const { tokens } = await openTokens([{ ...ALICE, denyTools: ['echo'] }, BOB]);
  const { url } = await serveWith(tokens);
  const named = async (token: string) => {
    const answer = await (await post(`${url}/rpc`, rpcRequest('tools/list'), as(token))).json();
    return (answer as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
  };
  expect(await named('b-token')).toContain('echo');
  expect(await named('a-token')).not.toContain('echo');
  const call = rpcRequest('tools/call', { name: 'echo', arguments: { text: 'hello' } });
  expect(await (await post(`${url}/rpc`, call, as('a-token'))).json()).toMatchObject({
    error: { code: -32602 },
  });
  expect(await (await post(`${url}/rpc`, call, as('b-token'))).json()).toMatchObject({ result: {} });
});
