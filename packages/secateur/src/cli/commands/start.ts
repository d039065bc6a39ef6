import { defineCommand } from '@secateur/serving/commands/command.ts';
import { stopRunning } from '../up/running.ts';
import { refuseSecond, startInBackground, UP_SETTINGS } from '../up/start.ts';

export const start = defineCommand({
  ...UP_SETTINGS,
  usage: '',
  details: 'Starts the servers in the background and returns when they answer, as `up --detach` does.',
  examples: [{ line: 'secateur start', does: 'runs in the background; `secateur stop` ends it' }],
  run: async (call) => {
    await refuseSecond(call.config);
    await startInBackground(call);
  },
});

export const restart = defineCommand({
  ...UP_SETTINGS,
  usage: '',
  details:
    'Stops the servers if they run, then starts them in the background. Without flags, they get the flags and the working directory with which they were started.',
  examples: [
    { line: 'secateur restart', does: 'restarts after a change of settings or an update' },
    { line: 'secateur restart --gateway-port 9000', does: 'restarts with these flags instead' },
  ],
  run: async (call) => {
    const stopped = await stopRunning(call.config, call.terminal);
    await startInBackground(call, call.argv.length === 0 ? stopped : undefined);
  },
});

export const stop = defineCommand({
  usage: '',
  details:
    'Sends SIGTERM to the servers of `up`, and SIGKILL if they have not exited after --stop-timeout-ms.',
  sections: ['up', 'recovery'],
  examples: [{ line: 'secateur stop', does: 'stops the servers of `secateur up`, from any terminal' }],
  run: async ({ config, terminal }) => {
    const stopped = await stopRunning(config, terminal);
    if (stopped === undefined) terminal.line('secateur is not up; nothing to stop.');
  },
});
