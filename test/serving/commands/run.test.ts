import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { DomainError } from '../../../packages/base/src/runtime/domain-error.ts';
import { programs } from '../../../packages/secateur/src/cli/programs.ts';
import { defineCommand, type Executable } from '../../../packages/serving/src/commands/command.ts';
import { runProgram } from '../../../packages/serving/src/commands/main.ts';
import type { Environment } from '../../../packages/serving/src/config/values.ts';
import { temporaryFolder } from '../../support/secateur-cli.ts';
import { writtenTo } from '../../support/written-to.ts';

const echo = defineCommand({
  usage: '[WORD] [--loud]',
  sections: ['pruner', 'wire'],
  options: {
    loud: { type: 'boolean', short: 'l', doc: 'say it louder' },
    times: { type: 'string', doc: 'how often' },
  },
  positionals: { min: 0, max: 1 },
  examples: [{ line: 'demo echo hi', does: 'says hi' }],
  exitCodes: { 9: 'demonstration' },
  run: async ({ config, options, positionals, terminal }) => {
    if (positionals[0] === 'failure')
      throw new DomainError('demo_failure', 'it went wrong', { hint: 'Try again.' });
    if (positionals[0] === 'stop') throw AbortSignal.abort('SIGINT').reason;
    if (positionals[0] === 'bug') throw new TypeError('undefined is not a function');
    terminal.line(
      `${terminal.paint('green', positionals[0] ?? 'nothing')} ${options.loud} ${config.pruner.port}`,
    );
    return 0;
  },
});

const demo: Executable = {
  name: 'demo',
  summary: 'shows the frame',
  commands: {
    echo: { summary: 'repeats a word', load: async () => echo },
    'mcp echo': { summary: 'repeats it on stdio', load: async () => echo },
  },
  examples: ['demo echo hi'],
};

it('[H5] run passes options, settings given as flags and positional arguments to the command', async () => {
  expect(await demoRun(['echo', 'hi', '--loud', '--port', '9'])).toMatchObject({
    code: 0,
    output: 'hi true 9\n',
  });
  expect(await demoRun(['mcp', 'echo', 'ho'])).toMatchObject({ code: 0, output: 'ho false 8006\n' });
});

it('[H5] run reports an interrupted command as "interrupted" with exit code 130', async () => {
  expect(await demoRun(['echo', 'stop'])).toMatchObject({ code: 130, errors: 'demo: interrupted\n' });
});

it('[H5] --help shows usage, options, settings with variable and default, examples and exit codes', async () => {
  const { code, output } = await demoRun(['echo', '--help']);
  expect(code).toBe(0);
  for (const text of [
    'demo echo [WORD] [--loud]',
    '-l, --loud',
    '--port N',
    'MCP_PRUNER_PORT',
    '8006',
    'demo echo hi',
    'demonstration',
  ]) {
    expect(output).toContain(text);
  }
  expect((await demoRun(['help', 'echo'])).output).toBe(output);
});

it('[H5] run prints the list of commands if no command is given', async () => {
  const { code, output } = await demoRun([]);
  expect(code).toBe(0);
  expect(output).toContain('echo      repeats a word');
  expect((await demoRun(['--help'])).output).toBe(output);
});

it('[H5] run exits with 2 and an error message if the command line is invalid', async () => {
  expect(await demoRun(['ecko'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('did you mean echo?'),
  });
  expect(await demoRun(['mcp'])).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/there are mcp echo\n {2}demo --help shows/),
  });
  expect(await demoRun(['echo', '--lout'])).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/'--lout'\n {2}demo echo --help shows/),
  });
  expect(await demoRun(['echo', 'a', 'b'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('"b"'),
  });
  expect(await run(programs.secateur, ['recover'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('an argument is missing; expected ID [START-END'),
  });
});

it('[H4] run exits with 2 and the name of the variable if a setting is invalid', async () => {
  const { code, errors } = await demoRun(['echo'], { env: { MCP_PRUNER_PORT: 'x' } });
  expect(code).toBe(2);
  expect(errors).toContain('MCP_PRUNER_PORT: expected an integer from 0 to 65535, got "x"');
  expect(errors).toContain('demo echo --help');
});

it('[H5] run exits with 1 and a hint after an expected failure, and exits with 70 and a stack trace after a bug', async () => {
  expect(await demoRun(['echo', 'failure'])).toMatchObject({
    code: 1,
    output: '',
    errors: 'demo: it went wrong\n  Try again.\n',
  });
  expect(await demoRun(['echo', 'bug'])).toMatchObject({
    code: 70,
    errors: expect.stringContaining('run.test.ts'),
  });
});

it('[H5] output has colours only on a terminal, and no colours with NO_COLOR', async () => {
  expect((await demoRun(['echo', 'hi'])).output).not.toContain('\u001b[');
  expect((await demoRun(['echo', 'hi'], { isTTY: true })).output).toContain('\u001b[32mhi');
  expect((await demoRun(['echo', 'hi'], { isTTY: true, env: { NO_COLOR: '1' } })).output).not.toContain(
    '\u001b[',
  );
});

it('[H5] every command of every executable has help with examples', async () => {
  for (const program of Object.values<Executable>(programs)) {
    for (const name of Object.keys(program.commands)) {
      const { code, output } = await run(program, [...name.split(' ').filter(Boolean), '--help']);
      expect(code, name).toBe(0);
      expect(output, name).toMatch(/Examples\n {2}# .+\n {2}\S+/);
      expect(output, name).toContain('Exit codes');
    }
  }
});

interface Given {
  env?: Environment;
  isTTY?: boolean;
}

function demoRun(argv: readonly string[], given: Given = {}) {
  return run(demo, argv, given);
}

async function run(program: Executable, argv: readonly string[], { env = {}, isTTY = false }: Given = {}) {
  const output = Object.assign(new PassThrough(), { isTTY });
  const errors = Object.assign(new PassThrough(), { isTTY });
  const code = await runProgram(program, {
    argv,
    origin: { env, cwd: '/', platform: 'linux', homeDir: '/home/someone' },
    streams: { input: new PassThrough(), output, errors },
    self: [],
    interrupted: () => new AbortController().signal,
  });
  return { code, output: writtenTo(output), errors: writtenTo(errors) };
}

it('[X12] run removes control characters of configuration files and arguments from its output', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'config.toml');
  writeFileSync(path, '[mcp_pruner]\n"\\u001b[31mred" = true\nport = "\\u001b]0;title\\u0007"\n');
  const wrong = await demoRun(['echo', 'hi', '--config', path]);
  writeFileSync(path, '[mcp_pruner]\n"\\u001b[31mred" = true\n');
  const warned = await demoRun(['echo', 'hi', '--config', path]);
  const unknown = await demoRun(['\u001b[2Jecho']);
  for (const { errors } of [wrong, warned, unknown]) {
    expect(errors).not.toBe('');
    expect(errors).not.toMatch(/[^\P{Cc}\n\t]/u);
  }
});
