import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashToken, newToken, writeTokenFile } from '../../packages/serving/src/wire/token-file.ts';
import { bashEvent, TEST_RUN } from '../support/hook-events.ts';
import { type SecateurProcess, startSecateur } from '../support/secateur-process.ts';
import { PID_SERVER, startSessionUpstream } from '../support/session-upstreams.ts';

interface Reply {
  readonly status: number;
  readonly session: string | null;
  readonly text: string;
}

/** Sends one request in the name of a token. */
async function send(url: string, token: string, options: RequestInit = {}): Promise<Reply> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...options.headers,
  };
  const response = await fetch(url, { ...options, headers });
  const session = response.headers.get('mcp-session-id');
  return { status: response.status, session, text: await response.text() };
}

const rpc = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

const INITIALIZE = rpc('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'two-users', version: '1' },
});

/** A text of one user: the same text cut by two users has one id. */
const textOf = (user: string) =>
  Array.from(
    { length: 200 },
    (_, at) => `${user} ${at + 1}: ${at === 120 ? 'the needle' : 'hay and straw'}`,
  ).join('\n');

const TOOL = rpc('tools/call', { name: 'whoami', arguments: {} });

const cutCall = (user: string) =>
  rpc('tools/call', {
    name: 'prune_text',
    arguments: {
      ...{ text: textOf(user), goal_hint: 'needle', source_type: 'logs' },
      options: {
        ...{ max_prune_ratio: 0.9, min_keep_lines: 1, timeout_ms: 20_000 },
        ...{ annotate_lines: false, include_markers: true },
      },
    },
  });

const recoverCall = (pruneId: string, name = 'recover_text') =>
  rpc('tools/call', {
    name,
    arguments: {
      ...{ prune_id: pruneId, ranges: [{ start_line: 1, end_line: 1 }] },
      include_line_numbers: false,
    },
  });

const pruneIdIn = (text: string) => /prn_[0-9a-z]+/i.exec(text)?.[0] ?? '';

const dataDir = mkdtempSync(join(tmpdir(), 'secateur-'));
let upstream: Awaited<ReturnType<typeof startSessionUpstream>>;
const [alice, bob, carol] = [newToken(), newToken(), newToken()];
let gateway: SecateurProcess;
let pruner: SecateurProcess;
let focus: SecateurProcess;

const start = (name: string) =>
  startSecateur([name], { cwd: dataDir, env: { SECATEUR_DATA_DIR: dataDir, SECATEUR_STORE: 'embedded' } });

beforeAll(async () => {
  upstream = await startSessionUpstream();
  const stdio = join(dataDir, 'server.cjs');
  writeFileSync(stdio, PID_SERVER);
  writeFileSync(
    join(dataDir, 'config.toml'),
    `[mcp_gateway.servers.held]\nurl = "${upstream.url}"\nmax_chars = 1000\nhead_chars = 100\ntail_chars = 100\n` +
      `[mcp_gateway.servers.child]\ncommand = ["${process.execPath}", "${stdio}"]\n`,
  );
  const grant = (name: string, token: string) => ({ name, sha256: hashToken(token) });
  const grants = [grant('alice', alice), grant('bob', bob), { ...grant('carol', carol), callsPerMinute: 1 }];
  await writeTokenFile(join(dataDir, 'tokens.json'), grants);
  [gateway, pruner, focus] = await Promise.all([start('gateway'), start('pruner'), start('focus')]);
}, 60_000);

afterAll(async () => {
  upstream?.close();
  await Promise.all([gateway, pruner, focus].map((each) => each?.stop()));
  rmSync(dataDir, { recursive: true, force: true });
});

const through = (server: string) => `${gateway.url}/api/mcp-gateway/${server}/rpc`;

