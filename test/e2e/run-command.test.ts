import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { TEST_RUN, temporaryFile } from '../support/hook-events.ts';
import { secateur, spawnSecateur, temporaryFolder } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';
import { onSmallDisk } from '../support/small-disk.ts';
import { describeWith } from '../support/system-parts.ts';

describe('secateur run', () => {
  it('[A9] secateur run shortens both output streams of a failing command, and exits with the exit code of the command', async () => {
    const path = temporaryFile('log', `${TEST_RUN}\n`);
    const script = `cat ${path}; cat ${path} >&2; exit 3`;
    const { code, stdout, stderr } = await secateur([
      'run',
      '-g',
      'why does retry fail?',
      '--',
      'sh',
      '-c',
      script,
    ]);
    expect(code).toBe(3);
    for (const text of [stdout, stderr]) {
      expect(text).toContain('not ok 301 - retries after a lost connection');
      expect(text).toMatch(/^✂ prn_/);
      expect(text.length).toBeLessThan(TEST_RUN.length / 2);
    }
  });

  it('[A9] secateur run ends by the signal that ended its command', async () => {
    const child = spawnSecateur(['run', '--', 'sh', '-c', 'kill -KILL $$']);
    const [code, signal] = await once(child, 'close');
    expect([code, signal]).toEqual([null, 'SIGKILL']);
  });

  it('[A9] secateur run forwards arguments, input and environment, and prints short or binary output byte for byte', async () => {
    const shown = await secateur(
      ['run', '--', 'sh', '-c', 'cat; printf "%s|" "$@" "$WORD"', 'x', 'a b', '--json'],
      {
        input: 'given ',
        env: { WORD: 'w$w' },
      },
    );
    expect(shown).toEqual({ code: 0, stdout: 'given a b|--json|w$w|', stderr: '' });
    const child = spawn(process.execPath, [secateurProgram, 'run', '--', 'head', '-c', '5000', '/bin/sh'], {
      env: { PATH: process.env.PATH, SECATEUR_DATA_DIR: temporaryFolder() },
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    await once(child, 'close');
    expect(Buffer.concat(chunks).length).toBe(5000);
  });

  it('[A9] secateur run prints the whole output if the store is broken or the output is too long', async () => {
    const broken = { env: { SECATEUR_DATA_DIR: '/proc/nowhere' } };
    const path = temporaryFile('log', TEST_RUN);
    expect(await secateur(['run', '--', 'cat', path], broken)).toMatchObject({ code: 0, stdout: TEST_RUN });
    const long = await secateur(['run', '--', 'seq', '1', '1500000']);
    expect(long.stdout.length).toBe(10_888_896);
  });

  it('[A9] secateur run reports a missing command as a shell does', async () => {
    expect(await secateur(['run', '--', 'no-such-command'])).toMatchObject({
      code: 127,
      stderr: expect.stringContaining('command not found'),
    });
    expect(await secateur(['run'])).toMatchObject({ code: 2 });
  });
});

/** Runs `secateur run` in a shell line around it, which gets the program as "$@". */
function runIn(
  shellLine: string,
  script: string,
  { dataDir = temporaryFolder(), before = [] as readonly string[], env = {} } = {},
) {
  const [file = '', ...args] = [...before, 'bash', '-c', shellLine, 'bash'];
  const program = [process.execPath, secateurProgram, 'run', '-g', 'why does retry fail?', '--'];
  return spawnSync(file, [...args, ...program, 'sh', '-c', script], {
    env: { PATH: process.env.PATH, HOME: dataDir, SECATEUR_DATA_DIR: dataDir, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}

describe('secateur run, if something fails', () => {
  const path = () => temporaryFile('log', `${TEST_RUN}\n`);
  const whole = { status: 3, stdout: `${TEST_RUN}\n`, stderr: '' };

  it('[X27] secateur run prints the output and keeps the exit code if the pruning process crashes', () => {
    const crash = `data:text/javascript,if(/worker/.test(process.argv[1]))process.kill(process.pid,'SIGSEGV')`;
    const env = { NODE_OPTIONS: `--import=${crash}` };
    expect(runIn('exec "$@"', `cat ${path()}; exit 3`, { env })).toMatchObject(whole);
  });

  it('[X27] secateur run prints the output and keeps the exit code if pruning runs out of memory', () => {
    const log = Array.from({ length: 80_000 }, (_, at) => `${at} ${at ** 3} connection ${at % 97} retried`);
    const long = temporaryFile('log', log.join('\n'));
    const env = { NODE_OPTIONS: '--max-old-space-size=8', SECATEUR_HOOK_TIMEOUT_MS: '60000' };
    const { status, stdout, stderr } = runIn('exec "$@"', `cat ${long}; exit 3`, { env });
    expect({ status, stderr, isWhole: stdout === log.join('\n') }).toEqual({
      status: 3,
      stderr: '',
      isWhole: true,
    });
  });

  it('[X27] secateur run keeps the exit code if standard output is on a full disk, and reports that the output cannot be written', () => {
    const shown = runIn('exec "$@" > /dev/full', `cat ${path()}; echo oops >&2; exit 3`);
    expect(shown).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/cannot be written \(ENOSPC\)\noops/),
    });
    const long = runIn('exec "$@" > /dev/full', 'seq 1 2000000; exit 3');
    expect(long.status).toBe(3);
  });

  it('[X27] secateur run prints the output and keeps the exit code if standard error cannot be written', () => {
    const shown = runIn('exec "$@" 2> /dev/full', 'echo oops >&2; echo fine; exit 3');
    expect(shown).toMatchObject({ status: 3, stdout: 'fine\n' });
  });

  it('[X27] secateur run keeps the exit code if the reader has exited, and ends a command that never ends', () => {
    const line = '"$@" | head -n 1; echo "${PIPESTATUS[0]}"';
    const short = runIn(line, 'sleep 1; seq 1 20000; exit 3');
    expect(short.stdout.split('\n').at(-2)).toBe('3');
    expect(runIn(line, 'exec yes').stdout.split('\n').slice(0, 1)).toEqual(['y']);
  });
});

describeWith(['small disk'], 'a full or read-only disk', () => {
  it('[X27] secateur run prints the output and keeps the exit code on a full disk', () => {
    const dataDir = temporaryFolder();
    const log = temporaryFile('log', `${TEST_RUN}\n`);
    const shown = runIn(
      'head -c 9999999 /dev/zero > "$HOME/fill" 2> /dev/null; exec "$@"',
      `cat ${log}; exit 3`,
      {
        dataDir,
        before: onSmallDisk(dataDir, 65_536),
      },
    );
    expect(shown).toMatchObject({ status: 3, stdout: `${TEST_RUN}\n` });
  });

  it('[X27] secateur run prints the output and keeps the exit code in a read-only data directory', () => {
    const dataDir = temporaryFolder();
    const log = temporaryFile('log', `${TEST_RUN}\n`);
    const shown = runIn('mount -o remount,ro "$HOME"; exec "$@"', `cat ${log}; exit 3`, {
      dataDir,
      before: onSmallDisk(dataDir, 65_536),
    });
    expect(shown).toMatchObject({ status: 3, stdout: `${TEST_RUN}\n`, stderr: '' });
  });

  it('[X5] [X27] secateur hook changes nothing and exits with 0 on a full disk', () => {
    const dataDir = temporaryFolder();
    const event = JSON.stringify({
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'npm test' },
      tool_response: { stdout: TEST_RUN, stderr: '', interrupted: false, isImage: false },
    });
    const fill = 'head -c 9999999 /dev/zero > "$HOME/fill" 2> /dev/null; exec "$@"';
    const [file = '', ...args] = [...onSmallDisk(dataDir, 65_536), 'sh', '-c', fill, 'sh'];
    const { status, stdout } = spawnSync(
      file,
      [...args, process.execPath, secateurProgram, 'hook', 'claude-code'],
      {
        env: { PATH: process.env.PATH, HOME: dataDir, SECATEUR_DATA_DIR: dataDir },
        input: event,
        encoding: 'utf8',
      },
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: '{}' });
  });
});
