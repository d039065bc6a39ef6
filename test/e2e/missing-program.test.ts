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
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hooksFileOf, withHooks } from '../../packages/secateur/src/cli/connect/hooks-file.ts';
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
  run(run: UserRun): Promise<AgentOutcome>;
  bash(command: string): Move;
  /** The client's own settings, without which it does not find the scripted model. */
  settings?(model: ScriptedModel): readonly [path: string, text: string];
}

const bash = (command: string): Move => ({
  kind: 'call',
  tool: 'bash',
  args: { command, description: 'Why does the retry test fail?' },
});

const CLIENTS: readonly Client[] = [
  {
    ...{ name: 'claude-code', part: 'claude code', dialect: anthropicDialect, run: runClaudeCodeAsUser },
    bash: (command) => ({ kind: 'call', tool: 'Bash', args: { command } }),
  },
  {
    ...{ name: 'codex', part: 'codex', dialect: responsesDialect, run: runCodexAsUser },
    bash: (cmd) => ({ kind: 'call', tool: 'exec_command', args: { cmd } }),
    settings: (model) => ['.codex/config.toml', codexProvider(model)],
  },
  { name: 'copilot-cli', part: 'copilot cli', dialect: anthropicDialect, run: runCopilotAsUser, bash },
  {
    ...{ name: 'opencode', part: 'opencode', dialect: anthropicDialect, run: runOpencodeAsUser, bash },
    settings: (model) => ['.config/opencode/opencode.json', opencodeProvider(model)],
  },
];

let home: string;
let project: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'secateur-missing-'));
  project = join(home, 'project');
  for (const folder of [project, join(home, 'bin')]) mkdirSync(folder);
  symlinkSync(secateurProgram, join(home, 'bin/secateur'));
  symlinkSync(process.execPath, join(home, 'bin/node'));
  writeFileSync(join(project, 'test-run.log'), `${TEST_RUN}\n`);
});

afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

const PATIENT = { SECATEUR_HOOK_TIMEOUT_MS: '9000' };
const FAILED = 'not ok 301 - retries after a lost connection';
const CUT = /prn_[0-9A-Z]+/;
const dataDir = () => join(home, '.local/share/secateur');

/** Returns a PATH with one `secateur`, that of the test: npm may have linked this clone's into node_modules/.bin. */
function path(): string {
  const inherited = (process.env.PATH ?? '').split(delimiter);
  const others = inherited.filter((folder) => !existsSync(join(folder, 'secateur')));
  return [join(home, 'bin'), ...others].join(delimiter);
}

const cli = (...args: string[]) =>
  secateur([...args, '--gateway-port', '1'], {
    dataDir: home,
    cwd: project,
    env: { PATH: path(), HOME: home },
  });

