import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { isLoopbackAddress, plainAddress } from '../../../packages/serving/src/wire/http-host/address.ts';
import { serveHttp } from '../../../packages/serving/src/wire/http-host.ts';
import { sendRaw } from './raw-http.ts';
import { post, rpcRequest, serveEcho } from './serve-echo.ts';

const health = { method: 'GET', path: '/health', handle: async () => ({ json: { ok: true } }) } as const;
const body = JSON.stringify(rpcRequest('ping'));

function postHead(headers: string[]): string {
  return [
    'POST /rpc HTTP/1.1',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...headers,
    '',
    '',
  ].join('\r\n');
}

async function statusFor(port: number, headers: string[]): Promise<number> {
  return (await sendRaw(port, postHead([...headers, 'Connection: close']) + body)).status;
}

describe('Host and Origin', () => {
  test.each(['localhost', 'LOCALHOST:8006', '127.0.0.1', '127.0.0.1:1', '127.100.20.3', '[::1]:8006'])(
    '[W6] the host accepts Host %s',
    async (host) => {
      const { port } = await serveEcho();
      expect(await statusFor(port, [`Host: ${host}`])).toBe(200);
    },
  );

  test.each([
    'evil.example',
    'evil.example:8006',
    'localhost.evil.example',
    'localhost@evil.example',
    'evil.example#localhost',
    '127.0.0.1.evil.example',
    'evil127.0.0.1',
    '127.0.0.1x',
    '127.0.0',
    '0.0.0.0',
    '[::2]',
    'localhost:8006:8006',
    '',
  ])('[W6] the host refuses Host %j with 403', async (host) => {
    const { port } = await serveEcho();
    expect(await statusFor(port, [`Host: ${host}`])).toBe(403);
  });

  test('[W6] the host refuses two Host headers with 403', async () => {
    const { port } = await serveEcho();
    expect(await statusFor(port, ['Host: localhost', 'Host: evil.example'])).toBe(403);
    expect(await statusFor(port, ['Host: localhost', 'host: localhost'])).toBe(403);
    expect(await statusFor(port, ['Host: localhost', 'From: me', 'Date: now'])).toBe(200);
  });

  test.each(['http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:8006'])(
    '[W6] the host accepts Origin %s',
    async (origin) => {
      const { port } = await serveEcho();
      expect(await statusFor(port, ['Host: localhost', `Origin: ${origin}`])).toBe(200);
    },
  );

  test.each([
    'http://evil.example',
    'https://localhost.evil.example',
    'http://localhost@evil.example',
    'http://evil.example/localhost',
    'http://localhost/evil.example',
    'http://localhost evil.example',
    'evil+http://localhost',
    'file://localhost',
    'null',
    '',
  ])('[W6] the host refuses Origin %j with 403', async (origin) => {
    const { port } = await serveEcho();
    expect(await statusFor(port, ['Host: localhost', `Origin: ${origin}`])).toBe(403);
  });

  test('[W6] the host refuses a request with a foreign Host before it reads the body', async () => {
    const { port } = await serveEcho();
    // Sends no byte of the announced body, so that the response depends only on the headers.
    const answer = await sendRaw(port, postHead(['Host: evil.example']), { until: /\}$/ });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { data: { code: 'forbidden_host' } } });
  });

  test('[W6] the host checks Host and Origin on every route', async () => {
    const raw = { kind: 'raw', path: '/raw/:name', handle: async () => expect.unreachable() } as const;
    const { port } = await serveEcho({ routes: [health, raw] });
    for (const target of ['/health', '/raw/x', '/nowhere', '/rpc']) {
      const answer = await sendRaw(
        port,
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n`,
      );
      expect([target, answer.status]).toEqual([target, 403]);
    }
  });

  test('[W6] the host returns 404 for a request target that contains another host', async () => {
    const { port } = await serveEcho({ routes: [health] });
    for (const target of ['http://evil.example/health', '*', '//evil.example/health', '/%2e%2e/health']) {
      const answer = await sendRaw(
        port,
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      expect([target, answer.status]).toEqual([target, 404]);
    }
  });

  test('[W6] allowedHosts adds hosts to the accepted ones', async () => {
    const { port } = await serveEcho({ allowedHosts: ['Tools.Example'] });
    expect(await statusFor(port, ['Host: tools.example:8006', 'Origin: https://tools.example'])).toBe(200);
    expect(await statusFor(port, ['Host: other.example'])).toBe(403);
  });
});

describe('addresses that other machines can reach', () => {
  test('[W7] serveHttp refuses an address that other machines can reach unless allowRemote is set', async () => {
    await expect(serveHttp({ host: '0.0.0.0', port: 0 })).rejects.toMatchObject({
      code: 'remote_not_allowed',
      message: '0.0.0.0 can be reached from other machines',
      hint: expect.stringContaining('127.0.0.1'),
      data: { host: '0.0.0.0' },
    });
    expect((await serveEcho({ host: 'LOCALHOST' })).port).toBeGreaterThan(0);
  });

  test.each([undefined, ''])('[W7] serveHttp refuses remote access, bearer token %j', async (bearerToken) => {
    const options = { host: '0.0.0.0', port: 0, allowRemote: true, bearerToken };
    await expect(serveHttp(options)).rejects.toMatchObject({
      code: 'bearer_token_required',
      message: 'Listening on 0.0.0.0 needs a bearer token',
      hint: expect.stringContaining('environment'),
      data: { host: '0.0.0.0' },
    });
  });

  test('[T5] serveHttp refuses a remote address with a token if TLS is not declared', async () => {
    const options = { host: '0.0.0.0', port: 0, allowRemote: true, bearerToken: 't' };
    await expect(serveHttp(options)).rejects.toMatchObject({
      code: 'tls_required',
      message: 'Tokens would cross the network to 0.0.0.0 in the clear',
      hint: expect.stringContaining('tls_terminated'),
      data: { host: '0.0.0.0' },
    });
  });

  test.each([
    ['::ffff:127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.1', true],
    ['::1', '::1', true],
    ['::ffff:10.0.0.1', '10.0.0.1', false],
    ['::ffff:7f00:1', '::ffff:7f00:1', false],
    ['1::ffff:127.0.0.1', '1::ffff:127.0.0.1', false],
  ])('[X8] the socket address %s is normalised to %s; loopback: %s', (address, plain, isLoopback) => {
    expect([plainAddress(address), isLoopbackAddress(address)]).toEqual([plain, isLoopback]);
  });

  test('[W7] every route of a remote host requires the token', async () => {
    const { url } = await serveEcho({
      host: '0.0.0.0',
      allowRemote: true,
      tlsTerminated: true,
      bearerToken: 's3cret',
      routes: [health],
    });
    const local = url.replace('0.0.0.0', '127.0.0.1');
    for (const authorization of [
      undefined,
      'Bearer wrong',
      'Bearer s3cretx',
      'Basic s3cret',
      's3cret',
      'Bearer ',
      'xBearer s3cret',
      'Basic Bearer s3cret',
      'Bearer s3cret x',
    ]) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answers = await Promise.all([
        fetch(`${local}/health`, { headers }),
        post(`${local}/rpc`, rpcRequest('ping'), headers),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([401, 401]);
      expect(answers[0]?.headers.get('www-authenticate')).toBe('Bearer');
    }
    const headers = { authorization: 'bearer   s3cret' };
    expect((await fetch(`${local}/health`, { headers })).status).toBe(200);
    expect((await post(`${local}/rpc`, rpcRequest('ping'), headers)).status).toBe(200);
  });

  test('[W7] the host accepts the address to which the client connected as Host', async () => {
    const address = Object.values(networkInterfaces())
      .flat()
      .find((entry) => entry?.family === 'IPv4' && !entry.internal)?.address;
    if (address === undefined) return;
    const { port } = await serveEcho({
      host: '0.0.0.0',
      allowRemote: true,
      tlsTerminated: true,
      bearerToken: 't',
    });
    const answer = await post(`http://${address}:${port}/rpc`, rpcRequest('ping'), {
      authorization: 'Bearer t',
    });
    expect(answer.status).toBe(200);
  });
});
