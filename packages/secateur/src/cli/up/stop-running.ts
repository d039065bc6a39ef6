import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@secateur/base/runtime/clock.ts';
import { deadlineIn } from '@secateur/base/runtime/deadline.ts';
import type { Terminal } from '@secateur/serving/commands/terminal.ts';
import type { UpConfig } from './start-all.ts';
import { isAlive, readLiveState, removeState, statePath, type UpState } from './state-file.ts';

const LOOK_EVERY_MS = 25;

/** Ends the servers that `up` started. Returns their state, `undefined` if nothing was running. */
export async function stopRunning(
  { up, recovery }: Pick<UpConfig, 'up' | 'recovery'>,
  terminal: Terminal,
): Promise<UpState | undefined> {
  const state = readLiveState(statePath(recovery));
  if (state === undefined) return undefined;
  signal(state, 'SIGTERM');
  if (!(await hasEnded(state, up.stopTimeoutMs))) {
    signal(state, 'SIGKILL');
    terminal.note(`it did not end within ${up.stopTimeoutMs} ms and was killed`);
    await hasEnded(state, up.stopTimeoutMs);
  }
  await removeState(statePath(recovery));
  terminal.line(`secateur has stopped (process ${state.pid}).`);
  return state;
}

async function hasEnded(state: UpState, withinMs: number): Promise<boolean> {
  const deadline = deadlineIn(withinMs, systemClock);
  while (isAlive(state)) {
    if (deadline.passed()) return false;
    await delay(LOOK_EVERY_MS);
  }
  return true;
}

function signal({ pid }: UpState, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself in the meantime.
  }
}
