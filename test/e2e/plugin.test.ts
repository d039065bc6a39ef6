import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claudeCommand, runClaudeCodeAsUser } from '../support/agents.ts';
import { bashEvent, TEST_RUN } from '../support/hook-events.ts';
import { anthropicDialect } from '../support/scripted-model/anthropic.ts';
import { startScriptedModel, type Turn } from '../support/scripted-model.ts';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';
import { PATIENT, secateurProgram } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the Claude Code plugin', () => {
  it('[A20] the plugin has the version of the package', () => {
    const versionIn = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')).version;
    expect(versionIn('plugin/.claude-plugin/plugin.json')).toBe(versionIn('package.json'));
  });

  it('[A12] [A20] the hook script of the plugin finds the program in the plugin folder, and prints "no change" if the program is missing', async () => {
    const launch = async (script: string) => {
      const run = promisify(execFile)('sh', [script, 'claude-code'], {
        env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: temporaryFolder(), ...PATIENT },
      });
      run.child.stdin?.end(JSON.stringify(bashEvent(TEST_RUN)));
      return (await run).stdout;
    };
    expect(await launch(join(root, 'plugin/hook.sh'))).toContain('not ok 301');
    const alone = join(temporaryFolder(), 'hook.sh');
    writeFileSync(alone, readFileSync(join(root, 'plugin/hook.sh')));
    expect(await launch(alone)).toBe('{}');
  });

  it('[A12] [A20] every hook of the plugin prints "no change" if its files or Node are missing', async () => {
    const { hooks } = JSON.parse(readFileSync(join(root, 'plugin/hooks/hooks.json'), 'utf8'));
    const commands = Object.values<{ hooks: { command: string }[] }[]>(hooks).flatMap((groups) =>
      groups.flatMap((group) => group.hooks.map(({ command }) => command)),
    );
    expect(commands.length).toBeGreaterThanOrEqual(4);
    for (const command of commands) {
      const env = { PATH: '/usr/bin:/bin', CLAUDE_PLUGIN_ROOT: '/nowhere', HOME: temporaryFolder() };
      const run = promisify(execFile)('/bin/sh', ['-c', command], { env });
      run.child.stdin?.on('error', () => {}).end('{}');
      expect((await run).stdout).toBe('{}\n');
    }
  });

  it('[A20] the start script of the plugin runs the program of its repository, and prints "no change" if the program is missing', async () => {
    const launch = (script: string) => {
      const child = promisify(execFile)(process.execPath, [script, 'hook', 'claude-code'], {
        env: { SECATEUR_DATA_DIR: temporaryFolder(), ...PATIENT },
      });
      child.child.stdin?.end(JSON.stringify(bashEvent(TEST_RUN)));
      return child;
    };
    expect((await launch(join(root, 'plugin/launch.mjs'))).stdout).toContain('not ok 301');
    const alone = join(temporaryFolder(), 'launch.mjs');
    writeFileSync(alone, readFileSync(join(root, 'plugin/launch.mjs')));
    const { stdout } = await launch(alone);
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: expect.stringContaining('secateur is not installed: npm install && npm link'),
    });
  });
});

describeWith(['claude code'], 'Claude Code with the plugin', () => {
  it('[A14] [A20] [A22] Claude Code installs the plugin; doctor finds it, and lines are recovered with default permissions', {
    timeout: 150_000,
  }, async () => {
    const home = mkdtempSync(join(tmpdir(), 'secateur-plugin-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
    for (const args of [
      ['validate', root],
      ['validate', join(root, 'plugin')],
      ['marketplace', 'add', root],
      ['install', 'secateur@secateur'],
    ]) {
      const done = await claudeCommand(home, ['plugin', ...args]);
      expect(done.exitCode, args.join(' ') + done.stdout + done.stderr).toBe(0);
    }
    mkdirSync(join(home, 'bin'));
    symlinkSync(secateurProgram, join(home, 'bin/secateur'));
    writeFileSync(join(home, 'test-run.log'), TEST_RUN);
    const model = await startScriptedModel(anthropicDialect, ({ toolResults: [cut = '', back] }) => {
      if (back !== undefined) return { kind: 'say', text: 'done' };
      if (cut === '') return { kind: 'call', tool: 'Bash', args: { command: 'cat test-run.log' } };
      const ranges = [{ start_line: 150, end_line: 150 }];
      const args = { prune_id: /prn_[0-9A-Z]+/.exec(cut)?.[0], ranges, include_line_numbers: false };
      return { kind: 'call', tool: 'mcp__plugin_secateur_secateur__recover_text', args };
    });
    onTestFinished(() => model.close());
    const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}`, SECATEUR_HOOK_TIMEOUT_MS: '9000' };
    const doctor = await secateur(['doctor', 'claude-code'], { dataDir: home, env });
    expect(doctor.stdout).toContain('Claude Code: hooks of the plugin');
    expect(doctor.stdout).toMatch(/\d+ tokens of a test run reach the agent as \d+/);
    const prompt = 'Why does the retry test fail?';
    const connected = await secateur(['connect', 'claude-code', '--write', '--gateway-port', '1'], {
      dataDir: home,
      env,
    });
    expect(connected.stdout).toContain('The plugin of secateur brings hooks and recover_text.');
    const outcome = await runClaudeCodeAsUser({ home, model, prompt, cwd: home, env }, { allowed: [] });
    const [cut, recovered] = (model.turns.at(-1) as Turn).toolResults;
    expect(cut, outcome.stdout + outcome.stderr).toMatch(/^✂ prn_/);
    expect(cut).toContain('not ok 301');
    expect(recovered).toContain(TEST_RUN.split('\n')[149]);
    const tools = /"tools":\[[^\]]*\]/.exec(outcome.stdout)?.[0] ?? '';
    expect(tools.match(/mcp__[a-z_]+/g)).toEqual(['mcp__plugin_secateur_secateur__recover_text']);
  });
});