/** By path of a route, the test that two users of the route are separated. Contains every route of every server. */
const ENTRY_POINTS: Readonly<Record<string, () => Promise<void>>> = {
  '/api/mcp-gateway/:server/mcp': async () => {
    const session = await send(through('held').replace(/rpc$/, 'mcp'), alice, {
      method: 'POST',
      body: INITIALIZE,
    });
    const headers = { 'mcp-session-id': session.session ?? '' };
    const other = await send(through('held').replace(/rpc$/, 'mcp'), bob, {
      method: 'POST',
      headers,
      body: TOOL,
    });
    expect(other.status).toBe(404);
  },
  '/api/mcp-gateway/:server/rpc': async () => {
    // Lent sessions of an HTTP upstream, and processes of a stdio upstream.
    for (const server of ['held', 'child']) {
      const call = async (token: string) =>
        /in upstream-\d+|pid \d+/.exec(
          (await send(through(server), token, { method: 'POST', body: TOOL })).text,
        )?.[0];
      const [hers, his] = [await call(alice), await call(bob)];
      expect([hers, his]).toEqual([expect.any(String), expect.any(String)]);
      expect(his).not.toBe(hers);
      expect([await call(alice), await call(bob)]).toEqual([hers, his]);
      // Session ids.
      const { session } = await send(through(server), alice, { method: 'POST', body: INITIALIZE });
      const headers = { 'mcp-session-id': session ?? '' };
      const inSession = (token: string, method = 'POST') =>
        send(through(server), token, { method, headers, ...(method === 'POST' && { body: TOOL }) });
      expect((await inSession(alice)).status).toBe(200);
      expect(await inSession(bob)).toMatchObject({ status: 404, text: expect.stringContaining('-32001') });
      expect((await inSession(bob, 'GET')).status).toBe(404);
      expect((await inSession(bob, 'DELETE')).status).toBe(404);
      const raw = { 'mcp-session-id': (session ?? '').replace(/\.[^.]*$/, '') };
      expect((await send(through(server), bob, { method: 'POST', body: TOOL, headers: raw })).status).toBe(
        404,
      );
      expect((await inSession(alice)).status).toBe(200);
    }
    await send(through('held'), alice, { method: 'POST', body: rpc('tools/list') });
    const { text } = await send(through('held'), alice, { method: 'POST', body: TOOL });
    await recoverableBy(alice, pruneIdIn(text), through('held'));
  },
  '/api/mcp-gateway/servers': async () => {
    const { text } = await send(`${gateway.url}/api/mcp-gateway/servers`, bob);
    expect(text).not.toMatch(/alice|upstream-\d/);
  },
  '/rpc': () => cutOverRpc(`${pruner.url}/rpc`),
  '/mcp': async () => {
    await cutOverRpc(`${pruner.url}/mcp`);
    const { session } = await send(`${focus.url}/mcp`, alice, { method: 'POST', body: INITIALIZE });
    await cancelsNothingOf(`${focus.url}/mcp`, session ?? '');
  },
  '/prune': async () => {
    const input = textOf('prune route');
    const asked = { request_id: 'r', tool: 'bash', focus_question: 'where is the needle?' };
    const body = JSON.stringify({ ...asked, input, input_bytes: Buffer.byteLength(input) });
    const { text } = await send(`${pruner.url}/prune`, alice, { method: 'POST', body });
    await recoverableBy(alice, pruneIdIn(text), `${pruner.url}/rpc`);
  },
  '/hooks/:client': async () => {
    const body = JSON.stringify(bashEvent(TEST_RUN));
    const { text } = await send(`${pruner.url}/hooks/claude-code`, alice, { method: 'POST', body });
    await recoverableBy(alice, pruneIdIn(text), `${pruner.url}/rpc`);
  },
  '/api/cuts': async () => {
    expect((await send(`${pruner.url}/api/cuts`, bob)).text).not.toContain('alice');
    expect((await send(`${pruner.url}/api/cuts`, alice)).text).not.toContain('"bob"');
  },
  '/api/cuts/:id': async () => {
    const { text } = await send(`${pruner.url}/rpc`, alice, { method: 'POST', body: cutCall('alice') });
    const path = `${pruner.url}/api/cuts/${pruneIdIn(text)}`;
    expect((await send(path, alice)).status).toBe(200);
    expect((await send(path, bob)).status).toBe(404);
  },
  '/api/overview': async () => {
    const calls = async (token: string) =>
      /"total":\{"calls":(\d+)/.exec((await send(`${pruner.url}/api/overview`, token)).text)?.[1];
    const before = await calls(bob);
    await send(`${pruner.url}/rpc`, alice, { method: 'POST', body: cutCall('alice') });
    expect(await calls(bob)).toBe(before);
  },
  '/metrics': async () => {
    for (const { url } of [pruner, gateway, focus]) {
      const [hers, his] = [await send(`${url}/metrics`, alice), await send(`${url}/metrics`, bob)];
      expect([hers.text.includes('bob'), his.text.includes('alice')]).toEqual([false, false]);
    }
  },
  '/api/events': async () => {
    const events = await fetch(`${pruner.url}/api/events`, { headers: { authorization: `Bearer ${bob}` } });
    const reader = events.body?.getReader();
    const first = Buffer.from((await reader?.read())?.value ?? []).toString();
    await reader?.cancel();
    expect(first).toBe('retry: 2000\n\n');
  },
  // These routes are equal for every user: they hold no user data.
  ...Object.fromEntries(
    ['/', '/login', '/assets/:file', '/health', '/healthz'].map((path) => [path, async () => {}]),
  ),
};

/** Expects that the owner can recover a text, and that it does not exist for the other user at any server. */
async function recoverableBy(owner: string, pruneId: string, url: string): Promise<void> {
  expect(pruneId).toMatch(/^prn_/);
  const recover = (token: string, at: string) =>
    send(at, token, { method: 'POST', body: recoverCall(pruneId) });
  expect((await recover(owner, url)).text).toContain('raw_text');
  const other = owner === alice ? bob : alice;
  for (const at of [`${pruner.url}/rpc`, `${pruner.url}/mcp`, through('held')])
    expect((await recover(other, at)).text).toMatch(/prune_id_not_found/);
}

async function cutOverRpc(url: string): Promise<void> {
  for (const owner of [alice, bob]) {
    const { text } = await send(url, owner, { method: 'POST', body: cutCall(`${url} ${owner}`) });
    await recoverableBy(owner, pruneIdIn(text), url);
  }
  const { session } = await send(url, alice, { method: 'POST', body: INITIALIZE });
  await cancelsNothingOf(url, session ?? '');
}

/** Expects that a cancellation by Bob with Alice's session id does not end Alice's call. */
async function cancelsNothingOf(url: string, session: string): Promise<void> {
  const headers = { 'mcp-session-id': session };
  const body = rpc('tools/list');
  const cancelled = JSON.stringify({
    ...{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  });
  const hers = send(url, alice, { method: 'POST', headers, body });
  const his = send(url, bob, { method: 'POST', headers, body: cancelled });
  expect([(await hers).text.includes('"tools"'), (await his).status]).toEqual([true, 202]);
}

it('[T19] every route of every server has a test with two users', () => {
  expect(Object.keys(ENTRY_POINTS).sort()).toEqual(routesInSource().sort());
});

it('[T19] no route returns data of another user', async () => {
  for (const [path, keptApart] of Object.entries(ENTRY_POINTS)) {
    await keptApart().catch((error: unknown) => {
      throw new Error(`${path}: ${error instanceof Error ? error.message : error}`, { cause: error });
    });
  }
}, 120_000);

it('[T19] a session id works after a restart of the gateway only for its user', async () => {
  const { session } = await send(through('held'), alice, { method: 'POST', body: INITIALIZE });
  await gateway.stop();
  gateway = await start('gateway');
  const headers = { 'mcp-session-id': session ?? '' };
  const inSession = (token: string) => send(through('held'), token, { method: 'POST', headers, body: TOOL });
  expect([(await inSession(alice)).status, (await inSession(bob)).status]).toEqual([200, 404]);
});

it('[T19] [T7] calls of one user do not use up the limits of another', async () => {
  const ping = (token: string) => send(`${pruner.url}/rpc`, token, { method: 'POST', body: rpc('ping') });
  await expect.poll(async () => (await ping(carol)).status, { timeout: 10_000 }).toBe(429);
  expect((await ping(bob)).status).toBe(200);
});

it('[T19] [T14] ledger entries contain the name of the user, and never contain a token', () => {
  const folder = join(dataDir, 'savings');
  const ledger = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
  expect(ledger).toContain('"user":"alice"');
  expect([ledger.includes(alice), ledger.includes(bob)]).toEqual([false, false]);
});

/** The paths of all HTTP routes, as the source declares them. */
function routesInSource(): string[] {
  const source = fileURLToPath(new URL('../../packages/secateur/src/', import.meta.url));
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /^(servers|cli)\//.test(name) && name.endsWith('.ts') && !name.startsWith('cli/doctor/'),
  );
  const paths = files.flatMap((name) => {
    const text = readFileSync(join(source, name), 'utf8');
    const declared = [...text.matchAll(/(?:\bpath: |\bdata\()['`](\/[^'`]*)['`]/g)].map(
      ([, path = '']) => path,
    );
    const listed = [...text.matchAll(/_RPC_PATHS = \[([^\]]+)\]/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/'([^']+)'/g)].map(([, path = '']) => path),
    );
    return [...declared, ...listed].map((path) => path.replace(/\$\{[^}]+\}/g, ':client'));
  });
  return [...new Set(paths)];
}
