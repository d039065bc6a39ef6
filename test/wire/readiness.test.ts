import { expect, it } from 'vitest';
import { clientAddress } from '../../src/wire/http-host/client-address.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

it('[T11] /ready says 200, and 503 once the server drains, while calls are still answered', async () => {
  const host = await serveEcho({ bearerToken: 'secret' });
  const ready = async () => (await fetch(`${host.url}/ready`)).status;
  expect(await ready()).toBe(200);
  host.drain();
  expect(await ready()).toBe(503);
  const answered = await post(`${host.url}/rpc`, rpcRequest('ping'), { authorization: 'Bearer secret' });
  expect(answered.status).toBe(200);
});

function requestFrom(remoteAddress: string, forwarded?: string) {
  return {
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  };
}

it.each([
  ['nobody is trusted', [], '10.0.0.1', '1.2.3.4', '10.0.0.1'],
  ['a trusted proxy says for whom it speaks', ['10.0.0.0/8'], '10.0.0.1', '1.2.3.4', '1.2.3.4'],
  [
    'what a client made up before a trusted proxy is not believed',
    ['10.0.0.1'],
    '10.0.0.1',
    '9.9.9.9, 1.2.3.4',
    '1.2.3.4',
  ],
  ['two trusted proxies in a row', ['10.0.0.0/8', '::1'], '::1', '1.2.3.4, 10.1.1.1', '1.2.3.4'],
  ['an untrusted peer is itself', ['10.0.0.0/8'], '8.8.8.8', '1.2.3.4', '8.8.8.8'],
  ['IPv4 written as IPv6', ['127.0.0.1'], '::ffff:127.0.0.1', '1.2.3.4', '1.2.3.4'],
] as const)('[T12] %s', (_, trusted, peer, forwarded, expected) => {
  const request = requestFrom(peer, forwarded) as unknown as Parameters<ReturnType<typeof clientAddress>>[0];
  expect(clientAddress(trusted)(request)).toBe(expected);
});
