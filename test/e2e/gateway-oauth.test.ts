import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { browse, enterDeviceCode, type OAuthServer, startOAuthServer } from '../support/oauth-server.ts';
import { printed, secateur, spawnSecateur, temporaryFolder } from '../support/secateur-cli.ts';
import { startSecateur } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

interface Answer {
  readonly status: number;
  readonly result?: { content: { text: string }[] };
  readonly error?: { code: number; data: Record<string, string> };
}

async function callTool(url: string, token?: string): Promise<Answer> {
  const response = await fetch(`${url}/api/mcp-gateway/tickets/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami' } }),
  });
  return { ...((await response.json()) as Answer), status: response.status };
}

/** A data directory whose config.toml names the server that demands a sign-in. */
function projectBefore({ mcpUrl }: OAuthServer): string {
  const dataDir = temporaryFolder();
  writeFileSync(
    join(dataDir, 'config.toml'),
    `[mcp_gateway.servers.tickets]\nurl = "${mcpUrl}"\nauth = "oauth"\n`,
  );
  return dataDir;
}

async function signIn(oauth: OAuthServer, dataDir: string, user?: string): Promise<void> {
  oauth.user = user ?? 'somebody';
  const { address, ended } = await login(dataDir, user === undefined ? [] : ['--user', user]);
  expect(await browse(address)).toBe(200);
  // Standard error must not contain warnings of libraries.
  expect(await ended).toEqual({ code: 0, stderr: '' });
}

/** Starts `secateur gateway login`, up to the address it shows. It names the file with the server [X22]. */
async function login(dataDir: string, args: readonly string[]) {
  const child = spawnSecateur(['gateway', 'login', 'tickets', ...args], { dataDir });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) => {
    const own = `settings: ${join(dataDir, 'config.toml')}\n`;
    child.once('close', (code) => resolve({ code, stderr: stderr.replace(own, '') }));
  });
  const shown = await printed(child.stdout, /http:\S+\s/);
  return { address: /http:\S+/.exec(shown)?.[0] ?? '', ended };
}

interface KeptSignIn {
  readonly path: string;
  readonly tokens: { access_token: string; refresh_token: string };
  readonly client: { client_id: string };
}

function signIns(dataDir: string): KeptSignIn[] {
  const folder = join(dataDir, 'sign-ins');
  return readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return { path, ...JSON.parse(readFileSync(path, 'utf8')) };
  });
}

describeWith(['oidc-provider'], 'servers behind OAuth', () => {
  it('[T1] [T2] gateway login signs in; the gateway refreshes the token, works after a restart, and reports a refused refresh', async () => {
    // The token expires so soon that every call refreshes it.
    const oauth = await startOAuthServer(20);
    const dataDir = projectBefore(oauth);
    const start = () => startSecateur(['gateway'], { cwd: dataDir, env: { SECATEUR_DATA_DIR: dataDir } });
    let gateway = await start();
    const before = await callTool(gateway.url);
    // The status is 200, because a client that gets 401 would sign in to the gateway instead of the upstream.
    expect(before.status).toBe(200);
    expect(before.error).toMatchObject({ code: -31009, data: { command: 'secateur gateway login tickets' } });

    await signIn(oauth, dataDir);
    const [first] = signIns(dataDir);
    expect(statSync(first?.path ?? '').mode & 0o777).toBe(0o600);
    expect((await callTool(gateway.url)).result?.content[0]?.text).toBe('somebody');
    expect((await secateur(['gateway', 'list', '--json'], { dataDir })).stdout).toContain(
      '"signed_in":"signed in"',
    );

    await gateway.stop();
    gateway = await start();
    expect((await callTool(gateway.url)).result?.content[0]?.text).toBe('somebody');
    const [renewed] = signIns(dataDir);
    await oauth.revoke(renewed?.tokens.refresh_token ?? '', renewed?.client.client_id ?? '');
    const refused = await callTool(gateway.url);
    expect(refused.error).toMatchObject({ code: -31009, data: { code: 'sign_in_required' } });
    const servers = await (await fetch(`${gateway.url}/api/mcp-gateway/servers`)).text();
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    const config = readFileSync(join(dataDir, 'config.toml'), 'utf8');
    const listed = (await secateur(['gateway', 'list', '--json'], { dataDir })).stdout;
    const seen = [servers, metrics, config, listed, gateway.said(), JSON.stringify(refused)].join();
    for (const { tokens } of [first, renewed].filter((each) => each !== undefined)) {
      expect(seen).not.toContain(tokens.refresh_token);
      expect(seen).not.toContain(tokens.access_token);
    }
    await gateway.stop();
    expect((await secateur(['gateway', 'logout', 'tickets'], { dataDir })).stdout).toContain('tickets');
  });

  it('[T1] processes with a common data directory refresh a sign-in once, because each refresh token works once', async () => {
    const oauth = await startOAuthServer(20);
    const dataDir = projectBefore(oauth);
    await signIn(oauth, dataDir);
    const start = () => startSecateur(['gateway'], { cwd: dataDir, env: { SECATEUR_DATA_DIR: dataDir } });
    const gateways = await Promise.all([start(), start()]);
    for (let round = 0; round < 3; round += 1) {
      const calls = gateways.flatMap(({ url }) => Array.from({ length: 4 }, () => callTool(url)));
      const texts = (await Promise.all(calls)).map((answer) => answer.result?.content[0]?.text);
      expect(texts).toEqual(Array(8).fill('somebody'));
    }
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  });

  it('[T1] a call fails as unavailable if the OAuth server does not respond, and the next call works', async () => {
    const oauth = await startOAuthServer(20);
    const dataDir = projectBefore(oauth);
    await signIn(oauth, dataDir);
    const [kept] = signIns(dataDir);
    writeFileSync(kept?.path ?? '', JSON.stringify({ ...kept, expiresAt: 1 }));
    const gateway = await startSecateur(['gateway'], { cwd: dataDir, env: { SECATEUR_DATA_DIR: dataDir } });
    oauth.tokenAnswers.push({ status: 503, json: {} });
    expect((await callTool(gateway.url)).error?.data.code).toBe('upstream_unavailable');
    oauth.tokenAnswers.push({ status: 0, json: {} });
    expect((await callTool(gateway.url)).error?.data.code).toBe('upstream_unavailable');
    expect((await callTool(gateway.url)).result?.content[0]?.text).toBe('somebody');
    await gateway.stop();
  });

  it('[T1] the gateway uses and refreshes a sign-in with a device code like any other sign-in', async () => {
    const oauth = await startOAuthServer(20);
    const dataDir = projectBefore(oauth);
    oauth.user = 'carol';
    const { address, ended } = await login(dataDir, ['--device']);
    await enterDeviceCode(address, 'yes');
    expect(await ended).toEqual({ code: 0, stderr: '' });
    const [first] = signIns(dataDir);
    expect(statSync(first?.path ?? '').mode & 0o777).toBe(0o600);
    const gateway = await startSecateur(['gateway'], { cwd: dataDir, env: { SECATEUR_DATA_DIR: dataDir } });
    expect((await callTool(gateway.url)).result?.content[0]?.text).toBe('carol');
    expect(signIns(dataDir)[0]?.tokens.access_token).not.toBe(first?.tokens.access_token);
    await gateway.stop();
  });

  it('[T1] [T6] two users of one gateway call the server with their own sign-ins', async () => {
    const oauth = await startOAuthServer(3600);
    const dataDir = projectBefore(oauth);
    const token = async (name: string) => (await secateur(['token', 'add', name], { dataDir })).stdout.trim();
    const [alice, bob] = [await token('alice'), await token('bob')];
    await signIn(oauth, dataDir, 'alice');
    const gateway = await startSecateur(['gateway'], { cwd: dataDir, env: { SECATEUR_DATA_DIR: dataDir } });
    expect((await callTool(gateway.url, bob)).error?.data.command).toBe(
      'secateur gateway login tickets --user bob',
    );
    await signIn(oauth, dataDir, 'bob');
    expect((await callTool(gateway.url, alice)).result?.content[0]?.text).toBe('alice');
    expect((await callTool(gateway.url, bob)).result?.content[0]?.text).toBe('bob');
    await gateway.stop();
  });
});
