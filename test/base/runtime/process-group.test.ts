import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type GroupOptions, ProcessGroup } from '../../../packages/base/src/runtime/process-group.ts';
import type { ProcessWatchdog } from '../../../packages/base/src/runtime/process-watchdog.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryTree } from '../../support/temporary-tree.ts';

function start(script: string, more: Partial<GroupOptions> = {}): ProcessGroup {
  const command = ['/bin/sh', '-c', script];
  const group = new ProcessGroup({ command, cwd: undefined, stdio: ['ignore', 'pipe', 'pipe'], ...more });
  onTestFinished(() => group.kill());
  return group;
}

async function printed(group: ProcessGroup): Promise<string> {
  const chunks = await group.stdout?.toArray();
  return Buffer.concat(chunks ?? []).toString();
}

/** Returns whether a process is really running; a zombie is not. */
async function alive(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return state !== undefined && !/\) [ZX] /.test(state);
}

/** Returns the PID that the script writes when it is ready for signals. */
async function pidIn(folder: string): Promise<number> {
  return eventually(async () => {
    const text = await readFile(join(folder, 'pid'), 'utf8').catch(() => '');
    return text.endsWith('\n') ? Number(text) : undefined;
  });
}

function recordingWatchdog(): { watchdog: ProcessWatchdog; told: string[] } {
  const told: string[] = [];
  const watchdog = {
    prepare: () => void told.push('prepare'),
    watch: (group: number) => void told.push(`watch ${group}`),
    unwatch: (group: number) => void told.push(`unwatch ${group}`),
  };
  return { watchdog, told };
}

it('ProcessGroup returns how its leader ended, and returns undefined while the leader runs', async () => {
  const group = start('read -r _; exit 3', { stdio: ['pipe', 'pipe', 'pipe'] });
  expect([group.end, await group.endsWithin(20)]).toEqual([undefined, false]);
  group.stdin?.end('\n');
  expect(await group.ended).toEqual({ kind: 'exited', code: 3, signal: null });
  expect([group.end, await group.endsWithin(20_000)]).toEqual([await group.ended, true]);
  await group.closed;
  const killed = start('kill -KILL $$');
  expect(await killed.ended).toEqual({ kind: 'exited', code: null, signal: 'SIGKILL' });
});

it('ProcessGroup runs in the given folder; by default it has the environment of this process', async () => {
  const { real } = await temporaryTree();
  expect(await printed(start('pwd; echo "$PATH"', { cwd: real }))).toBe(`${real}\n${process.env.PATH}\n`);
  expect(await printed(start('echo "$WORD:$HOME"', { env: { WORD: 'hello' } }))).toBe('hello:\n');
});

it('ProcessGroup reports why its program was not started', async () => {
  const { real } = await temporaryTree();
  const missing = new ProcessGroup({ command: [join(real, 'gone')], cwd: undefined, stdio: 'ignore' });
  expect(await missing.ended).toMatchObject({
    kind: 'not_started',
    errno: 'ENOENT',
    cause: expect.any(Error),
  });
  expect(missing.end).toEqual(await missing.ended);
  expect(await missing.stop(20_000)).toBe(true);
});

it('ProcessGroup reports an error if Node refuses to start the program', async () => {
  const { watchdog, told } = recordingWatchdog();
  const group = new ProcessGroup({ command: ['no\0name'], cwd: undefined, stdio: 'pipe', watchdog });
  expect(group.end).toMatchObject({ kind: 'not_started', errno: 'ERR_INVALID_ARG_VALUE' });
  expect(await group.ended).toEqual(group.end);
  expect([group.pid, group.stdin, group.stdout, group.stderr]).toEqual([undefined, null, null, null]);
  await group.closed;
  group.unref();
  await group.kill();
  expect([await group.stop(20_000), told]).toEqual([true, ['prepare']]);
});

it.each([
  { how: 'it is stopped', script: 'sleep 100', end: (group: ProcessGroup) => group.stop(20_000) },
  { how: 'it is killed', script: 'sleep 100', end: (group: ProcessGroup) => group.kill() },
  {
    how: 'it is stopped after it went by itself',
    script: 'exit 0',
    end: (group: ProcessGroup) => group.ended.then(() => group.stop(20_000)),
  },
])('[X13] ProcessGroup is watched from its start until $how', async ({ script, end }) => {
  const { watchdog, told } = recordingWatchdog();
  const group = start(script, { watchdog });
  expect(told).toEqual(['prepare', `watch ${group.pid}`]);
  await end(group);
  expect(new Set(told.slice(2))).toEqual(new Set([`unwatch ${group.pid}`]));
});

it('ProcessGroup.stop ends every process that reacts to SIGTERM, and returns true', async () => {
  const { real } = await temporaryTree();
  const child = "sh -c 'echo $$ > pid; exec sleep 100'";
  const group = start(`trap 'exit 7' TERM; ${child} & wait`, { cwd: real });
  const pid = await pidIn(real);
  expect(await group.stop(20_000)).toBe(true);
  expect([group.end, await alive(pid)]).toEqual([{ kind: 'exited', code: 7, signal: null }, false]);
});

/** Runs for at least 30 seconds, but ends by itself if a test fails. */
const IGNORES_TERM = "trap '' TERM; echo > ready; for _ in $(seq 600); do sleep 0.05; done";
const LEAVES_ONE_BEHIND = `(${IGNORES_TERM}) & while [ ! -e ready ]; do sleep 0.01; done; echo $! > pid`;

it.each([
  { who: 'a leader', script: `echo $$ > pid; ${IGNORES_TERM}` },
  { who: 'a child of one that waits for it', script: `${LEAVES_ONE_BEHIND}; wait` },
  { who: 'a child of one that went', script: LEAVES_ONE_BEHIND },
])('[F5] ProcessGroup.stop kills its group and returns false if $who ignores SIGTERM', async ({ script }) => {
  const { real } = await temporaryTree();
  const group = start(script, { cwd: real });
  const pid = await pidIn(real);
  await eventually(async () => existsSync(join(real, 'ready')) || undefined);
  expect(await group.stop(100)).toBe(false);
  expect(await alive(pid)).toBe(false);
});

it('ProcessGroup kills all its processes immediately, including processes that its leader left running', async () => {
  const { real } = await temporaryTree();
  const group = start(LEAVES_ONE_BEHIND, { cwd: real });
  const child = await pidIn(real);
  await group.ended;
  expect(await alive(child)).toBe(true);
  await group.kill();
  expect(await alive(child)).toBe(false);
});

it('stopping a ProcessGroup does not affect other groups', async () => {
  const { real } = await temporaryTree();
  const bystander = start('sleep 100');
  const group = start('echo $$ > pid; sleep 100', { cwd: real });
  await pidIn(real);
  await group.stop(20_000);
  expect(bystander.end).toBeUndefined();
  expect(await alive(bystander.pid ?? 0)).toBe(true);
});
