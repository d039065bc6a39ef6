import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';

const OWNER = `
  import { runCommand } from ${JSON.stringify(new URL('../../src/workspace/run-command.ts', import.meta.url).href)};
  import { systemClock } from ${JSON.stringify(new URL('../../src/runtime/clock.ts', import.meta.url).href)};
  const signal = new AbortController().signal;
  const command = 'echo $$ > "$PID_FILE"; echo ready >&2; sleep 300 & sleep 300';
  console.log('up');
  await runCommand({ command, cwd: '/', ownEnv: process.env, env: {}, timeoutMs: 300_000, maxOutputBytes: 4096, signal, clock: systemClock });
`;

it('a command does not outlive the process that runs it, even one ended by SIGKILL [F5] [F20]', async () => {
  const pidFile = join(tmpdir(), `secateur-lifeline-${process.pid}`);
  const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', OWNER], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PID_FILE: pidFile },
  });
  await once(createInterface({ input: owner.stdout }), 'line');
  const leader = await eventually(async () => Number(await readFile(pidFile, 'utf8')) || undefined);
  expect(groupLives(leader)).toBe(true);
  owner.kill('SIGKILL');
  await eventually(async () => (groupLives(leader) ? undefined : true));
});

function groupLives(leader: number): boolean {
  try {
    process.kill(-leader, 0);
    return true;
  } catch {
    return false;
  }
}

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('waited in vain');
}
