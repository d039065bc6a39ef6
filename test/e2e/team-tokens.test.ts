import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';
import { startSecateur } from '../support/secateur-process.ts';

const TEXT = Array.from(
  { length: 200 },
  (_, at) => `line ${at + 1}: ${at === 120 ? 'the needle' : 'hay and straw'}`,
).join('\n');

const OPTIONS = {
  max_prune_ratio: 0.9,
  min_keep_lines: 1,
  timeout_ms: 5000,
  annotate_lines: false,
  include_markers: true,
};

async function callTool(url: string, token: string, params: unknown) {
  const response = await fetch(`${url}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const answer = (await response.json()) as {
    result?: { content: { text: string }[] };
    error?: { code: number };
  };
  return { status: response.status, error: answer.error, text: answer.result?.content[0]?.text ?? '' };
}

it('[T4] [T6] [T14] a prune id of one user does not exist for another user of the server', async () => {
  const dataDir = temporaryFolder();
  const add = async (name: string) => (await secateur(['token', 'add', name], { dataDir })).stdout.trim();
  const [alice, bob] = [await add('alice'), await add('bob')];
  expect((await secateur(['token', 'add', 'bob'], { dataDir })).stderr).toContain(
    'there is a token named bob already',
  );
  const listed = await secateur(['token', 'list', '--json'], { dataDir });
  expect(listed.stdout).toContain('"alice"');
  expect(listed.stdout).not.toMatch(/sct_|sha256/);

  const server = await startSecateur(['pruner', '--store', 'embedded'], {
    env: { SECATEUR_DATA_DIR: dataDir },
  });
  try {
    const cut = await callTool(server.url, alice, {
      name: 'prune_text',
      arguments: { text: TEXT, goal_hint: 'needle', source_type: 'logs', options: OPTIONS },
    });
    const { prune_id } = JSON.parse(cut.text) as { prune_id: string };
    const recovery = {
      name: 'recover_text',
      arguments: { prune_id, ranges: [{ start_line: 1, end_line: 2 }], include_line_numbers: false },
    };
    expect((await callTool(server.url, alice, recovery)).text).toContain('line 1: hay and straw');
    expect((await callTool(server.url, bob, recovery)).error?.code).toBe(-32004);
    expect((await callTool(server.url, 'sct_guess', recovery)).status).toBe(401);

    // The page shows each user only the user's own figures, with the token or with the cookie of a login.
    const pageOf = async (token: string, path: string) => {
      const given = { token };
      const login = { method: 'POST', body: new URLSearchParams(given), redirect: 'manual' } as const;
      const answer = await fetch(`${server.url}/login`, login);
      const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
      const byCookie = await (await fetch(`${server.url}${path}`, { headers: { cookie } })).text();
      const headers = { authorization: `Bearer ${token}` };
      expect(await (await fetch(`${server.url}${path}`, { headers })).text()).toBe(byCookie);
      // A cookie gives no access to tools.
      const asTool = { method: 'POST', headers: { cookie, 'content-type': 'application/json' }, body: '{}' };
      expect((await fetch(`${server.url}/rpc`, asTool)).status).toBe(401);
      return byCookie;
    };
    expect(JSON.parse(await pageOf(alice, '/api/cuts'))).toMatchObject({
      total: 1,
      cuts: [{ user: 'alice' }],
    });
    expect(JSON.parse(await pageOf(bob, '/api/cuts'))).toMatchObject({ total: 0, cuts: [] });
    expect(await pageOf(alice, `/api/cuts/${prune_id}`)).toContain('hay and straw');
    expect(await pageOf(bob, `/api/cuts/${prune_id}`)).toContain('unknown_cut');
    expect(await pageOf(alice, '/api/overview')).toContain('"total":{"calls":1,');
    expect(await pageOf(bob, '/api/overview')).toContain('"total":{"calls":0,');
    const forged = { cookie: 'secateur_page=alice:AAAA' };
    expect((await fetch(`${server.url}/api/cuts`, { headers: forged })).status).toBe(401);
    expect((await fetch(server.url)).status).toBe(401);

    const metricsOf = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${server.url}/metrics`, { headers })).text();
    };
    const [hers, his] = [await metricsOf(alice), await metricsOf(bob)];
    expect(hers).toMatch(/^secateur_user_calls_total\{user="alice",status="2xx"\} 2$/m);
    expect(hers).toMatch(/^secateur_user_tokens_total\{user="alice",stage="after"\} [1-9]/m);
    expect(his).toMatch(/^secateur_user_calls_total\{user="bob"/m);
    // Each user sees only its own figures; the totals are for all users.
    expect([hers.includes('bob'), his.includes('alice')]).toEqual([false, false]);
    expect(hers + his).not.toContain('sct_');

    await secateur(['token', 'revoke', 'alice'], { dataDir });
    // A call in flight when its token is revoked loses its connection.
    const status = () =>
      callTool(server.url, alice, recovery).then(
        (answer) => answer.status,
        () => 0,
      );
    await expect.poll(status).toBe(401);
  } finally {
    await server.stop();
  }
  const ledger = readLedger(dataDir);
  expect(ledger).toContain('"user":"alice"');
  expect(ledger).not.toContain(alice);
});

function readLedger(dataDir: string): string {
  const folder = join(dataDir, 'savings');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}
