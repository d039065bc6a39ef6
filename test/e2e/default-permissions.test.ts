import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type AgentOutcome,
  codexProvider,
  opencodeProvider,
  runClaudeCodeAsUser,
  runCodexAsUser,
  runCopilotAsUser,
  runOpencodeAsUser,
  type UserRun,
} from '../support/agents.ts';
import { TEST_RUN } from '../support/hook-events.ts';
import { anthropicDialect } from '../support/scripted-model/anthropic.ts';
import { responsesDialect } from '../support/scripted-model/responses.ts';
import { type Move, type ScriptedModel, startScriptedModel, type Turn } from '../support/scripted-model.ts';
import { secateur } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

let home: string;
let project: string;
let model: ScriptedModel;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'secateur-permissions-'));
  project = join(home, 'project');
  for (const folder of [project, join(home, 'bin')]) mkdirSync(folder);
  symlinkSync(secateurProgram, join(home, 'bin/secateur'));
  writeFileSync(join(project, 'test-run.log'), TEST_RUN);
});

afterEach(async () => {
  await model.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

const PROMPT = 'Why does the retry test fail? Look at retryDelay.';
const HIDDEN = [150, 160].map((line) => TEST_RUN.split('\n')[line - 1] ?? '');

function environment(): Record<string, string> {
  return { PATH: `${join(home, 'bin')}:${process.env.PATH}`, SECATEUR_HOOK_TIMEOUT_MS: '9000' };
}

function idIn(results: readonly string[]): string {
  return /prn_[0-9A-Z]+/.exec(results[0] ?? '')?.[0] ?? 'nothing was cut';
}

interface Tools {
  readonly cut: Move;
  readonly recover: string;
  shell(command: string): Move;
}

/** A cut, then the same lines through the tool and through the command that the first line of the cut names, if it does. */
function follow({ cut, recover, shell }: Tools): (turn: Turn) => Move {
  return ({ toolResults }) => {
    const prune_id = idIn(toolResults);
    const ranges = [150, 160].map((line) => ({ start_line: line, end_line: line }));
    const named = /secateur recover prn_[0-9A-Z]+(?= A-B,C-D)/.exec(toolResults[0] ?? '')?.[0];
    const steps: readonly Move[] = [
      cut,
      { kind: 'call', tool: recover, args: { prune_id, ranges, include_line_numbers: true } },
      ...(named === undefined ? [] : [shell(`${named} 150,160`)]),
    ];
    return steps[toolResults.length] ?? { kind: 'say', text: 'done' };
  };
}

function expectLines(...results: readonly (string | undefined)[]): void {
  for (const result of results) for (const line of HIDDEN) expect(result).toContain(line);
}

async function connected(client: string, run: (user: UserRun) => Promise<AgentOutcome>): Promise<Turn> {
  const env = environment();
  const done = await secateur(['connect', client, '--write', '--gateway-port', '1'], {
    dataDir: home,
    cwd: project,
    env: { ...env, HOME: home },
  });
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
  const outcome = await run({ home, model, prompt: PROMPT, cwd: project, env });
  const turn = model.turns.at(-1) as Turn;
  expect(turn.toolResults[0], outcome.stdout + outcome.stderr).toMatch(/prn_[0-9A-Z]+/);
  return turn;
}

describeWith(['claude code', 'an older claude code'], 'Claude Code with default permissions', (programs) => {
  it.each(Object.entries(programs))(
    '[A14] %s with default permissions recovers two ranges with recover_text and with the recovery command',
    { timeout: 120_000 },
    async (_, file) => {
      const bash = (command: string): Move => ({ kind: 'call', tool: 'Bash', args: { command } });
      model = await startScriptedModel(
        anthropicDialect,
        follow({ cut: bash('cat test-run.log'), recover: 'mcp__secateur__recover_text', shell: bash }),
      );
      const { toolResults } = await connected('claude-code', (user) =>
        runClaudeCodeAsUser(user, { file, allowed: [] }),
      );
      expectLines(toolResults[1], toolResults[2]);
    },
  );
});

describeWith(['codex'], 'Codex with default permissions', () => {
  it('[A14] Codex with default permissions recovers two ranges with recover_text and with the recovery command', {
    timeout: 120_000,
  }, async () => {
    const shell = (cmd: string): Move => ({ kind: 'call', tool: 'exec_command', args: { cmd } });
    model = await startScriptedModel(
      responsesDialect,
      follow({ cut: shell('cat test-run.log'), recover: 'mcp__secateur__recover_text', shell }),
    );
    mkdirSync(join(home, '.codex'));
    // Codex starts a login shell.
    writeFileSync(join(home, '.profile'), `PATH=${join(home, 'bin')}:$PATH\n`);
    writeFileSync(join(home, '.codex/config.toml'), codexProvider(model));
    const { toolResults } = await connected('codex', (user) => runCodexAsUser(user, { approvals: [] }));
    expectLines(toolResults[1], toolResults[2]);
  });
});

const bash = (command: string): Move => ({
  kind: 'call',
  tool: 'bash',
  args: { command, description: 'x' },
});

describeWith(['copilot cli'], 'GitHub Copilot CLI with default permissions', () => {
  it('[A14] Copilot CLI with default permissions recovers two ranges with recover_text, the only way that a headline mentions', {
    timeout: 120_000,
  }, async () => {
    model = await startScriptedModel(
      anthropicDialect,
      follow({ cut: bash('cat test-run.log'), recover: 'secateur-recover_text', shell: bash }),
    );
    const { toolResults } = await connected('copilot-cli', (user) => runCopilotAsUser(user, { allowed: [] }));
    expectLines(toolResults[1]);
    // Copilot asks about every command.
    expect(toolResults).toHaveLength(2);
  });
});

describeWith(['opencode'], 'opencode with permissions that ask', () => {
  it('[A14] opencode with permissions that ask recovers two ranges with recover_text and with the recovery command', {
    timeout: 120_000,
  }, async () => {
    model = await startScriptedModel(
      anthropicDialect,
      follow({ cut: bash('cat test-run.log'), recover: 'secateur_recover_text', shell: bash }),
    );
    mkdirSync(join(home, '.config/opencode'), { recursive: true });
    const settings = opencodeProvider(model).replace(
      '"model"',
      '"permission": { "*": "ask", "bash": { "*": "ask", "cat *": "allow" } },\n  "model"',
    );
    writeFileSync(join(home, '.config/opencode/opencode.json'), settings);
    const { toolResults } = await connected('opencode', runOpencodeAsUser);
    expectLines(toolResults[1], toolResults[2]);
  });
});
