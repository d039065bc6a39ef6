import { describe, expect, it } from 'vitest';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';

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

  it('[A22] says why an output would pass whole', async () => {
    const dataDir = temporaryFolder();
    await secateur(['connect', client, '--only', 'hooks', '--write'], { dataDir });
    const env = { SECATEUR_DATA_DIR: '/proc/nowhere', HOME: dataDir };
    const { code, stdout } = await secateur(['doctor', client], { env, cwd: dataDir });
    expect(code).toBe(1);
    expect(stdout).toContain('store_unavailable');
  });
});
