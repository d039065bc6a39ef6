import { getEventListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { noProcessWatchdog } from '../../../packages/base/src/runtime/process-watchdog.ts';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { noPipes, openPipeSupply } from '../../../packages/serving/src/workspace/output-pipes.ts';
import type { WorkspaceRoot } from '../../../packages/serving/src/workspace/root.ts';
import { type CommandRequest, runCommand } from '../../../packages/serving/src/workspace/run-command.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';
import { eventually } from '../../support/eventually.ts';
import { handClock } from '../../support/hand-clock.ts';
import { temporaryTree } from '../../support/temporary-tree.ts';

const pipes = openPipeSupply();

function run(root: WorkspaceRoot, command: string, more: Partial<CommandRequest> = {}) {
  return runCommand({
    command,
    cwd: root.real,
    ownEnv: bareEnvironment,
    env: {},
    timeoutMs: 20_000,
    maxOutputBytes: 1_048_576,
    signal: new AbortController().signal,
    watchdog: noProcessWatchdog,
    pipes,
    clock: systemClock,
    ...more,
  });
}

/** Returns whether a process is really running; a zombie is not. */
async function alive(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return state !== undefined && !/\) [ZX] /.test(state);
}

const IGNORES_TERM = "trap '' TERM; while :; do sleep 0.1; done";

it('runCommand returns both streams and the exit code', async () => {
  const root = await temporaryTree({ 'a.txt': 'hello' });
  expect(await run(root, 'cat a.txt; echo oops >&2; exit 3')).toMatchObject({
    end: { kind: 'exited', exitCode: 3 },
    stdout: 'hello',
    stderr: 'oops\n',
    truncated: false,
  });
});

it('runCommand lets a command open its output by name, as in a terminal', async () => {
  const root = await temporaryTree();
  const command = 'echo one > /dev/stdout; echo two > /dev/stderr; echo three | tee /dev/stderr';
  expect(await run(root, command)).toMatchObject({
    end: { kind: 'exited', exitCode: 0 },
    stdout: 'one\nthree\n',
    stderr: 'two\nthree\n',
  });
});

it('runCommand finds the shell with any PATH in the call, and reports a missing shell', async () => {
  const root = await temporaryTree();
  const asked = await run(root, 'echo here', { env: { PATH: '/opt/tools:$PATH' } });
  expect(asked).toMatchObject({ end: { kind: 'exited', exitCode: 0 }, stdout: 'here\n' });
  const none = await run(root, 'echo here', { ownEnv: { PATH: root.real } });
  expect(none.end).toMatchObject({ kind: 'spawn_error', errno: 'ENOENT' });
});

it('runCommand uses the shell on the PATH of the call if the server has none, with closed stdin [F5]', async () => {
  const root = await temporaryTree();
  for (const ownEnv of [{ PATH: root.real }, {}]) {
    const outcome = await run(root, 'cat; echo here', { ownEnv, env: { PATH: process.env.PATH ?? '' } });
    expect(outcome).toMatchObject({ end: { kind: 'exited', exitCode: 0 }, stdout: 'here\n' });
  }
});

it('runCommand works without pipes if pipes cannot be created', async () => {
  const root = await temporaryTree();
  expect(await run(root, 'echo one; echo two >&2', { pipes: noPipes })).toMatchObject({
    stdout: 'one\n',
    stderr: 'two\n',
  });
});

/** Counts what is open here, less the pipes that lie ready and were given to no command yet. */
function watchedPipes() {
  const given = new Set<string>();
  const opened = (fd: number | string) => readlink(`/proc/self/fd/${fd}`).catch(() => '');
  const take = async () => {
    const taken = await pipes.take();
    for (const pipe of [taken?.stdout, taken?.stderr]) given.add(await opened(pipe?.reader ?? ''));
    return taken;
  };
  const descriptors = async () => {
    const all = await Promise.all((await readdir('/proc/self/fd')).map(opened));
    return all.filter((name) => given.has(name) || !name.includes('secateur-pipe-')).length;
  };
  return { given, descriptors, pipes: { take, prepare: () => {} } };
}

it.runIf(existsSync('/proc/self/fd'))('runCommand leaves no file and no open descriptor', async () => {
  const root = await temporaryTree();
  vi.stubEnv('TMPDIR', root.real);
  onTestFinished(() => void vi.unstubAllEnvs());
  const watched = watchedPipes();
  await run(root, 'true');
  const before = await watched.descriptors();
  for (const command of ['true', 'sleep 100 & echo x', 'kill -9 $$', 'exec >&- 2>&-'])
    await run(root, command, watched);
  await run(root, 'true', { ...watched, cwd: '/no/such/place' });
  expect(watched.given.size).toBe(10);
  await expect.poll(watched.descriptors).toBeLessThanOrEqual(before);
  expect(await readdir(root.real)).toEqual([]);
});

