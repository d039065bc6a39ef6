import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { bareEnvironment } from '../../support/bare-environment.ts';
import { eventually } from '../../support/eventually.ts';
import { runningGroups } from '../../support/running-groups.ts';

const PACKAGES = new URL('../../../packages/', import.meta.url).href;

const IMPORTS = `
  import { openProcessWatchdog } from '${PACKAGES}base/src/runtime/process-watchdog.ts';
  import { openPipeSupply } from '${PACKAGES}serving/src/workspace/output-pipes.ts';
  import { runCommand } from '${PACKAGES}serving/src/workspace/run-command.ts';
  import { systemClock } from '${PACKAGES}base/src/runtime/time.ts';
  const watchdog = openProcessWatchdog();
`;

const RUNS_A_COMMAND = `${IMPORTS}
  const signal = new AbortController().signal;
  const parts = { cwd: '/', ownEnv: process.env, env: {}, timeoutMs: 300_000, maxOutputBytes: 4096, signal, watchdog, pipes: openPipeSupply(), clock: systemClock };
  await runCommand({ ...parts, command: 'true' });
  console.log('up');
  await runCommand({ ...parts, command: process.env.COMMAND });
`;

/** The first command kills its owner immediately. */
const IS_KILLED_BY_ITS_FIRST = `${IMPORTS}
  const signal = new AbortController().signal;
  const parts = { cwd: '/', ownEnv: process.env, env: {}, timeoutMs: 300_000, maxOutputBytes: 4096, signal, watchdog, pipes: openPipeSupply(), clock: systemClock };
  await runCommand({ ...parts, command: process.env.COMMAND });
`;

const TIES_AND_UNTIES = `${IMPORTS}
  const group = Number(process.env.GROUP);
  const others = [4_000_011, 4_111_111, Number(String(group).slice(1)) + 4_200_000];
  for (const each of [...others, group]) watchdog.watch(each);
  for (const each of [group, ...others]) watchdog.unwatch(each);
`;

function own(script: string, env: Record<string, string>) {
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...bareEnvironment, ...env },
  });
}

it('the watchdog kills a command if the process that runs it dies, even by SIGKILL [F5] [F20] [X13]', async () => {
  const mark = `secateur-watchdog-${process.pid}`;
  const owner = own(RUNS_A_COMMAND, { COMMAND: `bash -c 'exec -a ${mark} sleep 300' & wait` });
  await once(createInterface({ input: owner.stdout }), 'line');
  await eventually(async () => (await runs(mark)) || undefined, 'the command');
  owner.kill('SIGKILL');
  await eventually(async () => !(await runs(mark)) || undefined, 'its end');
});

it('the watchdog kills the first command if its owner dies right after starting it [F20] [X13]', async () => {
  const mark = `secateur-first-${process.pid}`;
  const owner = own(IS_KILLED_BY_ITS_FIRST, { COMMAND: `kill -9 $PPID; exec -a ${mark} sleep 300` });
  expect(await once(owner, 'exit')).toEqual([null, 'SIGKILL']);
  await eventually(async () => !(await runs(mark)) || undefined, 'its end');
});

it('the watchdog leaves an unwatched group running, and lets its owner exit', async () => {
  const mark = `secateur-untied-${process.pid}`;
  const bystander = spawn('bash', ['-c', `exec -a ${mark} sleep 300`], { detached: true, stdio: 'ignore' });
  await eventually(async () => (await runs(mark)) || undefined, 'the bystander');
  const owner = own(TIES_AND_UNTIES, { GROUP: String(bystander.pid) });
  await once(owner, 'exit');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await runs(mark)).toBe(true);
  process.kill(-(bystander.pid ?? 0), 'SIGKILL');
});

async function runs(mark: string): Promise<boolean> {
  return (await runningGroups(mark)).length > 0;
}
