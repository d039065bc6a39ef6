import { defineCommand } from '@secateur/serving/commands/command.ts';
import { stopRunning } from '../up/stop-running.ts';

export const stop = defineCommand({
  usage: '',
  details: 'Asks the servers of `up` to end; kills them when they have not after --stop-timeout-ms.',
  sections: ['up', 'recovery'],
  examples: [{ line: 'secateur stop', does: 'ends what `secateur up` started, in whatever terminal' }],
  run: async ({ config, terminal }) => {
    const stopped = await stopRunning(config, terminal);
    if (stopped === undefined) terminal.line('secateur is not up; nothing to stop.');
    return undefined;
  },
});
