import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../packages/base/src/runtime/time.ts';
import { withSecrets } from '../../../../packages/secateur/src/servers/gateway/server-table.ts';
import { SignInStore } from '../../../../packages/secateur/src/servers/gateway/sign-in-store.ts';
import { answering, startGateway, startUpstream } from '../../../support/gateway.ts';

const url = 'http://127.0.0.1:1/rpc';

/** Answers a request with the password in the file; every other gets 401. */
async function guardedUpstream(passwordFile: string) {
  return startUpstream(({ headers, body }, response) => {
    const { id } = JSON.parse(body) as { id: unknown };
    const isKnown = headers.authorization === `Bearer ${readFileSync(passwordFile, 'utf8').trim()}`;
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'in' }] } }));
  });
}

it('[T3] headers and env of an upstream may contain ${env:…} and ${command:…} instead of secrets', async () => {
  const servers = {
    tickets: {
      url,
      headers: {
        authorization: 'Bearer ${env:TICKETS_TOKEN}',
        'x-both': 'a ${command:echo b} c',
        'x-braces': "${command:echo one two | awk '{print $2}'}",
      },
    },
    local: { command: ['server'], env: { KEY: '${env:LOCAL_KEY}', PLAIN: 'as it is' } },
  };
  const env = { ...process.env, TICKETS_TOKEN: 's3cret', LOCAL_KEY: 'k' };
  const { tickets, local } = await withSecrets(servers, { env });
  expect(await tickets?.credentials?.headers()).toEqual({
    authorization: 'Bearer s3cret',
    'x-both': 'a b c',
    'x-braces': 'two',
  });
  expect(tickets?.headers).toBeUndefined();
  expect(local?.env).toEqual({ KEY: 'k', PLAIN: 'as it is' });
});

it('[T3] the error for an unset variable or a failed command contains the setting but no secret', async () => {
  const unset = withSecrets(
    { tickets: { url, headers: { authorization: 'Bearer ${env:NO_SUCH_TOKEN}' } } },
    { env: {} },
  );
  await expect(unset).rejects.toThrow(/tickets\.headers\.authorization needs the variable NO_SUCH_TOKEN/);
  const failing = withSecrets(
    { tickets: { url, headers: { authorization: '${command:echo s3cret; exit 3}' } } },
    { env: process.env },
  );
  const error = await failing.catch((cause: unknown) => String(cause));
  expect(error).toContain('tickets.headers.authorization: its command failed');
  expect(error).not.toContain('s3cret');
});

it('[T3] the gateway repeats a refused call with the new output of the command, and its list of servers shows no secret', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'secateur-')), 'password');
  writeFileSync(file, 'first\n');
  const upstream = await guardedUpstream(file);
  const headers = { authorization: `Bearer \${command:cat ${file}}` };
  const servers = await withSecrets({ tickets: { url: upstream.url, headers } }, { env: process.env });
  const gateway = await startGateway({ servers });
  expect((await gateway.call('tickets', 'tools/call', { name: 'x' })).result).toBeDefined();
  writeFileSync(file, 'second\n');
  expect((await gateway.call('tickets', 'tools/call', { name: 'x' })).result).toBeDefined();
  expect(upstream.seen.map((request) => request.headers.authorization)).toEqual([
    'Bearer first',
    'Bearer first',
    'Bearer second',
  ]);
  expect(JSON.stringify(await gateway.servers())).not.toMatch(/first|second/);
});

it('[T3] the error of a failed credential has a code for programs and a hint', async () => {
  const resolved = (entry: object, env: Record<string, string>) => withSecrets({ tickets: entry }, { env });
  const unset = {
    code: 'secret_missing',
    data: { variable: 'KEY' },
    hint: expect.stringContaining('Set KEY'),
  };
  const empty = resolved({ command: ['server'], env: { A: '${env:KEY}' } }, { KEY: '' });
  await expect(empty).rejects.toMatchObject({
    ...unset,
    message: 'mcp_gateway.servers.tickets.env.A needs the variable KEY, which is not set',
  });
  const secret = resolved({ url, clientSecret: '${env:KEY}' }, {});
  await expect(secret).rejects.toMatchObject({
    ...unset,
    message: expect.stringContaining('tickets.client_secret'),
  });
  const failing = resolved({ url, headers: { a: '${command:exit 3}' } }, {});
  await expect(failing).rejects.toMatchObject({
    code: 'secret_missing',
    hint: expect.stringContaining('within 10 s'),
  });
});

