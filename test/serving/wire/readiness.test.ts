import { expect, it } from 'vitest';
import { clientAddress } from '../../../packages/serving/src/wire/http-host/address.ts';
import type { HttpHostOptions } from '../../../packages/serving/src/wire/http-host.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

it('[T11] GET /ready returns 200, and 503 while the server drains; calls are still served', async () => {
  const host = await serveEcho({ bearerToken: 'secret' });
  const ready = async () => (await fetch(`${host.url}/ready`)).status;
  expect(await ready()).toBe(200);
  host.drain();
  expect(await ready()).toBe(503);
  const answered = await post(`${host.url}/rpc`, rpcRequest('ping'), { authorization: 'Bearer secret' });
  expect(answered.status).toBe(200);
});

it('[T11] GET /ready returns JSON, HEAD returns no body, and other methods are refused', async () => {
  const { url, drain } = await serveEcho({ bearerToken: 'secret' });
  const ready = await fetch(`${url}/ready?from=balancer`);
  expect([ready.headers.get('content-type'), await ready.json()]).toEqual([
    'application/json',
    { ready: true },
  ]);
  const ask = async (method: string) => (await fetch(`${url}/ready`, { method })).status;
  expect([await ask('HEAD'), await ask('POST')]).toEqual([200, 401]);
  drain();
  expect(await ask('HEAD')).toBe(503);
  expect(await (await fetch(`${url}/ready`)).json()).toEqual({ ready: false });
});

function requestFrom(remoteAddress: string, forwarded?: string) {
  return {
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  };
}

it.each([
  { when: 'nobody is trusted', trusted: [], peer: '10.0.0.1', forwarded: '1.2.3.4', client: '10.0.0.1' },
  {
    when: 'a trusted proxy says for whom it speaks',
    trusted: ['10.0.0.0/8'],
    peer: '10.0.0.1',
    forwarded: '1.2.3.4',
    client: '1.2.3.4',
  },
  {
    when: 'a client made an address up before a trusted proxy',
    trusted: ['10.0.0.1'],
    peer: '10.0.0.1',
    forwarded: '9.9.9.9, 1.2.3.4',
    client: '1.2.3.4',
  },
  {
    when: 'two trusted proxies stand in a row',
    trusted: ['10.0.0.0/8', '::1'],
    peer: '::1',
    forwarded: '1.2.3.4, 10.1.1.1',
    client: '1.2.3.4',
  },
  {
    when: 'the trusted proxy names nobody',
    trusted: ['10.0.0.0/8'],
    peer: '10.0.0.1',
    forwarded: undefined,
    client: '10.0.0.1',
  },
  {
    when: 'the trusted proxy leaves a place empty',
    trusted: ['10.0.0.0/8'],
    peer: '10.0.0.1',
    forwarded: '1.2.3.4, ',
    client: '1.2.3.4',
  },
  {
    when: 'everybody named is trusted, the first of them',
    trusted: ['10.0.0.0/8'],
    peer: '10.0.0.1',
    forwarded: '10.1.1.1, 10.2.2.2',
    client: '10.1.1.1',
  },
  {
    when: 'what the trusted proxy names is no address',
    trusted: ['10.0.0.0/8'],
    peer: '10.0.0.1',
    forwarded: '1.2.3.4, unknown',
    client: 'unknown',
  },
  {
    when: 'networks are written as IPv6',
    trusted: ['fd00::/8'],
    peer: 'fd12::1',
    forwarded: '2001:db8::7',
    client: '2001:db8::7',
  },
  {
    when: 'the peer is not trusted',
    trusted: ['10.0.0.0/8'],
    peer: '8.8.8.8',
    forwarded: '1.2.3.4',
    client: '8.8.8.8',
  },
  {
    when: 'IPv4 is written as IPv6',
    trusted: ['127.0.0.1'],
    peer: '::ffff:127.0.0.1',
    forwarded: '1.2.3.4',
    client: '1.2.3.4',
  },
])('[T12] clientAddress is $client if $when', ({ trusted, peer, forwarded, client }) => {
  const request = requestFrom(peer, forwarded) as unknown as Parameters<ReturnType<typeof clientAddress>>[0];
  expect(clientAddress(trusted)(request)).toBe(client);
});

/** A route whose call runs until the test ends it. */
function heldRoute() {
  const waiting: (() => void)[] = [];
  const route = {
    method: 'POST',
    path: '/held',
    handle: () => new Promise((resolve) => waiting.push(() => resolve({ json: {} }))),
  } as const satisfies NonNullable<HttpHostOptions['routes']>[number];
  return { route, waiting };
}

it('[T12] the host counts calls per client address that a trusted proxy forwards, and ignores the header of other senders', async () => {
  const { route, waiting } = heldRoute();
  const ask = async (url: string, client: string) =>
    (await post(`${url}/held`, {}, { 'x-forwarded-for': client })).status;
  const behindProxy = await serveEcho({ routes: [route], maxClientCalls: 1, trustedProxies: ['127.0.0.1'] });
  const first = ask(behindProxy.url, '203.0.113.7');
  await expect.poll(() => waiting.length).toBe(1);
  expect(await ask(behindProxy.url, '203.0.113.7')).toBe(429);
  const other = ask(behindProxy.url, '203.0.113.8');
  await expect.poll(() => waiting.length).toBe(2);
  const direct = await serveEcho({ routes: [route], maxClientCalls: 1 });
  const made = [ask(direct.url, '203.0.113.7'), ask(direct.url, '203.0.113.7')];
  await expect.poll(() => waiting.length).toBe(4);
  for (const finish of waiting) finish();
  expect(await Promise.all([first, other, ...made])).toEqual([200, 200, 200, 200]);
});

it('[X6] another machine can use at most half of the calls by default', async () => {
  const { route, waiting } = heldRoute();
  const { url } = await serveEcho({ routes: [route], maxCalls: 4, trustedProxies: ['127.0.0.1'] });
  const ask = async () => (await post(`${url}/held`, {}, { 'x-forwarded-for': '203.0.113.7' })).status;
  const first = [ask(), ask()];
  await expect.poll(() => waiting.length).toBe(2);
  expect(await ask()).toBe(429);
  for (const finish of waiting) finish();
  expect(await Promise.all(first)).toEqual([200, 200]);
});
