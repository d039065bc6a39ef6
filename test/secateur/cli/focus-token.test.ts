import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { programs } from '../../../packages/secateur/src/cli/programs.ts';
import { runProgram } from '../../../packages/serving/src/commands/main.ts';
import { printed, temporaryFolder } from '../../support/secateur-cli.ts';

/** `secateur up` in this process, as a system of this kind would start it. */
async function upOn(platform: NodeJS.Platform, dataDir: string, env: Record<string, string> = {}) {
  const stop = new AbortController();
  const output = new PassThrough();
  const ended = runProgram(programs.secateur, {
    argv: ['up', '--pruner-port', '0', '--focus-port', '0', '--gateway-port', '0'],
    origin: { env: { SECATEUR_DATA_DIR: dataDir, ...env }, cwd: dataDir, platform, homeDir: dataDir },
    streams: { input: new PassThrough(), output, errors: new PassThrough() },
    interrupted: () => stop.signal,
    self: [],
  });
  const close = async () => {
    stop.abort();
    await ended;
  };
  onTestFinished(close);
  const said = await printed(output, /secateur status/);
  return { said, url: /focus +(http:\S+)\/mcp/.exec(said)?.[1] ?? '', close };
}

async function statusOf(url: string, token?: string): Promise<number> {
  const authorization: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const params = { name: 'bash', arguments: { cmd: 'echo ran' } };
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  await answer.text();
  return answer.status;
}

it.each(['darwin', 'win32'] as const)(
  '[X8] the focus tools of `up` on %s require the token in the data directory; the health check does not',
  async (platform) => {
    const dataDir = join(temporaryFolder(), 'data of mine');
    const { url, said, close } = await upOn(platform, join(dataDir, '..'), { SECATEUR_DATA_DIR: dataDir });
    const path = join(dataDir, 'focus-token');
    const token = readFileSync(path, 'utf8').trim();
    expect(token).toMatch(/^[\da-f]{64}$/);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await statusOf(url)).toBe(403);
    expect(await statusOf(url, 'guessed')).toBe(403);
    expect(await statusOf(url, token)).toBe(200);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(said).toContain(`${url}/mcp --header "Authorization: Bearer $(cat '${path}')"`);
    expect(said).not.toContain(token);
    await close();
    // The token is still valid after a restart.
    expect(await statusOf((await upOn(platform, dataDir)).url, token)).toBe(200);
  },
);

it('[X8] up writes no focus-token if the kernel or a bearer token identifies the caller', async () => {
  const dataDir = temporaryFolder();
  expect(await statusOf((await upOn('linux', dataDir)).url)).toBe(200);
  const other = temporaryFolder();
  const { url } = await upOn('darwin', other, { SECATEUR_BEARER_TOKEN: 'sesame' });
  expect([await statusOf(url), await statusOf(url, 'sesame')]).toEqual([401, 200]);
  for (const folder of [dataDir, other]) expect(existsSync(join(folder, 'focus-token'))).toBe(false);
});