interface Circumstances {
  /** Called before the client starts, when its settings are there. */
  prepare?(): unknown;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Runs a client with one command after another; returns what its model reads of each. */
async function session(
  client: Client,
  commands: readonly string[],
  { prepare, variables = PATIENT }: Circumstances = {},
): Promise<string[]> {
  const model = await startScriptedModel(client.dialect, ({ toolResults }) => {
    const command = commands[toolResults.length];
    return command === undefined ? { kind: 'say', text: 'done' } : client.bash(command);
  });
  try {
    const [file, text] = client.settings?.(model) ?? [];
    if (file !== undefined) place(join(home, file), text ?? '');
    await prepare?.();
    const env = { PATH: path(), ...variables };
    const prompt = 'Why does the retry test fail?';
    const outcome = await client.run({ home, model, prompt, cwd: project, env });
    expect(outcome.exitCode, outcome.stdout + outcome.stderr).toBe(0);
    return (model.turns.at(-1) as Turn).toolResults;
  } finally {
    await model.close();
  }
}

function place(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const COMMANDS = ['cat test-run.log', 'echo kept > new.txt', 'cat new.txt'];

/** Expects that the agent reads all outputs and writes all texts, as without secateur. */
function expectUnchanged([read = '', , kept = '']: readonly string[]): void {
  // One client omits leading spaces.
  expect(read).toContain(TEST_RUN.trim().slice(0, 1000));
  expect(read).not.toMatch(CUT);
  expect(kept).toContain('kept');
  expect(readFileSync(join(project, 'new.txt'), 'utf8')).toBe('kept\n');
}

async function connected(client: Client): Promise<void> {
  expect(await cli('connect', client.name, '--write')).toMatchObject({ code: 0 });
}

/** Changes a path that the installed script stores. */
function storePath(client: Client, from: string, to: string): void {
  const script = join(hooksFile(client).client.installation.folder(origin()), 'secateur/hook.sh');
  writeFileSync(script, readFileSync(script, 'utf8').replaceAll(from, to));
}

const origin = () => ({ env: {}, cwd: project, platform: 'linux' as const, homeDir: home });

function hooksFile({ name }: Client) {
  const file = hooksFileOf(name, origin());
  if (file === undefined) throw new Error(`${name} has no hooks`);
  return file;
}

describe.each(CLIENTS)('$name with hooks whose program is missing or broken', (client) => {
  describeWith([client.part], 'with the real client', () => {
    it('[A1] [A24] hooks get their responses from the session server that the client runs', {
      timeout: 120_000,
    }, async () => {
      const prepare = async () => {
        await connected(client);
        place(join(home, '.config/secateur/config.toml'), '[hook]\ntimeout_ms = 9000\n');
        storePath(client, secateurProgram, '/nowhere/secateur.js');
        // Starts servers alone: a hook that is answered was answered by one.
        rmSync(join(home, 'bin/secateur'));
        const onlyServers = `#!/bin/sh\n[ "$1" = mcp ] && exec '${process.execPath}' '${secateurProgram}' "$@"\n`;
        writeFileSync(join(home, 'bin/secateur'), onlyServers, { mode: 0o755 });
        // Gives a server on a busy machine more than the script's three seconds.
        writeFileSync(join(home, 'bin/curl'), '#!/bin/sh\nexec /usr/bin/curl "$@" -m 60\n', { mode: 0o755 });
      };
      const [read = '', , kept = ''] = await session(
        client,
        [`until ls '${dataDir()}/sockets'/*.sock; do sleep .1; done; cat test-run.log`, ...COMMANDS.slice(1)],
        { prepare, variables: {} },
      );
      expect(read).toMatch(CUT);
      expect(read).toContain(FAILED);
      expect(kept).toContain('kept');
    });

    it('[A12] the client works as if no hooks were installed after the package was removed', {
      timeout: 120_000,
    }, async () => {
      const results = await session(client, COMMANDS, {
        prepare: async () => {
          await connected(client);
          storePath(client, secateurProgram, '/nowhere/secateur.js');
          rmSync(join(home, 'bin/secateur'));
        },
      });
      expectUnchanged(results);
    });

    it('[A12] the client works as if no hooks were installed if Node is too old', {
      timeout: 120_000,
    }, async () => {
      const old = join(home, 'old-node');
      writeFileSync(old, '#!/bin/sh\necho v18.20.4\necho "SyntaxError" >&2\nexit 1\n', { mode: 0o755 });
      const results = await session(client, COMMANDS, {
        prepare: async () => {
          await connected(client);
          storePath(client, process.execPath, old);
          rmSync(join(home, 'bin/secateur'));
        },
      });
      expectUnchanged(results);
    });

    it('[A12] the client works as if no hooks were installed if the folder of the hook script was deleted', {
      timeout: 120_000,
    }, async () => {
      const results = await session(client, COMMANDS, {
        prepare: async () => {
          await connected(client);
          expect(await cli('connect', client.name, '--undo')).toMatchObject({ code: 0 });
          const file = hooksFile(client);
          place(file.path, withHooks('', file, `sh '/nowhere/secateur/hook.sh' ${client.name} || echo {}`));
        },
      });
      expectUnchanged(results);
    });

    it('[A12] the client keeps working if the data directory is deleted during the session', {
      timeout: 120_000,
    }, async () => {
      writeFileSync(join(project, 'forget.sh'), `rm -r '${dataDir()}'\n`);
      const commands = ['cat test-run.log', 'sh forget.sh', 'head -400 test-run.log', ...COMMANDS.slice(1)];
      const [first = '', , second = '', , kept = ''] = await session(client, commands, {
        prepare: () => connected(client),
      });
      expect(first).toMatch(CUT);
      for (const read of [first, second]) expect(read).toContain(FAILED);
      expect(kept).toContain('kept');
    });

    it('[A12] the client works as if no hooks were installed if the data directory cannot be written', {
      timeout: 120_000,
    }, async () => {
      const results = await session(client, COMMANDS, {
        prepare: async () => {
          await connected(client);
          place(dataDir(), 'not a folder');
        },
      });
      expectUnchanged(results);
    });

    it.each([
      ['the name', () => `secateur hook ${client.name}`],
      ['a path', () => `${process.execPath} ${secateurProgram} hook ${client.name}`],
    ])(
      '[A12] hooks of an earlier version with %s still work, and connect --write updates them',
      { timeout: 120_000 },
      async (_, command) => {
        const file = hooksFile(client);
        const [read = ''] = await session(client, ['cat test-run.log'], {
          prepare: () => place(file.path, withHooks('', file, command())),
        });
        expect(read).toMatch(CUT);
        await connected(client);
        expect(readFileSync(file.path, 'utf8')).not.toContain(command());
        expect(readFileSync(file.path, 'utf8')).toContain('secateur/hook.sh');
      },
    );
  });
});
