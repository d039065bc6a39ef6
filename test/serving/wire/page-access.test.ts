import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import type { HttpExchange } from '../../../packages/serving/src/wire/http-route.ts';
import { plainFailureBody } from '../../../packages/serving/src/wire/http-route.ts';
import { hashToken, type TokenGrant, writeTokenFile } from '../../../packages/serving/src/wire/token-file.ts';
import { holderOf, pageCookie, Tokens } from '../../../packages/serving/src/wire/tokens.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

const ALICE: TokenGrant = { name: 'alice', sha256: hashToken('a-token'), callsPerMinute: 1 };

async function openTokens(): Promise<Tokens> {
  const path = join(mkdtempSync(join(tmpdir(), 'secateur-')), 'tokens.json');
  await writeTokenFile(path, [ALICE]);
  const tokens = await Tokens.open({ path, clock: systemClock, onUnreadable: () => {} });
  onTestFinished(() => tokens.close());
  return tokens;
}

const cookieOf = (holder: Parameters<typeof pageCookie>[0]) => pageCookie(holder).split(';')[0] ?? '';

const pages = [
  { method: 'GET', path: '/page', access: 'page', handle: async () => ({ json: {} }) },
  { method: 'GET', path: '/open', access: 'public', handle: async () => ({ json: {} }) },
  { method: 'GET', path: '/tool', handle: async () => ({ json: {} }) },
] as const;

it('[T4] [T7] a browser login gives access only to the dashboard, and its requests are not counted', async () => {
  const tokens = await openTokens();
  const { url } = await serveEcho({ tokens, routes: pages });
  const status = async (path: string, headers: Record<string, string>) =>
    (await fetch(`${url}${path}`, { headers })).status;
  const cookie = cookieOf(holderOf(ALICE));
  const authorization = 'Bearer a-token';
  expect([await status('/page', { cookie }), await status('/page', { cookie })]).toEqual([200, 200]);
  expect([await status('/page', { authorization }), await status('/page', {})]).toEqual([200, 401]);
  expect([await status('/open', {}), await status('/open', { cookie })]).toEqual([200, 200]);
  expect([await status('/tool', { cookie }), await status('/tool', { cookie })]).toEqual([401, 401]);
  expect([await status('/tool', { authorization }), await status('/tool', { authorization })]).toEqual([
    200, 429,
  ]);
});

it('[W7] a user who logged in with the bearer token can open the dashboard', async () => {
  const { url } = await serveEcho({ bearerToken: 'sesame', routes: pages });
  const status = async (path: string, cookie: string) =>
    (await fetch(`${url}${path}`, { headers: { cookie } })).status;
  const own = cookieOf({ secret: 'sesame' });
  expect([await status('/page', own), await status('/tool', own), await status('/open', '')]).toEqual([
    200, 401, 200,
  ]);
  expect(await status('/page', cookieOf({ secret: 'sesam' }))).toBe(401);
  expect(await status('/page', cookieOf({ name: 'x', secret: 'sesame' }))).toBe(401);
});

it('[X8] the host with a local token refuses callers of this machine without that token', async () => {
  const { url } = await serveEcho({ localToken: 'sesame', routes: pages });
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await post(`${url}${path}`, rpcRequest('ping'), headers)).status;
  expect(await status('/rpc')).toBe(403);
  expect(await status('/rpc', { authorization: 'Bearer open' })).toBe(403);
  expect(await status('/rpc', { authorization: 'Bearer sesame' })).toBe(200);
  expect((await fetch(`${url}/tool`)).status).toBe(200);
  expect((await fetch(`${url}/page`)).status).toBe(403);
});

it('[X8] the host refuses another user with a JSON-RPC error on JSON-RPC routes, and with its own error format elsewhere', async () => {
  const { url } = await serveEcho({
    localToken: 'sesame',
    routes: pages,
    failureBody: plainFailureBody,
  });
  const refused = { code: 'forbidden_user' };
  expect(await (await post(`${url}/rpc`, rpcRequest('ping'))).json()).toMatchObject({
    jsonrpc: '2.0',
    error: { data: refused },
  });
  expect(await (await fetch(`${url}/page`)).json()).toMatchObject({ ok: false, error: refused });
});

it('[T4] [X8] the host does not require the local token from a caller with a named token', async () => {
  const { url } = await serveEcho({ tokens: await openTokens(), localToken: 'sesame' });
  const answer = await post(`${url}/rpc`, rpcRequest('ping'), { authorization: 'Bearer a-token' });
  expect(answer.status).toBe(200);
});

it('[X9] the dashboard can post its own login form', async () => {
  const login = {
    kind: 'raw',
    path: '/login',
    access: 'public',
    handle: async ({ response }: HttpExchange) => void response.end('in'),
  } as const;
  const { url } = await serveEcho({ bearerToken: 'sesame', routes: [login] });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: url };
  expect(await (await post(`${url}/login`, 'token=sesame', headers)).text()).toBe('in');
});
