import { defineCommand } from '@secateur/serving/commands/command.ts';
import { stopRunning } from '../up/running.ts';

export const stop = defineCommand({
  usage: '',
  details:
    'Sends SIGTERM to the servers of `up`, and SIGKILL if they have not exited after --stop-timeout-ms.',
  sections: ['up', 'recovery'],
  examples: [{ line: 'secateur stop', does: 'stops the servers of `secateur up`, from any terminal' }],
  run: async ({ config, terminal }) => {
    const stopped = await stopRunning(config, terminal);
    if (stopped === undefined) terminal.line('secateur is not up; nothing to stop.');
    return undefined;
  },
});
