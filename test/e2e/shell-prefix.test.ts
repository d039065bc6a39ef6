import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedProgram, prefixScript } from '../../packages/secateur/src/cli/connect/scripts.ts';
import { afterTranscript, runClaudeCodeAsUser } from '../support/agents.ts';
import { TEST_RUN } from '../support/hook-events.ts';
import { anthropicDialect } from '../support/scripted-model/anthropic.ts';
import { startScriptedModel, type Turn } from '../support/scripted-model.ts';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';
import { onSmallDisk } from '../support/small-disk.ts';
import { describeWith } from '../support/system-parts.ts';

const CUT = /prn_[0-9A-Z]+/;
const FAILED = 'not ok 301 - retries after a lost connection';
/** Maximum that the client shows of a failing command's output. */
const HEAD = TEST_RUN.slice(0, 4000);

let home: string;
let project: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'secateur-prefix-'));
  project = join(home, 'project');
  for (const folder of [project, join(home, 'bin')]) mkdirSync(folder);
  symlinkSync(secateurProgram, join(home, 'bin/secateur'));
  writeFileSync(join(project, 'test-run.log'), `${TEST_RUN}\n`);
});

afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

/** npm adds its directory of programs to PATH, which has a `secateur` if the packages were built before an installation. */
const PATH = (process.env.PATH ?? '').split(':').filter((each) => !existsSync(join(each, 'secateur')));
const env = () => ({
  PATH: [join(home, 'bin'), ...PATH].join(':'),
  SECATEUR_HOOK_TIMEOUT_MS: '9000',
});
const settings = () => join(home, '.claude/settings.json');
const connect = (...args: string[]) =>
  secateur(['connect', 'claude-code', ...args, '--gateway-port', '1'], {
    dataDir: home,
    cwd: project,
    env: { ...env(), HOME: home },
  });

type BashCall = Record<string, unknown>;

