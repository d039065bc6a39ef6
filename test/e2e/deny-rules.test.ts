import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
import { anthropicDialect } from '../support/scripted-model/anthropic.ts';
import { responsesDialect } from '../support/scripted-model/responses.ts';
import {
  type Dialect,
  type Move,
  type ScriptedModel,
  startScriptedModel,
  type Turn,
} from '../support/scripted-model.ts';
import { secateur } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';
import { describeWith, type SystemPart } from '../support/system-parts.ts';

interface Client {
  readonly name: string;
  readonly part: SystemPart;
  readonly dialect: Dialect;
  /** Runs the client with a user's rule that forbids `rm`. */
  run(run: UserRun): Promise<AgentOutcome>;
  bash(command: string): Move;
  /** Settings of the client: the rule, and the address of the scripted model. */
  settings?(model: ScriptedModel): Readonly<Record<string, string>>;
}

const bash = (command: string): Move => ({
  kind: 'call',
  tool: 'bash',
  args: { command, description: 'Tidy up' },
});

const RULE = { '*': 'allow', 'rm *': 'deny' };

const CLIENTS: readonly Client[] = [
  {
    ...{ name: 'claude-code', part: 'claude code', dialect: anthropicDialect, run: runClaudeCodeAsUser },
    bash: (command) => ({ kind: 'call', tool: 'Bash', args: { command } }),
    settings: () => ({ '.claude/settings.json': '{ "permissions": { "deny": ["Bash(rm:*)"] } }' }),
  },
  {
    ...{ name: 'codex', part: 'codex', dialect: responsesDialect },
    run: (user) => runCodexAsUser(user, { approvals: [] }),
    bash: (cmd) => ({ kind: 'call', tool: 'exec_command', args: { cmd } }),
    settings: (model) => ({
      '.codex/config.toml': codexProvider(model),
      '.codex/rules/mine.rules': 'prefix_rule(pattern=["rm"], decision="forbidden")\n',
    }),
  },
  {
    ...{ name: 'copilot-cli', part: 'copilot cli', dialect: anthropicDialect, bash },
    run: (user) =>
      runCopilotAsUser(user, {
        allowed: ['--allow-all-tools', '--allow-all-paths', '--deny-tool', 'shell(rm)'],
      }),
  },
  {
    ...{ name: 'opencode', part: 'opencode', dialect: anthropicDialect, run: runOpencodeAsUser, bash },
    settings: (model) => ({
      '.config/opencode/opencode.json': opencodeProvider(model).replace(
        '"model"',
        `"permission": { "bash": ${JSON.stringify(RULE)} },\n  "model"`,
      ),
    }),
  },
];

let home: string;
let project: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'secateur-deny-'));
  project = join(home, 'project');
  for (const folder of [project, join(home, 'bin')]) mkdirSync(folder);
  symlinkSync(secateurProgram, join(home, 'bin/secateur'));
  writeFileSync(join(project, 'kept.txt'), 'kept\n');
});

afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

async function session(client: Client, commands: readonly string[]): Promise<Turn> {
  const model = await startScriptedModel(client.dialect, ({ toolResults }) => {
    const command = commands[toolResults.length];
    return command === undefined ? { kind: 'say', text: 'done' } : client.bash(command);
  });
  try {
    for (const [file, text] of Object.entries(client.settings?.(model) ?? {})) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), text);
    }
    const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}`, SECATEUR_HOOK_TIMEOUT_MS: '9000' };
    const connected = await secateur(['connect', client.name, '--write', '--gateway-port', '1'], {
      ...{ dataDir: home, cwd: project, env: { ...env, HOME: home } },
    });
    expect(connected, connected.stdout + connected.stderr).toMatchObject({ code: 0 });
    await client.run({ home, model, prompt: 'Tidy up.', cwd: project, env });
    return model.turns.at(-1) as Turn;
  } finally {
    await model.close();
  }
}

for (const client of CLIENTS)
  describeWith([client.part], `${client.name} with a deny rule`, () => {
    it('[A13] the client still refuses a denied command, and recover_text is the only tool that connect adds', {
      timeout: 120_000,
    }, async () => {
      const { tools, toolResults } = await session(client, ['cat kept.txt', 'rm kept.txt']);
      expect(toolResults[0]).toContain('kept');
      expect(existsSync(join(project, 'kept.txt')), toolResults[1]).toBe(true);
      const ours = tools.filter((tool) => tool.includes('secateur'));
      expect(ours).toEqual([expect.stringMatching(/secateur\W*_*recover_text$/)]);
    });
  });
