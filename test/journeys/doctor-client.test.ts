import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hooksFileOf, withHooks } from '../../src/cli/connect/hooks-file.ts';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';

describe.each(['claude-code', 'codex', 'copilot-cli', 'opencode'])('secateur doctor %s', (client) => {
  it('[A22] says that nothing is connected, then what the agent would see', async () => {
    const dataDir = temporaryFolder();
    expect(await secateur(['doctor', client], { dataDir })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`secateur connect ${client} --write`),
    });
    await secateur(['connect', client, '--only', 'hooks', '--write'], { dataDir });
    const { code, stdout } = await secateur(['doctor', client], { dataDir });
    expect(code, stdout).toBe(0);
    expect(stdout).toContain(': hooks in ');
    expect(stdout).toContain('Error: expected a delay of 200 ms, got 100 ms');
    expect(stdout).toMatch(/\d+ tokens of a test run reach the agent as \d+/);
    expect(stdout).not.toContain('the watering can of floor 50 is full');
  });

  it('[A12] renews hooks of the version before, and hooks whose program has moved', async () => {
    const dataDir = temporaryFolder();
    const file = hooksFileOf(client, { env: {}, cwd: dataDir, platform: 'linux', homeDir: dataDir });
    if (file === undefined) throw new Error('no hooks');
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(file.path, withHooks('', file, `secateur hook ${client}`));
    expect((await secateur(['doctor', client], { dataDir })).stdout).toContain('Hooks: renewed');
    const script = join(
      file.client.installation.folder({ env: {}, cwd: '', platform: 'linux', homeDir: dataDir }),
      'secateur/hook.sh',
    );
    expect(readFileSync(file.path, 'utf8')).toContain(`sh '${script}' ${client} || echo {}`);
    const renewed = readFileSync(script, 'utf8');
    expect((await secateur(['doctor', client], { dataDir })).stdout).not.toContain('renewed');
    writeFileSync(script, renewed.replaceAll(secateurProgram, '/nowhere/secateur.js'));
    expect((await secateur(['doctor', client], { dataDir })).stdout).toContain('Hooks: renewed');
    expect(readFileSync(script, 'utf8')).toBe(renewed);
  });

  it('[A22] says why an output would pass whole', async () => {
    const dataDir = temporaryFolder();
    await secateur(['connect', client, '--only', 'hooks', '--write'], { dataDir });
    const env = { SECATEUR_DATA_DIR: '/proc/nowhere', HOME: dataDir };
    const { code, stdout } = await secateur(['doctor', client], { env, cwd: dataDir });
    expect(code).toBe(1);
    expect(stdout).toContain('store_unavailable');
  });
});