/** Runs the client with one Bash call after another; returns what its model reads of each. */
async function runCommands(
  file: string,
  calls: readonly (BashCall | ((results: readonly string[]) => BashCall | Promise<BashCall>))[],
  variables: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const script = afterTranscript(home, async ({ toolResults }) => {
    const next = calls[toolResults.length];
    if (next === undefined) return { kind: 'say', text: 'done' };
    return { kind: 'call', tool: 'Bash', args: typeof next === 'function' ? await next(toolResults) : next };
  });
  const model = await startScriptedModel(anthropicDialect, script);
  try {
    const run = {
      home,
      model,
      prompt: 'Why does the retry test fail?',
      cwd: project,
      env: { ...env(), ...variables },
    };
    const outcome = await runClaudeCodeAsUser(run, { file });
    expect(outcome.exitCode, outcome.stdout + outcome.stderr).toBe(0);
    const errors = [
      ...outcome.stdout.matchAll(/"type":"tool_result","content":"Exit code.*?"is_error":(\w+)/g),
    ];
    expect(errors.every(([, isError]) => isError === 'true')).toBe(true);
    return (model.turns.at(-1) as Turn).toolResults;
  } finally {
    await model.close();
  }
}

/** The file of a task in the background. */
const outputOf = (result: string) => /written to: (\S+\.output)/.exec(result)?.[1] ?? '';

/** Waits until a task in the background has ended: the client then adds to its file how. */
const untilEnded = (result: string) =>
  `until [ "$(wc -c <'${outputOf(result)}')" -gt ${Buffer.byteLength(TEST_RUN) + 1} ]; do sleep .1; done; echo waited`;

describeWith(['claude code', 'an older claude code'], 'failing commands in Claude Code', (programs) => {
  it.each(Object.entries(programs))(
    '[A11] %s shows the shortened output of a failing command with its exit code, and recovers lines',
    { timeout: 120_000 },
    async (_, file) => {
      expect(await connect('--write')).toMatchObject({ code: 0 });
      const commands = [
        { command: `cat test-run.log; echo "it's" 'over' >&2; exit 3`, description: 'Run the tests' },
        { command: 'cat test-run.log; kill -9 $$' },
        { command: 'cat test-run.log | cat; false' },
        { command: 'head -3 test-run.log; exit 5' },
        ([first]: readonly string[]) => ({ command: `secateur recover ${CUT.exec(first ?? '')?.[0]} 150` }),
      ];
      const [failed = '', killed = '', piped = '', short = '', back = ''] = await runCommands(file, commands);
      for (const [output, code] of [
        [failed, 3],
        [killed, 137],
        [piped, 1],
      ] as const) {
        expect(output).toMatch(new RegExp(`^Exit code ${code}\\n✂ prn_`));
        expect(output).toContain(FAILED);
        expect(output).not.toContain('Killed');
        expect(output.length).toBeLessThan(TEST_RUN.length / 10);
      }
      expect(failed).toContain("it's over");
      expect(short).toBe(`Exit code 5\n${TEST_RUN.split('\n').slice(0, 3).join('\n')}`);
      expect(back).toBe(TEST_RUN.split('\n')[149]);
    },
  );

  it('[A11] the shell prefix does not change outputs of background tasks, nor outputs that another process may still write', {
    timeout: 120_000,
  }, async () => {
    expect(await connect('--write')).toMatchObject({ code: 0 });
    const commands = [
      { command: 'cat test-run.log; exit 4', run_in_background: true },
      { command: '(until [ -e go ]; do sleep .1; done; echo late) & cat test-run.log; exit 6' },
      ([started = '']: readonly string[]) => ({ command: `touch go; ${untilEnded(started)}` }),
    ];
    const [background = '', held = ''] = await runCommands(programs['claude code'], commands);
    expect(background).toContain('running in background');
    expect(readFileSync(outputOf(background), 'utf8').startsWith(`${TEST_RUN}\n`)).toBe(true);
    expect(held).toContain('Exit code 6\n');
    expect(held).toContain(TEST_RUN.slice(0, 1000));
    expect(held).not.toMatch(CUT);
  });

  it.each<[string, () => void]>([
    [
      'was removed',
      () =>
        writeFileSync(
          prefixPath(),
          prefixScript(installedProgram(['/nowhere/node', '/nowhere/secateur.js'])),
        ),
    ],
    [
      'fails',
      () => writeFileSync(prefixPath(), prefixScript(installedProgram(['/bin/false', secateurProgram]))),
    ],
    ['cannot store the text', () => writeFileSync(join(home, '.local'), 'a file')],
  ])('[A11] [A12] Claude Code shows whole outputs if secateur %s', { timeout: 120_000 }, async (_, harm) => {
    expect(await connect('--write')).toMatchObject({ code: 0 });
    rmSync(join(home, 'bin/secateur'));
    harm();
    const commands = [{ command: 'cat test-run.log; exit 3' }, { command: 'echo fine' }];
    const [failed = '', fine] = await runCommands(programs['claude code'], commands);
    expect(failed).toContain('Exit code 3\n');
    expect(failed).toContain(HEAD);
    expect(failed).not.toMatch(CUT);
    expect(fine).toBe('fine');
  });

  it('[A11] a command over the time limit moves to the background as without secateur, with its whole output', {
    timeout: 120_000,
  }, async () => {
    const commands = [
      { command: 'cat test-run.log; sleep 4; exit 3', timeout: 1500 },
      ([moved = '']: readonly string[]) => ({ command: untilEnded(moved) }),
    ];
    const off = { SECATEUR_HOOK_ENABLED: 'false' };
    const [alone = ''] = await runCommands(programs['claude code'], commands, off);
    expect(await connect('--write')).toMatchObject({ code: 0 });
    const [wrapped = ''] = await runCommands(programs['claude code'], commands, off);
    const withoutIds = (output: string) => output.replaceAll(/[\w/-]*tasks\/\w+|ID: \w+/g, '');
    expect(withoutIds(wrapped)).toBe(withoutIds(alone));
    const [moved = ''] = await runCommands(programs['claude code'], commands);
    expect(readFileSync(outputOf(moved), 'utf8').startsWith(`${TEST_RUN}\n`)).toBe(true);
  });
});

describeWith(['claude code', 'zsh'], 'failing commands in Claude Code of a user with zsh', (programs) => {
  it('[A11] failing commands run in zsh and show their shortened output with the exit code', {
    timeout: 120_000,
  }, async () => {
    expect(await connect('--write')).toMatchObject({ code: 0 });
    const commands = [{ command: 'echo "zsh $ZSH_VERSION"; cat test-run.log; exit 3' }];
    const [failed = ''] = await runCommands(programs['claude code'], commands, { SHELL: programs.zsh });
    expect(failed).toMatch(/^Exit code 3\n✂ prn_/);
    expect(failed).toMatch(/^zsh \d/m);
    expect(failed).toContain(FAILED);
  });
});

const prefixPath = () => join(home, '.claude/secateur/shell-prefix.sh');

function writePrefix(self: readonly string[]): string {
  const script = join(temporaryFolder(), 'prefix.sh');
  writeFileSync(script, prefixScript(installedProgram(self)), { mode: 0o755 });
  return script;
}

for (const shell of ['dash', 'bash', 'zsh'] as const)
  describeWith([shell], `the shell prefix of Claude Code in ${shell}`, (paths) => {
    it('[A11] the shell prefix replaces itself by the command if its output is a pipe', async () => {
      const child = spawn(shell, [writePrefix([]), 'echo $$; cat; exit 7'], {
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      child.stdin.end('given');
      const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
      expect({ output, code }).toEqual({ output: `${child.pid}\ngiven`, code: 7 });
    });

    it.each([
      ['exit 3', 3],
      ['kill -9 $$', 137],
      ['true', 0],
    ])(
      '[A11] the shell prefix keeps a file outside the task folder unchanged, and exits with the exit code of %s',
      async (end, code) => {
        const folder = temporaryFolder();
        const output = openSync(join(folder, 'output'), 'a');
        const line = `cat '${join(project, 'test-run.log')}'; ${end}`;
        const child = spawn(shell, [writePrefix([process.execPath, secateurProgram]), line], {
          stdio: ['ignore', output, output],
          env: { PATH: process.env.PATH, HOME: folder },
        });
        closeSync(output);
        expect(await once(child, 'close')).toEqual([code, null]);
        expect(readFileSync(join(folder, 'output'), 'utf8')).toBe(`${TEST_RUN}\n`);
      },
    );

    it('[A11] the shell prefix keeps every variable of the command unchanged', async () => {
      const folder = temporaryFolder();
      const variables = Object.fromEntries(
        ['node', 'script', 'shell', 'output', 'code', 'event'].map((name) => [name, `own ${name}`]),
      );
      const env = { PATH: process.env.PATH, HOME: folder, ...variables };
      for (const stdout of [openSync(join(folder, 'output'), 'w+'), 'pipe'] as const) {
        const child = spawn(shell, [writePrefix([]), 'env'], { stdio: ['ignore', stdout, 'ignore'], env });
        const piped = child.stdout === null ? undefined : text(child.stdout);
        await once(child, 'close');
        const printed = (await piped) ?? readFileSync(join(folder, 'output'), 'utf8');
        expect(printed.split('\n')).toEqual(
          expect.arrayContaining(Object.entries(variables).map(([name, value]) => `${name}=${value}`)),
        );
        expect(printed).not.toContain('secateur_');
      }
    });

    it("[A11] the shell prefix runs the command in the user's shell", async () => {
      for (const user of [paths[shell], '/bin/bash']) {
        const child = spawn(shell, [writePrefix([]), 'echo "${ZSH_VERSION:+zsh}${BASH_VERSION:+bash}"'], {
          env: { PATH: process.env.PATH, SHELL: user },
        });
        expect((await text(child.stdout)).trim()).toBe(user.endsWith('zsh') ? 'zsh' : 'bash');
      }
    });
  });

describeWith(['claude code', 'an older claude code'], 'connect --undo during a session', (programs) => {
  it.each(Object.entries(programs))(
    "[A12] [A21] --undo keeps %s's prefix as a plain script; --undo after the session removes it",
    { timeout: 120_000 },
    async (_, file) => {
      expect(await connect('--write')).toMatchObject({ code: 0 });
      let undone = '';
      const results = await runCommands(file, [
        { command: 'cat test-run.log; exit 3' },
        async () => {
          undone = (await connect('--undo')).stdout;
          return { command: 'cat test-run.log; exit 4' };
        },
        { command: `echo "it's" 'fine'` },
        { command: 'secateur connect claude-code --undo' },
      ]);
      const [before = '', after = '', fine, again] = results;
      expect(before).toMatch(CUT);
      expect(undone).toContain(`${prefixPath()}: stays for running sessions of Claude Code`);
      expect(after).toContain(`Exit code 4\n`);
      expect(after).toContain(HEAD);
      expect(after).not.toMatch(CUT);
      expect(fine).toBe("it's fine");
      expect(again).toContain('stays for running sessions');
      expect(readFileSync(settings(), { encoding: 'utf8', flag: 'a+' })).not.toContain('secateur');
      expect(readFileSync(prefixPath(), 'utf8')).not.toContain('shorten-output');
      expect(await connect('--undo')).toMatchObject({ code: 0 });
      expect(existsSync(join(home, '.claude/secateur'))).toBe(false);
      expect(existsSync(join(home, '.config/secateur'))).toBe(false);
    },
  );
});

describe.runIf(process.platform === 'linux')('the shell prefix in the settings of Claude Code', () => {
  it('[A11] connect keeps the shell prefix of another program, and reports this prefix', async () => {
    mkdirSync(join(home, '.claude'));
    const before = '{ "env": { "CLAUDE_CODE_SHELL_PREFIX": "/opt/audit" } }\n';
    writeFileSync(settings(), before);
    const { code, stdout } = await connect('--write');
    expect(code).toBe(0);
    expect(stdout).toContain('CLAUDE_CODE_SHELL_PREFIX stays /opt/audit');
    expect(JSON.parse(readFileSync(settings(), 'utf8')).env).toEqual({
      CLAUDE_CODE_SHELL_PREFIX: '/opt/audit',
    });
    expect(readdirSync(join(home, '.claude/secateur'))).not.toContain('shell-prefix.sh');
    expect(await connect('--undo')).toMatchObject({ code: 0 });
    expect(readFileSync(settings(), 'utf8')).toBe(before);
  });

  it('[A11] connect --undo removes the shell prefix from settings that the user changed after connect', async () => {
    expect(await connect('--write')).toMatchObject({ code: 0 });
    const written = JSON.parse(readFileSync(settings(), 'utf8'));
    expect(written.env).toEqual({ CLAUDE_CODE_SHELL_PREFIX: prefixPath() });
    writeFileSync(settings(), JSON.stringify({ model: 'opus', ...written, env: { ...written.env, A: 'b' } }));
    chmodSync(settings(), 0o600);
    expect(await connect('--undo')).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(settings(), 'utf8'))).toEqual({
      model: 'opus',
      env: { A: 'b' },
    });
  });
});

describeWith(['small disk'], 'a home folder without the right to run programs', () => {
  it('[A11] connect sets no shell prefix if programs in the home folder cannot run, because the prefix would stop every command', () => {
    const [file = '', ...mount] = onSmallDisk(home, 1_000_000);
    const line =
      'mount -o remount,noexec none "$HOME" && "$@" && cat "$HOME/.claude/settings.json" "$HOME/.claude/secateur/hook.sh"';
    const connectHooks = ['connect', 'claude-code', '--only', 'hooks', '--write'];
    const words = [process.execPath, secateurProgram, ...connectHooks];
    const { stdout, stderr, status } = spawnSync(file, [...mount, 'sh', '-c', line, 'sh', ...words], {
      cwd: tmpdir(),
      env: { PATH: process.env.PATH, HOME: home },
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    expect(stderr).toContain('shell-prefix.sh cannot run here');
    expect(stdout).toContain('hook.sh');
    expect(stdout).not.toContain('SHELL_PREFIX"');
  });
});
