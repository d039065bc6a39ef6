import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { installedProgram, prefixScript } from '../../packages/secateur/src/cli/connect/scripts.ts';
import { agentCalls, TEST_RUN, userSays } from '../support/hook-events.ts';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';

const SESSION = 'b913fa88-713e-443e-87b8-a006b90cd778';
const WHOLE = `${TEST_RUN}\n`;

interface Task {
  readonly folder: string;
  /** The file that the client reads the command's output from. */
  readonly output: string;
  run(command: string, variables?: Readonly<Record<string, string>>): Promise<unknown>;
}

/** Folders as Claude Code keeps them, with a transcript in which the agent waits for the command. */
function task(): Task {
  const folder = temporaryFolder();
  const output = join(folder, `claude-${process.getuid?.()}`, 'project', SESSION, 'tasks/b1234.output');
  const transcript = join(folder, 'projects/project', `${SESSION}.jsonl`);
  for (const path of [output, transcript]) mkdirSync(dirname(path), { recursive: true });
  writeFileSync(join(folder, 'test-run.log'), WHOLE);
  const script = join(folder, 'prefix.sh');
  const self = [process.execPath, secateurProgram];
  writeFileSync(script, prefixScript(installedProgram(self)), { mode: 0o755 });
  const run: Task['run'] = async (command, variables) => {
    const lines = [userSays('Why does the retry test fail?'), agentCalls('1', 'Bash', { command })];
    writeFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const descriptor = openSync(output, 'a');
    const child = spawn(script, [`eval '${command}' < /dev/null && pwd -P >/dev/null`], {
      cwd: folder,
      stdio: ['ignore', descriptor, descriptor],
      env: {
        ...{ PATH: process.env.PATH, HOME: folder, SECATEUR_HOOK_TIMEOUT_MS: '20000' },
        ...{ CLAUDE_CONFIG_DIR: folder, CLAUDE_CODE_TMPDIR: folder, ...variables },
      },
    });
    closeSync(descriptor);
    const [code] = await once(child, 'close');
    return code;
  };
  return { folder, output, run };
}

const textOf = ({ output }: Task) => readFileSync(output, 'utf8');

/** Makes Node append a line to a file when it opens `/proc/self/fd/3`, as a process that has just ended would. */
function appendWhenOpened({ folder, output }: Task): Readonly<Record<string, string>> {
  const preload = join(folder, 'append.mjs');
  const code = `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { openSync } = fs;
fs.openSync = (path, ...rest) => {
  if (path === '/proc/self/fd/3') fs.appendFileSync(${JSON.stringify(output)}, 'late\\n');
  return openSync(path, ...rest);
};
syncBuiltinESMExports();
`;
  writeFileSync(preload, code);
  return { NODE_OPTIONS: `--import=${pathToFileURL(preload)}` };
}

describe.runIf(process.platform === 'linux')('an output file in the folder of tasks of the client', () => {
  it('[A11] the output file of a failed command is shortened in place, and the whole text is stored', async () => {
    const there = task();
    writeFileSync(there.output, '');
    const { ino } = statSync(there.output);
    expect(await there.run('cat test-run.log; exit 3')).toBe(3);
    const shown = textOf(there);
    expect(shown).toMatch(/^✂ prn_/);
    expect(shown).toContain('not ok 301 - retries after a lost connection');
    expect(shown.length).toBeLessThan(WHOLE.length / 10);
    expect(statSync(there.output).ino).toBe(ino);
    const dataDir = join(there.folder, '.local/share/secateur');
    const { stdout } = await secateur(['recover', /prn_\w+/.exec(shown)?.[0] ?? ''], { dataDir });
    expect(stdout.trimEnd()).toBe(WHOLE.trimEnd());
  });

  it('[A11] the output file of a failed command is kept unchanged if its size has changed after it was read', async () => {
    const there = task();
    expect(await there.run('cat test-run.log; exit 3', appendWhenOpened(there))).toBe(3);
    expect(textOf(there)).toBe(`${WHOLE}late\n`);
  });

  it.each([
    ['succeeded', 'cat test-run.log', 0, WHOLE],
    ['printed little', 'head -3 test-run.log; exit 5', 5, `${WHOLE.split('\n').slice(0, 3).join('\n')}\n`],
  ])(
    '[A11] the output file of a command is kept unchanged if the command %s',
    async (...[, command, code, expected]) => {
      const there = task();
      expect(await there.run(command)).toBe(code);
      expect(textOf(there)).toBe(expected);
    },
  );

  it('[A11] the output file of a failed command is kept unchanged while another process has it open', async () => {
    const there = task();
    const reader = openSync(there.output, 'a+');
    expect(await there.run('cat test-run.log; exit 3')).toBe(3);
    closeSync(reader);
    expect(textOf(there)).toBe(WHOLE);
  });

  it.each(['SECATEUR', 'SECATEUR_HOOK_ENABLED'])(
    '[A17] the output file of a failed command is kept unchanged if %s is off',
    async (name) => {
      const there = task();
      expect(await there.run('cat test-run.log; exit 3', { [name]: 'off' })).toBe(3);
      expect(textOf(there)).toBe(WHOLE);
    },
  );
});
