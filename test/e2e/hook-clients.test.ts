import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  afterTranscript,
  codexProvider,
  opencodeProvider,
  runClaudeCodeAsUser,
  runCodexAsUser,
  runCopilotAsUser,
  runOpencodeAsUser,
} from '../support/agents.ts';
import { SOURCE, TEST_RUN } from '../support/hook-events.ts';
import { anthropicDialect } from '../support/scripted-model/anthropic.ts';
import { responsesDialect } from '../support/scripted-model/responses.ts';
import { type Move, type ScriptedModel, startScriptedModel, type Turn } from '../support/scripted-model.ts';
import { secateur } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

let home: string;
let project: string;
let env: Record<string, string>;
let model: ScriptedModel;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'secateur-hook-clients-'));
  project = join(home, 'project');
  for (const folder of [project, join(home, 'bin')]) mkdirSync(folder);
  symlinkSync(secateurProgram, join(home, 'bin/secateur'));
  writeFileSync(join(project, 'plants.ts'), SOURCE);
  writeFileSync(join(project, 'test-run.log'), TEST_RUN);
  env = { PATH: `${join(home, 'bin')}:${process.env.PATH}`, SECATEUR_HOOK_TIMEOUT_MS: '9000' };
});

afterEach(async () => {
  await model.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

const PROMPT = 'Why does the retry test fail? Look at retryDelay.';
const HIDDEN = TEST_RUN.split('\n')[149] ?? '';
const MARKER = '⟦PRUNÉ: prune_id=prn_7M2Q4K8T3V lignes 36-47 (12) raison=hors focus⟧';

const cli = (...args: string[]) =>
  secateur([...args, '--gateway-port', '1'], { dataDir: home, cwd: project, env: { ...env, HOME: home } });

function recoverLine(results: readonly string[]): Record<string, unknown> {
  const prune_id = /prn_[0-9A-Z]+/.exec(results[0] ?? '')?.[0];
  return { prune_id, ranges: [{ start_line: 150, end_line: 150 }], include_line_numbers: true };
}

describeWith(['claude code', 'an older claude code'], 'Claude Code after secateur connect', (programs) => {
  const steps: ((results: readonly string[]) => Move)[] = [
    () => call('Bash', { command: 'cat test-run.log', description: 'Read the failing test run' }),
    (results) => call('mcp__secateur__recover_text', recoverLine(results)),
    () => call('Read', { file_path: join(project, 'plants.ts') }),
    () =>
      call('Edit', { file_path: join(project, 'plants.ts'), old_string: '100 * 2', new_string: '200 * 2' }),
    () =>
      call('Grep', { pattern: 'pourIntoPot.[1-9]?[0-9],|retryDelay', path: project, output_mode: 'content' }),
    () => call('Write', { file_path: join(project, 'new.ts'), content: `a\n${MARKER}\nb\n` }),
    () => call('Bash', { command: 'head -3 test-run.log; exit 3', description: 'Fail' }),
    (results) =>
      call('Bash', { command: `secateur recover ${/prn_[0-9A-Z]+/.exec(results[0] ?? '')?.[0]} 150` }),
  ];

  it.each(Object.entries(programs))(
    '[A3] [A7] [A8] [A21] %s with hooks reads shortened outputs, recovers, edits, and writes no marker',
    {
      timeout: 120_000,
    },
    async (_, file) => {
      model = await startScriptedModel(anthropicDialect, afterTranscript(home, follow(steps)));
      expect(await cli('connect', 'claude-code', '--write')).toMatchObject({ code: 0 });
      const outcome = await runClaudeCodeAsUser({ home, model, prompt: PROMPT, cwd: project, env }, { file });
      expect(outcome.exitCode, outcome.stdout + outcome.stderr).toBe(0);
      const { toolResults, told } = model.turns.at(-1) as Turn;
      const [bash = '', recovered, read = '', edited, grep = '', written, failed, shell] = toolResults;
      expectCut(bash, TEST_RUN);
      expect(bash).toContain('not ok 301 - retries after a lost connection');
      expect(recovered).toContain(HIDDEN);
      expectCut(read, SOURCE);
      expect(read).toMatch(/\d+│ {3}return 100 \* 2 \*\* attempt;/);
      expect(edited).toContain('updated successfully');
      expect(readFileSync(join(project, 'plants.ts'), 'utf8')).toBe(SOURCE.replace('100 * 2', '200 * 2'));
      // [P51] Search results are returned unchanged.
      expect(grep).toContain('retryDelay');
      expect(grep).not.toMatch(/prn_[0-9A-Z]+/);
      expect(written).toContain('secateur recover prn_7M2Q4K8T3V 36-47');
      expect(existsSync(join(project, 'new.ts'))).toBe(false);
      expect(failed).toContain('Exit code 3');
      expect(shell).toContain(HIDDEN);
      expect(told).toContain('Long tool outputs may come with the lines left out');
      const stats = JSON.parse(
        (await secateur(['stats', '--json'], { dataDir: join(home, '.local/share/secateur') })).stdout,
      );
      expect(stats.bySystem.hook.calls).toBeGreaterThanOrEqual(2);
      expect(await cli('connect', 'claude-code', '--undo')).toMatchObject({ code: 0 });
      expect(existsSync(join(home, '.claude/settings.json'))).toBe(false);
      expect(readFileSync(join(home, '.claude.json'), 'utf8')).not.toContain('secateur"');
    },
  );
});

describeWith(['codex'], 'Codex after secateur connect', () => {
  const steps: ((results: readonly string[]) => Move)[] = [
    () => call('exec_command', { cmd: 'cat test-run.log; exit 3' }),
    (results) => call('mcp__secateur__recover_text', recoverLine(results)),
    () => call('exec_command', { cmd: `cat > new.ts <<'EOF'\n${MARKER}\nEOF` }),
    () => call('exec_command', { cmd: 'head -3 test-run.log' }),
    () => call('exec_command', { cmd: 'cat plants.ts' }),
    () => call('exec_command', { cmd: 'cat plants.ts' }),
  ];

  it('[A4] [A7] [A8] [A14] [A21] Codex with hooks reads shortened outputs with their exit codes, recovers lines, and writes no marker', {
    timeout: 120_000,
  }, async () => {
    model = await startScriptedModel(responsesDialect, follow(steps));
    mkdirSync(join(home, '.codex'));
    const config = codexProvider(model);
    writeFileSync(join(home, '.codex/config.toml'), config);
    expect(await cli('connect', 'codex', '--write')).toMatchObject({ code: 0 });
    const outcome = await runCodexAsUser({ home, model, prompt: PROMPT, cwd: project, env });
    expect(outcome.exitCode, outcome.stdout + outcome.stderr).toBe(0);
    const { toolResults, told } = model.turns.at(-1) as Turn;
    const [bash = '', recovered, refused, short, first, second] = toolResults;
    expect(first).toMatch(/prn_[0-9A-Z]+/);
    expect(second).not.toMatch(/prn_[0-9A-Z]+/);
    expect(bash).toMatch(/^Process exited with code 3\n/);
    expect(bash).toContain('not ok 301 - retries after a lost connection');
    expectCut(bash, TEST_RUN);
    expect(recovered).toContain(HIDDEN);
    expect(refused).toContain('secateur recover prn_7M2Q4K8T3V 36-47');
    expect(existsSync(join(project, 'new.ts'))).toBe(false);
    expect(short).toContain('Process exited with code 0');
    expect(told).toContain('Long tool outputs may come with the lines left out');
    expect(await cli('connect', 'codex', '--undo')).toMatchObject({ code: 0 });
    expect(existsSync(join(home, '.codex/hooks.json'))).toBe(false);
    expect(readFileSync(join(home, '.codex/config.toml'), 'utf8')).not.toContain('secateur');
  });
});

describeWith(['copilot cli'], 'GitHub Copilot CLI after secateur connect', () => {
  const path = () => join(project, 'plants.ts');
  const steps: ((results: readonly string[]) => Move)[] = [
    () => call('bash', { command: 'cat test-run.log; exit 3', description: 'Read the failing test run' }),
    (results) => call('secateur-recover_text', recoverLine(results)),
    () => call('view', { path: path() }),
    () => call('edit', { path: path(), old_str: '100 * 2', new_str: '200 * 2' }),
    () => call('create', { path: join(project, 'new.ts'), file_text: `a\n${MARKER}\nb\n` }),
  ];

  it('[A26] [A21] Copilot CLI with hooks reads shortened outputs with their exit codes, recovers lines, edits, and writes no marker', {
    timeout: 120_000,
  }, async () => {
    model = await startScriptedModel(anthropicDialect, follow(steps));
    expect(await cli('connect', 'copilot-cli', '--write')).toMatchObject({ code: 0 });
    const outcome = await runCopilotAsUser({ home, model, prompt: PROMPT, cwd: project, env });
    expect(outcome.exitCode, outcome.stdout + outcome.stderr).toBe(0);
    const { toolResults, told } = model.turns.at(-1) as Turn;
    const [bash = '', recovered, read = '', edited, written] = toolResults;
    expectCut(bash, TEST_RUN);
    expect(bash).toContain('not ok 301 - retries after a lost connection');
    expect(bash).toContain('exit code 3');
    expect(recovered).toContain(HIDDEN);
    expectCut(read, SOURCE);
    expect(read).toMatch(/\d+│ {3}return 100 \* 2 \*\* attempt;/);
    expect(edited).toContain('plants.ts');
    expect(readFileSync(path(), 'utf8')).toBe(SOURCE.replace('100 * 2', '200 * 2'));
    expect(written).toContain('secateur recover prn_7M2Q4K8T3V 36-47');
    expect(existsSync(join(project, 'new.ts'))).toBe(false);
    expect(told).toContain('Long tool outputs may come with the lines left out');
    expect(await cli('connect', 'copilot-cli', '--undo')).toMatchObject({ code: 0 });
    expect(existsSync(join(home, '.copilot/hooks'))).toBe(false);
    expect(existsSync(join(home, '.copilot/mcp-config.json'))).toBe(false);
  });
});

describeWith(['opencode'], 'opencode after secateur connect', () => {
  const filePath = () => join(project, 'plants.ts');
  const steps: ((results: readonly string[]) => Move)[] = [
    () => call('bash', { command: 'cat test-run.log; exit 3', description: 'Read the failing test run' }),
    (results) => call('secateur_recover_text', recoverLine(results)),
    () => call('read', { filePath: filePath() }),
    () => call('edit', { filePath: filePath(), oldString: '100 * 2', newString: '200 * 2' }),
    () => call('write', { filePath: join(project, 'new.ts'), content: `a\n${MARKER}\nb\n` }),
    () => call('write', { filePath: filePath(), content: 'gone\n' }),
    () => call('read', { filePath: filePath() }),
    () => call('write', { filePath: filePath(), content: 'gone\n' }),
  ];

  it('[A26] [A14] [A21] [A23] opencode with hooks reads shortened outputs, recovers, edits, and writes no marker; --undo restores everything', {
    timeout: 120_000,
  }, async () => {
    model = await startScriptedModel(anthropicDialect, follow(steps));
    const settings = join(home, '.config/opencode/opencode.json');
    mkdirSync(join(home, '.config/opencode'), { recursive: true });
    writeFileSync(settings, opencodeProvider(model));
    expect(await cli('connect', 'opencode', '--write')).toMatchObject({ code: 0 });
    const outcome = await runOpencodeAsUser({ home, model, prompt: PROMPT, cwd: project, env });
    expect(outcome.exitCode, outcome.stdout + outcome.stderr).toBe(0);
    const { toolResults, system } = model.turns.at(-1) as Turn;
    const [bash = '', recovered, read = '', edited, written, refused, again = ''] = toolResults;
    expectCut(bash, TEST_RUN);
    expect(bash).toContain('not ok 301 - retries after a lost connection');
    expect(recovered).toContain(HIDDEN);
    expectCut(read, SOURCE);
    expect(read).toContain('return 100 * 2 ** attempt;');
    expect(edited).toContain('successfully');
    expect(refused).toContain('not shown lines');
    expect(again).toContain('return 200 * 2 ** attempt;');
    expect(again).not.toMatch(/prn_[0-9A-Z]+/);
    expect(readFileSync(filePath(), 'utf8')).toBe('gone\n');
    expect(written).toContain('secateur recover prn_7M2Q4K8T3V 36-47');
    expect(existsSync(join(project, 'new.ts'))).toBe(false);
    expect(system).toContain('Long tool outputs may come with the lines left out');
    expect(await cli('connect', 'opencode', '--undo')).toMatchObject({ code: 0 });
    expect(existsSync(join(home, '.config/opencode/plugins'))).toBe(false);
    expect(readFileSync(settings, 'utf8')).toBe(opencodeProvider(model));
  });
});

function call(tool: string, args: Record<string, unknown>): Move {
  return { kind: 'call', tool, args };
}

function follow(steps: readonly ((results: readonly string[]) => Move)[]): (turn: Turn) => Move {
  return ({ toolResults }) => steps[toolResults.length]?.(toolResults) ?? { kind: 'say', text: 'done' };
}

function expectCut(seen: string, whole: string): void {
  expect(seen).toMatch(/prn_[0-9A-Z]+/);
  expect(seen.length).toBeLessThan(whole.length * 0.7);
}
