import { readlinkSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type AttachedRequest, runAttached } from '../../../packages/serving/src/workspace/run-attached.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';
import { temporaryTree } from '../../support/temporary-tree.ts';

async function run(file: string, args: readonly string[], more: Partial<AttachedRequest> = {}) {
  const overflown = { stdout: '', stderr: '' };
  const { end, output } = await runAttached({
    file,
    args,
    cwd: '/',
    env: bareEnvironment,
    maxBytes: 1_000_000,
    onOverflow: (stream, chunk) => {
      overflown[stream] += chunk;
      return undefined;
    },
    ...more,
  });
  return { end, stdout: output?.stdout.toString(), stderr: output?.stderr.toString(), overflown };
}

const sh = (script: string, more: Partial<AttachedRequest> = {}) => run('/bin/sh', ['-c', script], more);

it('runAttached returns the output of a program per stream, and its exit code', async () => {
  expect(await sh('echo one; echo oops >&2; echo two; exit 3')).toEqual({
    end: { kind: 'exited', exitCode: 3 },
    stdout: 'one\ntwo\n',
    stderr: 'oops\n',
    overflown: { stdout: '', stderr: '' },
  });
});

it('runAttached returns the signal that ended the program, and its output', async () => {
  expect(await sh('echo before; kill -TERM $$')).toMatchObject({
    end: { kind: 'killed', signal: 'SIGTERM' },
    stdout: 'before\n',
  });
});

it('runAttached reports why a program was not started', async () => {
  const root = await temporaryTree({ plain: '#!/bin/sh\n' });
  await chmod(join(root.real, 'plain'), 0o644);
  expect(await run(join(root.real, 'gone'), [])).toEqual({
    end: { kind: 'not_started', errno: 'ENOENT' },
    stdout: '',
    stderr: '',
    overflown: { stdout: '', stderr: '' },
  });
  expect((await run(join(root.real, 'plain'), [])).end).toEqual({ kind: 'not_started', errno: 'EACCES' });
});

it('runAttached uses exactly the given folder and environment', async () => {
  const { real } = await temporaryTree();
  const { stdout } = await sh('pwd; echo "$GREETING $HOME"', { cwd: real, env: { GREETING: 'hello' } });
  expect(stdout).toBe(`${real}\nhello \n`);
});

it('runAttached passes a command line to a shell, and starts a program without a shell', async () => {
  expect((await run('echo $((1 + 1))', [], { isShellLine: true })).stdout).toBe('2\n');
  expect((await run('echo $((1 + 1))', [])).end).toEqual({ kind: 'not_started', errno: 'ENOENT' });
  expect((await run('echo', ['$((1 + 1))'])).stdout).toBe('$((1 + 1))\n');
});

it('runAttached writes input to the program, even if the program does not read it', async () => {
  expect((await run('cat', [], { input: 'read me' })).stdout).toBe('read me');
  const unread = await sh('exec true', { input: 'x'.repeat(1_000_000) });
  expect(unread.end).toEqual({ kind: 'exited', exitCode: 0 });
});

it.runIf(process.platform === 'linux')(
  'runAttached connects the program to the input of its caller by default',
  async () => {
    const { stdout } = await sh('readlink /proc/self/fd/0');
    expect(stdout).toBe(`${readlinkSync('/proc/self/fd/0')}\n`);
  },
);

it('runAttached returns output up to the limit, and forwards every byte of a longer output once', async () => {
  const fits = await sh('printf 12345; printf 67890 >&2', { maxBytes: 10 });
  expect(fits).toMatchObject({ stdout: '12345', stderr: '67890', overflown: { stdout: '', stderr: '' } });
  const longer = await sh('printf 12345; printf 67890 >&2', { maxBytes: 9 });
  expect(longer).toEqual({
    end: { kind: 'exited', exitCode: 0 },
    stdout: undefined,
    stderr: undefined,
    overflown: { stdout: '12345', stderr: '67890' },
  });
  // More than a pipe holds: it comes in many pieces.
  const { overflown } = await sh('yes line | head -c 500000', { maxBytes: 200_000 });
  expect(overflown.stdout).toBe('line\n'.repeat(100_000));
});

it('[X27] runAttached makes the program wait for a slow reader instead of buffering its output', async () => {
  let [held, most] = [0, 0];
  const { end } = await sh('yes line | head -c 3000000', {
    maxBytes: 100_000,
    onOverflow: async (_stream, chunk) => {
      held += chunk.length;
      most = Math.max(most, held);
      await new Promise((resolve) => setImmediate(resolve));
      held -= chunk.length;
    },
  });
  expect(end).toEqual({ kind: 'exited', exitCode: 0 });
  expect(most).toBeLessThan(300_000);
});

it('[X27] runAttached closes the output of a program if the reader has exited, and keeps reading after other errors', async () => {
  const failing = (code: string) => async () => {
    throw Object.assign(new Error(code), { code });
  };
  const gone = await sh('exec yes line', { maxBytes: 100_000, onOverflow: failing('EPIPE') });
  expect(gone.end).toMatchObject({ kind: expect.stringMatching(/^(?:killed|exited)$/) });
  const full = await sh('yes line | head -c 3000000; exit 3', {
    maxBytes: 100_000,
    onOverflow: failing('ENOSPC'),
  });
  expect(full.end).toEqual({ kind: 'exited', exitCode: 3 });
});

it('[X27] runAttached kills a program after the time limit', async () => {
  expect((await sh('exec sleep 60', { timeoutMs: 50 })).end).toEqual({ kind: 'killed', signal: 'SIGKILL' });
});