it('[T3] a credential command gets the environment variables of the gateway, and a client secret may contain ${env:…}', async () => {
  const headers = { 'x-key': '${command:echo "$KEY"}' };
  const { tickets } = await withSecrets(
    { tickets: { url, headers, clientSecret: 'a-${env:KEY}' } },
    { env: { ...process.env, KEY: 'k' } },
  );
  expect(await tickets?.credentials?.headers()).toEqual({ 'x-key': 'k' });
  expect(tickets).toMatchObject({ url, clientSecret: 'a-k' });
});

it('[T3] the gateway repeats a refused call only if at least one credential header has changed', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'secateur-')), 'password');
  writeFileSync(file, 'first\n');
  const upstream = await startUpstream((_, response) => response.writeHead(401).end());
  const headers = { 'x-fixed': 'as ever', authorization: `Bearer \${command:cat ${file}}` };
  const servers = await withSecrets({ tickets: { url: upstream.url, headers } }, { env: process.env });
  const gateway = await startGateway({ servers });
  await gateway.call('tickets', 'ping');
  expect(upstream.seen).toHaveLength(1);
  writeFileSync(file, 'second\n');
  await gateway.call('tickets', 'ping');
  expect(upstream.seen.map((request) => request.headers.authorization)).toEqual([
    'Bearer first',
    'Bearer first',
    'Bearer second',
  ]);
});

/** Returns credentials after every user has signed in to `tickets`. */
async function signedIn() {
  const store = new SignInStore(mkdtempSync(join(tmpdir(), 'secateur-')));
  await store.write({ server: 'tickets' }, { tokens: { access_token: 'signed-in', token_type: 'Bearer' } });
  return { store, clock: systemClock, user: () => undefined };
}

it('[T1] [G25] the gateway sends the configured headers to a server with sign-in, too', async () => {
  const upstream = await startUpstream(answering({}));
  const headers = { 'X-Tenant': '${env:TENANT}', Authorization: 'Bearer other' };
  const servers = await withSecrets(
    { tickets: { url: upstream.url, auth: 'oauth', headers } },
    { env: { TENANT: 'north' }, oauth: await signedIn() },
  );
  const gateway = await startGateway({ servers });
  await gateway.call('tickets', 'ping');
  expect(upstream.seen[0]?.headers).toMatchObject({
    'x-tenant': 'north',
    authorization: 'Bearer signed-in',
  });
});

it('[T1] the gateway calls only a server with an address and auth = "oauth" as the user who signed in', async () => {
  const headers = { 'x-key': 'k' };
  const servers = {
    tickets: { url, auth: 'oauth' as const },
    plain: { url, headers },
    local: { command: ['server'], auth: 'oauth' as const },
  };
  const { tickets, plain, local } = await withSecrets(servers, { env: {}, oauth: await signedIn() });
  expect(await tickets?.credentials?.headers()).toEqual({ authorization: 'Bearer signed-in' });
  expect(await plain?.credentials?.headers()).toEqual(headers);
  expect(local?.credentials).toBeUndefined();
  const nowhere = await withSecrets({ tickets: { ...servers.tickets, headers } }, { env: {} });
  expect(await nowhere.tickets?.credentials?.headers()).toEqual(headers);
});

it('[T1] the gateway forwards the refusal of an upstream without status 401 and challenge, so that no client signs in', async () => {
  const upstream = await startUpstream(({ body }, response) => {
    const { id } = JSON.parse(body) as { id?: unknown };
    response.writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Bearer realm="x"' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32001, message: 'who are you?' } }));
  });
  const gateway = await startGateway({ servers: { tickets: { url: upstream.url } } });
  const post = (message: object) =>
    fetch(gateway.url('tickets'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const refused = await post({ id: 1, method: 'initialize', params: {} });
  expect(refused.status).toBe(200);
  expect(refused.headers.get('www-authenticate')).toBeNull();
  expect(await refused.json()).toMatchObject({ error: { code: -32001, message: 'who are you?' } });
  expect((await post({ method: 'notifications/initialized' })).status).toBe(502);
});
