import { readAtMost } from '@secateur/base/runtime/bounded-reading.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { deadlineIn, systemClock, withTimeout } from '@secateur/base/runtime/time.ts';
import { parsedFields, parsedJson } from '@secateur/base/text/json.ts';
import { defineCommand } from '@secateur/serving/commands/command.ts';
import type { Terminal } from '@secateur/serving/commands/terminal.ts';
import { isConfigError } from '@secateur/serving/config/config-file.ts';
import { faultsIn, loadConfig } from '@secateur/serving/config/load.ts';
import { switchedOff } from '@secateur/serving/config/off-switch.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import { type HookClient, NO_CHANGE } from '../../servers/hooks/client.ts';
import { HOOK_CLIENTS } from '../../servers/hooks/clients.ts';
import type { HookConfig, HookProcess } from '../hook-deps.ts';
import { askServers } from '../hook-socket/socket.ts';

/** Maximum bytes of an event. It is larger than any output that a client shows; outputs in longer events stay unchanged. */
const MAX_EVENT_BYTES = 64 * 1024 * 1024;

export const hook = defineCommand({
  usage: 'CLIENT',
  details:
    `Reads one hook event (JSON) from standard input and answers it on standard output. CLIENT is one of ${HOOK_CLIENTS.map(({ name }) => name).join(', ')}. ` +
    'If anything fails, it prints {} and exits with 0, so that nothing changes for the agent.',
  sections: ['hook', 'pruner', 'recovery', 'audit'],
  flagPrefixes: { pruner: false, audit: false },
  defaults: { recovery: { store: 'embedded' } },
  positionals: { min: 1, max: 1 },
  examples: [{ line: 'secateur hook claude-code < event.json', does: 'what the agent would see' }],
  failOpen: async (terminal, failure) =>
    say(terminal, await answerFailure(terminal, failure).catch(() => NO_CHANGE)),
  run: async ({ config, files, warnings, positionals, terminal, origin, self }) => {
    const client = HOOK_CLIENTS.find(({ name }) => name === positionals[0]);
    const { timeoutMs, enabled } = config.hook;
    const event = await withTimeout(readAtMost(terminal.input, MAX_EVENT_BYTES), timeoutMs).catch(
      () => undefined,
    );
    const isOff = !enabled || switchedOff(origin, origin.cwd) !== undefined;
    if (client === undefined || event === undefined || isOff) return void say(terminal, NO_CHANGE);
    const until = deadlineIn(timeoutMs, systemClock);
    const faults = faultsIn({ warnings, files });
    const surroundings = { origin, self, errors: terminal.errors, until, faults };
    // A server of the same session has already loaded the engine.
    const answer = await askServers({ client: client.name, event, until }, config, surroundings);
    if (answer !== undefined) say(terminal, answer);
    else await answerHere({ client, event, terminal }, config, surroundings);
  },
});

/** Answers an event after a failure. Agents learn of wrong settings only when a session starts (A18). */
async function answerFailure(
  { input, errors }: Terminal,
  { error, origin, argv }: { error: unknown; origin: LaunchContext; argv: readonly string[] },
): Promise<object> {
  const client = HOOK_CLIENTS.find(({ name }) => name === argv[0]);
  if (!(error instanceof DomainError) || !isConfigError(error) || client === undefined) return NO_CHANGE;
  const { config } = loadConfig(['hook', 'recovery'], { origin, flags: new Map(), withoutFiles: true });
  const bytes = await withTimeout(readAtMost(input, MAX_EVENT_BYTES), config.hook.timeoutMs);
  const event = bytes && parsedFields(bytes.toString('utf8'));
  const [deps, hook] = await Promise.all([import('../hook-deps.ts'), import('../../servers/hooks/hook.ts')]);
  const files = { openTranscript: () => undefined, openOutput: () => undefined };
  const read = event && (await client.read(event, files));
  if (read?.kind !== 'session') return NO_CHANGE;
  const data = { client: client.name, faults: [error.message] };
  deps.failureLog(config, errors).emit({ level: 'warn', event: 'settings.wrong', data });
  return read.tell(`secateur changes nothing in this session.${hook.wrongSettings(error.message, 1)}`);
}

function say({ output, input }: Terminal, answer: object): void {
  output.write(JSON.stringify(answer));
  // A client may keep this process's input open, which would keep the process alive.
  input.destroy();
}

/** Answers the event in this process. It has to load the engine first. */
async function answerHere(
  { client, event, terminal }: { client: HookClient; event: Buffer; terminal: Terminal },
  config: HookConfig,
  surroundings: HookProcess,
): Promise<void> {
  const json = parsedJson(event.toString('utf8'));
  if (json === undefined) return say(terminal, NO_CHANGE);
  const [deps, hook] = await Promise.all([import('../hook-deps.ts'), import('../../servers/hooks/hook.ts')]);
  // Sends the answer before the store is closed, because the agent waits only for the answer.
  await deps.withHookDeps(config, surroundings, async (parts) =>
    say(terminal, await hook.answerEvent(client, json, parts)),
  );
}
