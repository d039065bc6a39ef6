import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../packages/base/src/runtime/time.ts';
import {
  MAX_OAUTH_RESPONSE_BYTES,
  oauthCredentials,
} from '../../../../packages/secateur/src/servers/gateway/oauth.ts';
import { signIn, signInByDevice } from '../../../../packages/secateur/src/servers/gateway/sign-in.ts';
import { SignInStore } from '../../../../packages/secateur/src/servers/gateway/sign-in-store.ts';
import { temporaryFolder } from '../../../support/secateur-cli.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

async function listening(handle: Handle): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

const SECRET = 'the-client-secret';
const BASIC = `Basic ${Buffer.from(`the-client:${SECRET}`).toString('base64')}`;

/** A sign-in server with device codes that grants everything and records what it was sent. */
async function startIssuer(): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  const url = await listening(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push(`${request.url} ${request.headers.authorization ?? ''} ${Buffer.concat(chunks)}`);
    if (request.url?.startsWith('/.well-known/')) {
      return sendJson(response, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        device_authorization_endpoint: `${url}/device`,
        response_types_supported: ['code'],
      });
    }
    if (request.url === '/device') {
      const device = { device_code: 'dev', user_code: 'ABCD', verification_uri: `${url}/agree`, interval: 0 };
      return sendJson(response, device);
    }
    sendJson(response, {
      access_token: 'access',
      token_type: 'Bearer',
      refresh_token: 'refresh',
      expires_in: 30,
    });
  });
  return { url, received };
}

/** An upstream whose metadata names the sign-in server that `named` returns. */
async function startUpstream(named: () => string): Promise<string> {
  const url = await listening((request, response) => {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource'))
      return sendJson(response, { resource: `${url}/mcp`, authorization_servers: [named()] });
    response.writeHead(404).end();
  });
  return `${url}/mcp`;
}

interface Login {
  readonly url: string;
  readonly store?: SignInStore;
  readonly user?: string;
  readonly issuer?: string;
  readonly signal?: AbortSignal;
}

function loginByDevice({ url, store = new SignInStore(temporaryFolder()), user, issuer, signal }: Login) {
  return signInByDevice(
    { server: 'tickets', user },
    { url, clientId: 'the-client', clientSecret: SECRET, issuer },
    {
      ...{ store, clock: systemClock, show: () => {}, wait: async () => {} },
      signal: signal ?? new AbortController().signal,
    },
  );
}

it('[T22] signInByDevice sends the client secret of every user only to the sign-in server of the first sign-in', async () => {
  const [good, evil] = [await startIssuer(), await startIssuer()];
  let named = good.url;
  const url = await startUpstream(() => named);
  const store = new SignInStore(temporaryFolder());
  await loginByDevice({ url, store, user: 'alice' });
  expect(good.received.join()).toContain(BASIC);
  named = evil.url;
  for (const user of ['alice', 'bob', undefined]) {
    const login = loginByDevice({ url, store, ...(user && { user }) });
    await expect(login).rejects.toMatchObject({
      code: 'issuer_refused',
      message: `tickets names the sign-in server ${evil.url}, the first sign-in used ${good.url}`,
      hint: expect.stringContaining(`issuer = "${evil.url}"`),
    });
  }
  expect(evil.received.every((each) => each.startsWith('/.well-known/'))).toBe(true);
  expect(evil.received.join()).not.toMatch(/Basic|secret/);
});

it('[T22] signInByDevice and signIn accept only the configured issuer, also at the first sign-in', async () => {
  const [good, evil] = [await startIssuer(), await startIssuer()];
  const url = await startUpstream(() => evil.url);
  await expect(loginByDevice({ url, issuer: good.url })).rejects.toMatchObject({
    code: 'issuer_refused',
    message: `tickets names the sign-in server ${evil.url}, the configuration names ${good.url}`,
  });
  const inBrowser = signIn(
    { server: 'tickets' },
    { url, clientId: 'the-client', clientSecret: SECRET, issuer: good.url },
    {
      ...{ store: new SignInStore(temporaryFolder()), clock: systemClock, show: () => {} },
      signal: new AbortController().signal,
    },
  );
  await expect(inBrowser).rejects.toMatchObject({ code: 'issuer_refused' });
  expect(evil.received.join()).not.toMatch(/Basic|secret/);
  await loginByDevice({ url: await startUpstream(() => good.url), issuer: `${good.url}/` });
  expect(good.received.join()).toContain(BASIC);
});

it('[T22] a token refresh sends neither secret nor refresh token to another sign-in server that the upstream announces', async () => {
  const [good, evil] = [await startIssuer(), await startIssuer()];
  let named = good.url;
  const url = await startUpstream(() => named);
  const store = new SignInStore(temporaryFolder());
  await loginByDevice({ url, store });
  named = evil.url;
  const clock = { ...systemClock, now: () => Date.now() + 60_000 };
  const server = { url, clientId: 'the-client', clientSecret: SECRET };
  const credentials = oauthCredentials('tickets', server, { store, clock, user: () => undefined });
  await expect(credentials.headers()).rejects.toMatchObject({
    code: 'sign_in_required',
    message: expect.stringContaining(evil.url),
  });
  expect(evil.received.join()).not.toMatch(/Basic|secret|refresh/);
});

it('[X23] signIn reads at most 1 MB of OAuth metadata that never ends', async () => {
  let sent = 0;
  const url = await listening((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"resource": "');
    const more = () => {
      while (response.write('x'.repeat(65_536))) sent += 65_536;
    };
    response.on('drain', more);
    more();
  });
  const store = new SignInStore(temporaryFolder());
  const login = signIn(
    { server: 'tickets' },
    { url: `${url}/mcp` },
    { store, clock: systemClock, show: () => {}, signal: new AbortController().signal },
  );
  await expect(login).rejects.toMatchObject({
    message: `not signed in: a response of its sign-in server is longer than ${MAX_OAUTH_RESPONSE_BYTES} bytes`,
  });
  expect(MAX_OAUTH_RESPONSE_BYTES).toBe(1_048_576);
  // Several metadata documents are requested, and the kernel buffers more than is read.
  expect(sent).toBeLessThan(40 * MAX_OAUTH_RESPONSE_BYTES);
});

it('[T22] signIn and signInByDevice end with the reason of their signal if the server never responds', async () => {
  const url = `${await listening(() => {})}/mcp`;
  const stop = new AbortController();
  const inBrowser = signIn(
    { server: 'tickets' },
    { url },
    {
      ...{ store: new SignInStore(temporaryFolder()), clock: systemClock, show: () => {} },
      signal: stop.signal,
    },
  );
  const byDevice = loginByDevice({ url, signal: stop.signal });
  setImmediate(() => stop.abort('SIGINT'));
  expect(await Promise.allSettled([inBrowser, byDevice])).toEqual([
    { status: 'rejected', reason: 'SIGINT' },
    { status: 'rejected', reason: 'SIGINT' },
  ]);
});

it('[X17] signIn fails with an error message if no server listens at the address', async () => {
  const login = signIn(
    { server: 'tickets' },
    { url: 'http://127.0.0.1:9/mcp' },
    {
      ...{ store: new SignInStore(temporaryFolder()), clock: systemClock, show: () => {} },
      signal: new AbortController().signal,
    },
  );
  await expect(login).rejects.toMatchObject({
    code: 'not_signed_in',
    message: 'not signed in: its sign-in server cannot be reached',
  });
});
