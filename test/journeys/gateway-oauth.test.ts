import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { browse, type OAuthServer, startOAuthServer } from '../support/oauth-server.ts';
import { printed, secateur, spawnSecateur, temporaryFolder } from '../support/secateur-cli.ts';
import { startSecateur } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

interface Answer {
  readonly result?: { content: { text: string }[] };
  readonly error?: { code: number; data: Record<string, string> };
}

async function callTool(url: string, token?: string): Promise<Answer> {
  const response = await fetch(`${url}/api/mcp-gateway/tickets/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami' } }),
  });
  return (await response.json()) as Answer;
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
  const args = ['gateway', 'login', 'tickets', ...(user === undefined ? [] : ['--user', user])];
  const login = spawnSecateur(args, { dataDir });
  const ended = new Promise<number | null>((resolve) => login.once('close', resolve));
  const shown = await printed(login.stdout, /http:\S+/);
  expect(await browse(/http:\S+/.exec(shown)?.[0] ?? '')).toBe(200);
  expect(await ended).toBe(0);
}

function signIns(
  dataDir: string,
): { path: string; tokens: { refresh_token: string }; client: { client_id: string } }[] {
  const folder = join(dataDir, 'sign-ins');
  return readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return { path, ...JSON.parse(readFileSync(path, 'utf8')) };
  });
}

describeWith(['oidc-provider'], 'servers behind OAuth', () => {
  it('[T1] [T2] sign-in, refresh without the user, restart, and a refused refresh names the command', async () => {
    // Shorter than the time before its end at which a token is renewed: every call needs a refresh.
    const oauth = await startOAuthServer(20);
    const dataDir = projectBefore(oauth);
    const start = () => startSecateur(['gateway'], { cwd: dataDir, env: { SECATEUR_DATA_DIR: dataDir } });
    let gateway = await start();
    const before = await callTool(gateway.url);
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
    for (const secret of [renewed?.tokens.refresh_token ?? '-', first?.tokens.refresh_token ?? '-']) {
      expect(servers + gateway.said() + JSON.stringify(refused)).not.toContain(secret);
    }
    await gateway.stop();
    expect((await secateur(['gateway', 'logout', 'tickets'], { dataDir })).stdout).toContain('tickets');
  });

  it('[T1] [T6] two users of one gateway each call in their own name', async () => {
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
