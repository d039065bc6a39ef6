import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reverseSpecProgram } from '../support/reverse-spec-process.ts';
import { temporaryFolder } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';

/** Colours a terminal, names its window and rings. */
const STEERING = '\u001b[31mred\u001b]0;title\u0007';

function home(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, `src/a${STEERING}.ts`), `export const a = 1; // TODO ${STEERING}\n`);
  const servers = {
    [`x${STEERING}`]: { command: `run${STEERING}`, args: [] },
    [`y${STEERING}`]: { url: 'x' },
  };
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
  return folder;
}

function run(folder: string, [program, ...args]: readonly string[]) {
  const script = program === 'secateur' ? secateurProgram : reverseSpecProgram;
  const env = { PATH: process.env.PATH, HOME: folder, SECATEUR_DATA_DIR: join(folder, 'data'), LANG: 'en' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    env,
    input: '',
  });
  return { status, said: `${stdout}${stderr}` };
}

const commandsWith = (name: string): string[][] => [
  ['secateur', name],
  ['secateur', 'prune', name, '--goal', 'x'],
  ['secateur', 'prune', '--config', name, '--goal', 'x'],
  ['secateur', 'mask', name],
  ['secateur', 'explain', name],
  ['secateur', 'recover', name, '1'],
  ['secateur', 'connect', name],
  ['secateur', 'doctor', name],
  ['reverse-spec', 'prepare', name],
  ['reverse-spec', 'generate', name, '--ast-only'],
  ['reverse-spec', 'diff', name, name],
];

it('[X12] commands remove control sequences of file and tool names from their output', {
  timeout: 120_000,
}, () => {
  const folder = home();
  const commands = [
    ['reverse-spec', 'prepare', 'src'],
    ['reverse-spec', 'prepare', 'src', '--json'],
    ['reverse-spec', 'generate', 'src', '--ast-only'],
    ['reverse-spec', 'batch', '--ast-only'],
    ['reverse-spec', 'check'],
    ['secateur', 'connect', 'claude-code', '--only', 'gateway'],
    ...commandsWith(STEERING),
  ];
  for (const command of commands) {
    const { said } = run(folder, command);
    expect(said, command.join(' ')).not.toBe('');
    expect(said, command.join(' ')).not.toMatch(/[^\P{Cc}\n\t]/u);
  }
});

it('[X17] a name of 5,000 characters causes an error message, never an internal error', {
  timeout: 120_000,
}, () => {
  const folder = home();
  for (const command of commandsWith('a'.repeat(5000))) {
    const { status, said } = run(folder, command);
    expect([1, 2], `${command.slice(0, 2)}: ${said.slice(0, 200)}`).toContain(status);
  }
});