it.runIf(existsSync('/proc/self/fd'))(
  'runCommand leaves no descriptor of a call that is cancelled immediately [X4]',
  async () => {
    const root = await temporaryTree();
    const watched = watchedPipes();
    const before = await watched.descriptors();
    const calls = Array.from({ length: 20 }, (_, index) => {
      const controller = new AbortController();
      if (index % 2 === 0) controller.abort();
      else setImmediate(() => controller.abort());
      return run(root, 'sleep 100', { ...watched, signal: controller.signal });
    });
    const ends = (await Promise.all(calls)).map(({ end }) => end.kind);
    expect(new Set(ends)).toEqual(new Set(['cancelled']));
    expect(watched.given.size).toBeGreaterThan(0);
    await expect.poll(watched.descriptors).toBeLessThanOrEqual(before);
  },
);

it.runIf(process.platform === 'linux')(
  '[X7] runCommand creates the pipes of many commands with few programs, and each command has pipes of its own',
  async () => {
    const root = await temporaryTree();
    const counting = '#!/bin/sh\necho made >> "$(dirname "$0")/log"\nPATH=${PATH#*:} exec mkfifo "$@"\n';
    await writeFile(join(root.real, 'mkfifo'), counting, { mode: 0o755 });
    vi.stubEnv('PATH', `${root.real}:${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const supply = { pipes: { ...openPipeSupply(), prepare: () => {} } };
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    // Only a pipe can be opened by name.
    const outcomes = numbers.map((number) => run(root, `echo ${number} > /dev/stderr`, supply));
    expect((await Promise.all(outcomes)).map(({ stderr }) => stderr)).toEqual(numbers.map((n) => `${n}\n`));
    expect((await readFile(join(root.real, 'log'), 'utf8')).trim().split('\n').length).toBeLessThan(10);
  },
);

it('runCommand reports the death by a signal as exit code 128 plus signal, as a shell does', async () => {
  const root = await temporaryTree();
  expect((await run(root, 'kill -KILL $$')).end).toMatchObject({
    kind: 'exited',
    exitCode: 137,
    signal: 'SIGKILL',
  });
});

it('runCommand gives commands a closed stdin [F5]', async () => {
  const root = await temporaryTree();
  expect(await run(root, 'cat; read x || echo eof')).toMatchObject({ stdout: 'eof\n', end: { exitCode: 0 } });
});

it('runCommand ends the process group after a timeout, even if the group ignores SIGTERM, and returns the output so far [F5]', async () => {
  const root = await temporaryTree();
  const command = `echo before; (${IGNORES_TERM}) & echo $! > pid; wait`;
  const outcome = await run(root, command, { timeoutMs: 5_000 });
  expect(outcome).toMatchObject({ end: { kind: 'timeout' }, stdout: 'before\n' });
  expect(await alive(Number(await readFile(join(root.real, 'pid'), 'utf8')))).toBe(false);
});

it('runCommand ends the process group of a cancelled call', async () => {
  const root = await temporaryTree();
  const caller = new AbortController();
  const running = run(root, 'sleep 100 & echo $! > pid; wait', { signal: caller.signal });
  const pid = await eventually(async () => {
    const text = await readFile(join(root.real, 'pid'), 'utf8').catch(() => '');
    return text.endsWith('\n') ? Number(text) : undefined;
  });
  caller.abort();
  expect((await running).end.kind).toBe('cancelled');
  expect(await alive(pid)).toBe(false);
  const late = await run(root, 'touch ran', { signal: caller.signal });
  expect(late.end.kind).toBe('cancelled');
});

it('runCommand starts no program if the call is cancelled while its pipes are created', async () => {
  const root = await temporaryTree();
  const caller = new AbortController();
  const tied: number[] = [];
  const watchdog = { ...noProcessWatchdog, tie: (group: number) => void tied.push(group) };
  const take = async () => {
    caller.abort();
    return pipes.take();
  };
  const supply = { take, prepare: () => {} };
  const outcome = await run(root, 'true', { signal: caller.signal, watchdog, pipes: supply });
  expect([outcome.end.kind, tied]).toEqual(['cancelled', []]);
});

it('runCommand does not wait for a child process that keeps the pipes open, and ends this process', async () => {
  const root = await temporaryTree();
  const outcome = await run(root, '(sleep 100; echo late) & echo $! > pid; echo done');
  expect(outcome).toMatchObject({ end: { kind: 'exited', exitCode: 0 }, stdout: 'done\n' });
  expect(await alive(Number(await readFile(join(root.real, 'pid'), 'utf8')))).toBe(false);
});

it('runCommand does not wait for a child process that left the group and keeps the pipes open', async () => {
  const root = await temporaryTree();
  const outcome = await run(root, 'setsid sleep 8 & echo done');
  expect(outcome).toMatchObject({ end: { kind: 'exited', exitCode: 0 }, stdout: 'done\n' });
  expect(outcome.end.durationMs).toBeLessThan(8_000);
});

it('runCommand waits for output that is still in the pipe after the shell has exited', async () => {
  const root = await temporaryTree();
  expect(await run(root, 'exec > >(sleep 0.3; cat); echo through')).toMatchObject({ stdout: 'through\n' });
});

it('runCommand shortens long output to its beginning, its end and a line with the removed amount [F5]', async () => {
  const root = await temporaryTree();
  const outcome = await run(root, 'seq 1 3000000', { maxOutputBytes: 4_096 });
  const lines = outcome.stdout.trimEnd().split('\n');
  expect(outcome.truncated).toBe(true);
  expect(Buffer.byteLength(outcome.stdout)).toBeLessThanOrEqual(4_096);
  expect(lines[0]).toBe('1');
  expect(lines.at(-1)).toBe('3000000');
  const notice = lines.find((line) => line.includes('cut here')) ?? '';
  const gone = Number(/(\d+) lines/.exec(notice)?.[1]);
  expect(gone + lines.length - 1).toBe(3_000_000);
});

it('runCommand keeps the first error of a shortened output', async () => {
  const root = await temporaryTree();
  const command =
    'seq 1 300000; echo "src/a.ts(3,4): error TS2345: no such thing"; seq 1 300000; echo "error: later"';
  const outcome = await run(root, command, { maxOutputBytes: 2_048 });
  expect(outcome.stdout).toContain('error TS2345: no such thing');
  expect(Buffer.byteLength(outcome.stdout)).toBeLessThanOrEqual(2_048);
});

it('runCommand never splits a character and observes the limit for any bytes [F8]', async () => {
  const root = await temporaryTree();
  const wide = await run(root, 'for i in $(seq 4000); do printf "世🎉é"; done', { maxOutputBytes: 2_000 });
  expect(wide.stdout).not.toContain('\ufffd');
  const binary = await run(root, 'head -c 100000 /dev/urandom', { maxOutputBytes: 2_000 });
  expect(Buffer.byteLength(binary.stdout)).toBeLessThanOrEqual(2_000);
});

it('runCommand applies one common limit to stdout and stderr', async () => {
  const root = await temporaryTree();
  const both = await run(root, 'seq 1 5000; seq 5001 9999 >&2', { maxOutputBytes: 4_096 });
  expect(Buffer.byteLength(both.stdout + both.stderr)).toBeLessThanOrEqual(4_096);
  expect(both.stdout).toContain('\n5000\n');
  expect(both.stderr).toContain('\n9999\n');
  const one = await run(root, 'seq 1 500; echo warn >&2', { maxOutputBytes: 4_096 });
  expect(one.truncated).toBe(false);
});

it('runCommand drops likely secrets from the environment, unless the call sets them [F6] [X10]', async () => {
  const root = await temporaryTree();
  const secret = 'do-not-show';
  const names = [
    'OPENAI_API_KEY',
    'GITHUB_TOKEN',
    'APP_SECRET',
    'MY_PASSWORD_FILE',
    'DEEPINFRA_API_KEY',
    'AWS_SECRET_ACCESS_KEY',
    'GH_PAT',
    'DB_PASS',
    'DATABASE_URL',
    'SECATEUR_REDIS_URL',
    'SIGNING_KEY',
    'MYSQL_PWD',
    'SENTRY_DSN',
  ];
  const ownEnv = {
    ...bareEnvironment,
    PLAIN: 'shown',
    ...Object.fromEntries(names.map((name) => [name, secret])),
  };
  const { stdout } = await run(root, 'env', { ownEnv, env: { GITHUB_TOKEN: 'given', EXTRA: 'x y' } });
  expect(stdout).toContain('PLAIN=shown');
  expect(stdout).toContain('GITHUB_TOKEN=given');
  expect(stdout).toContain('EXTRA=x y');
  expect(stdout).not.toContain(secret);
});

it('runCommand returns spawn_error if the shell cannot be started', async () => {
  const root = await temporaryTree();
  const outcome = await run(root, 'true', { cwd: join(root.real, 'gone') });
  expect(outcome.end).toMatchObject({ kind: 'spawn_error', errno: 'ENOENT' });
  for (const supply of [pipes, noPipes])
    expect((await run(root, 'echo \0', { pipes: supply })).end).toMatchObject({
      kind: 'spawn_error',
      errno: 'ERR_INVALID_ARG_VALUE',
    });
});

it('runCommand returns its duration including the wait for a slot, measured by its clock', async () => {
  const root = await temporaryTree();
  const clock = handClock();
  const enter = () => {
    clock.advance(70);
    return { ready: Promise.resolve(), leave: () => {} };
  };
  expect((await run(root, 'true', { clock, slots: { enter } })).end.durationMs).toBe(70);
});

it('[X4] runCommand leaves no listener on the signal of its caller', async () => {
  const root = await temporaryTree();
  const { signal } = new AbortController();
  await run(root, 'true', { signal });
  await run(root, 'sleep 100', { signal, timeoutMs: 50 });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
