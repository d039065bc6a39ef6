import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hooksFileOf, withHooks } from '../../packages/secateur/src/cli/connect/hooks-file.ts';
import { codexHooks, codexProvider, runCodexAsUser } from '../support/agents.ts';
import { TEST_RUN } from '../support/hook-events.ts';
import { responsesDialect } from '../support/scripted-model/responses.ts';
import { startScriptedModel, type Turn } from '../support/scripted-model.ts';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

describe.each(['claude-code', 'codex', 'copilot-cli', 'opencode'])('secateur doctor %s', (client) => {
  it('[A22] doctor reports that hooks are not connected, and after connect it reports what the agent would see', async () => {
    const dataDir = temporaryFolder();
    expect(await secateur(['doctor', client], { dataDir })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`secateur connect ${client} --write`),
    });
    await secateur(['connect', client, '--only', 'hooks', '--write'], { dataDir });
    const { code, stdout } = await secateur(['doctor', client], { dataDir });
    // Codex skips hooks that its user has not trusted yet.
    expect(code, stdout).toBe(client === 'codex' ? 1 : 0);
    expect(stdout).toContain(': hooks in ');
    expect(stdout).toContain('Error: expected a delay of 200 ms, got 100 ms');
    expect(stdout).toMatch(/\d+ tokens of a test run reach the agent as \d+/);
    expect(stdout).not.toContain('the watering can of floor 50 is full');
  });

  it('[A22] stats does not count the sample that doctor sends through the hook', async () => {
    const dataDir = temporaryFolder();
    await secateur(['connect', client, '--only', 'hooks', '--write'], { dataDir });
    const { stdout } = await secateur(['doctor', client], { dataDir });
    expect(stdout).toMatch(/prn_[0-9A-Z]+/);
    expect((await secateur(['stats'], { dataDir })).stdout).toContain('Nothing pruned yet');
  });

  it('[A12] doctor updates hooks of the previous version and hooks whose program has moved', async () => {
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

  it('[A22] doctor reports why an output would be returned unchanged', async () => {
    const dataDir = temporaryFolder();
    await secateur(['connect', client, '--only', 'hooks', '--write'], { dataDir });
    const env = { SECATEUR_DATA_DIR: '/proc/nowhere', HOME: dataDir };
    const { code, stdout } = await secateur(['doctor', client], { env, cwd: dataDir });
    expect(code).toBe(1);
    expect(stdout).toContain('store_unavailable');
  });

  it('[A12] doctor updates config entries that point to a moved program, as `connect --write` does', async () => {
    const dataDir = temporaryFolder();
    await secateur(['connect', client, '--write'], { dataDir });
    for (const renew of [
      ['doctor', client],
      ['connect', client, '--write'],
    ]) {
      const files = FILES[client as keyof typeof FILES].map((path) => join(dataDir, path));
      const old = files.map((path) => readFileSync(path, 'utf8'));
      for (const [at, path] of files.entries())
        writeFileSync(path, (old[at] ?? '').replaceAll(PROGRAM, '/gone/secateur.js'));
      const { stdout } = await secateur(renew, { dataDir });
      for (const path of files) expect(readFileSync(path, 'utf8'), stdout).not.toContain('/gone/');
    }
  });

  it('[A14] doctor makes headlines mention the recovery command if the user removed the server with recover_text', async () => {
    const dataDir = temporaryFolder();
    await secateur(['connect', client, '--write'], { dataDir });
    const [hooks = '', servers = ''] = FILES[client as keyof typeof FILES];
    writeFileSync(join(dataDir, servers), '');
    expect((await secateur(['doctor', client], { dataDir })).stdout).toContain('Hooks: renewed');
    expect(readFileSync(join(dataDir, hooks), 'utf8')).toContain('SECATEUR_HOOK_RECOVER_TOOL=false sh ');
  });
});

/** The absolute path of the program under test, in the entries that connect writes. */
const PROGRAM = /[^"'\s]*dist\/main\/secateur\.js/g;

const FILES = {
  'claude-code': ['.claude/settings.json', '.claude.json'],
  codex: ['.codex/hooks.json', '.codex/config.toml', '.codex/rules/secateur.rules'],
  'copilot-cli': ['.copilot/hooks/secateur.json', '.copilot/mcp-config.json'],
  opencode: ['.config/opencode/plugins/secateur.js', '.config/opencode/opencode.json'],
} as const;

describeWith(['codex'], 'secateur doctor codex and the real Codex', () => {
  it('[A22] doctor marks hooks with ✗ until they are trusted; then Codex runs them without a flag', {
    timeout: 120_000,
  }, async () => {
    const home = temporaryFolder();
    const model = await startScriptedModel(responsesDialect, ({ toolResults }) =>
      toolResults.length === 0
        ? { kind: 'call', tool: 'exec_command', args: { cmd: 'cat test-run.log' } }
        : { kind: 'say', text: 'done' },
    );
    onTestFinished(() => model.close());
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, 'test-run.log'), TEST_RUN);
    const config = join(home, '.codex/config.toml');
    writeFileSync(config, codexProvider(model));
    await secateur(['connect', 'codex', '--write'], { dataDir: home });
    const before = await secateur(['doctor', 'codex'], { dataDir: home });
    expect(before.stdout).toContain(
      '✗ Trust: Codex skips the hooks for SessionStart, PreToolUse, PostToolUse',
    );
    const env = { SECATEUR_HOOK_TIMEOUT_MS: '9000', SECATEUR_DATA_DIR: home };
    const run = { home, model, prompt: 'Why does the retry test fail?', cwd: home, env };
    writeFileSync(config, readFileSync(config, 'utf8') + (await trustedState(home)));
    expect((await secateur(['doctor', 'codex'], { dataDir: home })).stdout).toContain('✓ Trust');
    const outcome = await runCodexAsUser(run, { hookTrust: [] });
    expect((model.turns.at(-1) as Turn).toolResults[0], outcome.stderr).toMatch(/prn_[0-9A-Z]+/);
  });
});

/** Returns what `/hooks` in Codex adds to its settings when its user trusts the hooks. */
async function trustedState(home: string): Promise<string> {
  const hooks = await codexHooks(home);
  expect(hooks).toHaveLength(3);
  const states = hooks.map(
    ({ key, currentHash }) => `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`,
  );
  return states.join('');
}
