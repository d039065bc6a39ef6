import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { within } from '../../runtime/within.ts';
import { HOOK_CLIENTS } from '../../servers/hooks/clients.ts';
import { answerEvent, NO_CHANGE } from '../../servers/hooks/hook.ts';
import { defineCommand } from '../command.ts';
import { SUCCESS } from '../exit-codes.ts';
import { withHookParts } from '../hook-parts.ts';
import type { Terminal } from '../terminal.ts';

export const hook = defineCommand({
  usage: 'CLIENT',
  details:
    `Reads one hook event (JSON) from standard input and answers it on standard output. CLIENT is one of ${HOOK_CLIENTS.map(({ name }) => name).join(', ')}. ` +
    'Whatever goes wrong, it answers {} and ends with 0: nothing changes for the agent.',
  sections: ['hook', 'pruner', 'recovery', 'audit'],
  flagPrefixes: { pruner: false, audit: false },
  defaults: { recovery: { store: 'embedded' } },
  positionals: { min: 1, max: 1 },
  examples: [{ line: 'secateur hook claude-code < event.json', does: 'what the agent would see' }],
  failOpen: (terminal) => {
    say(terminal, NO_CHANGE);
    return SUCCESS;
  },
  run: async ({ config, positionals, terminal, origin, self }) => {
    const client = HOOK_CLIENTS.find(({ name }) => name === positionals[0]);
    const event = await readEvent(terminal.input, config.hook.timeoutMs);
    if (client === undefined || event === undefined) {
      say(terminal, NO_CHANGE);
      return SUCCESS;
    }
    const surroundings = { origin, self, errors: terminal.errors };
    // Said before the store closes: the agent waits for the answer, not for our tidying up.
    await withHookParts(config, surroundings, async (parts) =>
      say(terminal, await answerEvent(client, event, parts)),
    );
    return SUCCESS;
  },
});

function say({ output, input }: Terminal, answer: object): void {
  output.write(JSON.stringify(answer));
  // A client that keeps our input open would keep the process alive.
  input.destroy();
}

/** The JSON on a stream; nothing where it is none, or does not end in time. */
async function readEvent(input: Readable, timeoutMs: number): Promise<unknown> {
  try {
    const bytes = await within(buffer(input), timeoutMs);
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
