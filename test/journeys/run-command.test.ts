import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { TEST_RUN, temporaryFile } from '../support/hook-events.ts';
import { secateur, spawnSecateur, temporaryFolder } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';

describe('secateur run', () => {
  it('[A9] cuts what a failing command printed, on each stream, and ends with its exit code', async () => {
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

  it('[A9] dies of the signal its command died of', async () => {
    const child = spawnSecateur(['run', '--', 'sh', '-c', 'kill -KILL $$']);
    const [code, signal] = await once(child, 'close');
    expect([code, signal]).toEqual([null, 'SIGKILL']);
  });

  it('[A9] passes arguments, input and environment on, and short or binary output byte for byte', async () => {
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

  it('[A9] passes everything where the store is broken or the output too long', async () => {
    const broken = { env: { SECATEUR_DATA_DIR: '/proc/nowhere' } };
    const path = temporaryFile('log', TEST_RUN);
    expect(await secateur(['run', '--', 'cat', path], broken)).toMatchObject({ code: 0, stdout: TEST_RUN });
    const long = await secateur(['run', '--', 'seq', '1', '1500000']);
    expect(long.stdout.length).toBe(10_888_896);
  });

  it('[A9] says what a shell would say of a command that is not there', async () => {
    expect(await secateur(['run', '--', 'no-such-command'])).toMatchObject({
      code: 127,
      stderr: expect.stringContaining('command not found'),
    });
    expect(await secateur(['run'])).toMatchObject({ code: 2 });
  });
});
