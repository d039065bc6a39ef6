import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../runtime/clock.ts';
import { deadlineIn } from '../../runtime/deadline.ts';
import { defineCommand } from '../command.ts';
import { isAlive, readLiveState, removeState, statePath, type UpState } from '../up/state-file.ts';

const LOOK_EVERY_MS = 25;

export const stop = defineCommand({
  usage: '',
  details: 'Asks the servers of `up` to end; kills them when they have not after --stop-timeout-ms.',
  sections: ['up', 'recovery'],
  examples: [{ line: 'secateur stop', does: 'ends what `secateur up` started, in whatever terminal' }],
  run: async ({ config, terminal }) => {
    const state = readLiveState(statePath(config.recovery));
    if (state === undefined) {
      terminal.line('secateur is not up; nothing to stop.');
      return;
    }
    signal(state, 'SIGTERM');
    if (!(await hasEnded(state, config.up.stopTimeoutMs))) {
      signal(state, 'SIGKILL');
      terminal.note(`it did not end within ${config.up.stopTimeoutMs} ms and was killed`);
      await hasEnded(state, config.up.stopTimeoutMs);
    }
    await removeState(statePath(config.recovery));
    terminal.line(`secateur has stopped (process ${state.pid}).`);
  },
});

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
