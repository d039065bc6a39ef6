import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { usageError } from '@secateur/serving/commands/usage-error.ts';
import type { Origin } from '@secateur/serving/config/origin.ts';
import { runAttached } from '@secateur/serving/workspace/run-attached.ts';
import type { HookClient } from '../../servers/hooks/client.ts';
import { HOOK_CLIENTS } from '../../servers/hooks/clients.ts';
import { hasRules } from '../connect/client-rules.ts';
import { CLIENTS } from '../connect/clients.ts';
import { type HooksFile, hookCommands, hooksFileOf } from '../connect/hooks-file.ts';
import { ownEntry, type Part, planAll } from '../connect/plan-all.ts';
import { readClientFile, Texts } from '../connect/texts.ts';
import { copiesFolder, writeFiles } from '../connect/write-files.ts';
import { type OwnProgram, ownProgram } from '../own-program.ts';
import { untrustedEvents } from './codex-trust.ts';
import type { Finding } from './examine.ts';
import { renewHooks } from './renew-hooks.ts';
import { SAMPLE_OUTPUT, sampleEvent } from './sample-event.ts';

/**
 * Sends a sample event through the hook that is installed in a client, and reports what its agent would see. Entries
 * whose program was moved or removed are written again first.
 */
export async function examineClient(name: string, own: OwnProgram): Promise<Finding[]> {
  const { origin } = own;
  const file = hooksFileOf(name, origin);
  if (file === undefined) throw usageError(`${name}: no client with hooks; one of ${NAMES.join(', ')}`);
  const { client, path } = file;
  const isInstalled = hookCommands(readClientFile(path) ?? '', file).length > 0;
  const renewed = [...renewServer(file, own), ...(isInstalled ? renewHooks(file, own) : [])];
  const commands = hookCommands(readClientFile(path) ?? '', file);
  const plugin = client.installation.pluginCommand?.(origin);
  const command = commands[0] ?? plugin;
  if (command === undefined) return [notConnected(file)];
  return [
    {
      what: client.title,
      state: 'fine',
      found: commands.length > 0 ? `hooks in ${path}` : 'hooks of the plugin',
    },
    ...renewed,
    ...(commands.length > 0 && plugin !== undefined ? [TWICE] : []),
    ...(client.name === 'codex' ? trustOf(file, commands) : []),
    await tryHook(client, command, origin),
  ];
}

const NAMES = HOOK_CLIENTS.map(({ name }) => name);

const TWICE: Finding = {
  what: 'Plugin',
  state: 'note',
  found: 'is installed as well: each output goes through two hooks',
  advice: 'secateur connect claude-code --undo leaves the plugin alone.',
};

function notConnected({ client: { title, name }, path }: HooksFile): Finding {
  const advice = `secateur connect ${name} --write`;
  return { what: title, state: 'broken', found: `no hook of secateur in ${path}`, advice };
}

function trustOf({ path, client }: HooksFile, commands: readonly string[]): Finding[] {
  const untrusted = untrustedEvents(path, (command) => commands.includes(command));
  if (untrusted.length === 0) return [{ what: 'Trust', state: 'fine', found: 'Codex runs these hooks' }];
  const found = `Codex skips the hooks for ${untrusted.join(', ')}: they are not trusted, or were changed since`;
  return [{ what: 'Trust', state: 'broken', found, advice: client.installation.advice ?? '' }];
}

/** Writes server and rules of a client again (A12) if a file that the server's entry names does not exist any more. */
function renewServer({ client: { name } }: HooksFile, own: OwnProgram): Finding[] {
  const { origin, self } = own;
  const client = CLIENTS.find((each) => each.name === name);
  const { entry } = ownEntry(name, origin, new Texts());
  const [missing] = wordsIn(entry).filter((word) => isAbsolute(word) && !existsSync(word));
  if (client === undefined || missing === undefined) return [];
  const parts: Part[] = hasRules(name, new Texts(), origin) ? ['tools', 'permissions'] : ['tools'];
  const program = ownProgram(own);
  const { changes } = planAll({
    ...{ client, origin, files: [], parts, program, self, replacesPrefix: false },
    ...{ withTools: wordsIn(entry).includes('focus'), gatewayUrl: '', gatewayConfigPath: '' },
  });
  writeFiles(changes, copiesFolder(origin));
  const found = `named ${missing}, which does not exist any more; it starts ${program.join(' ')} now`;
  return [{ what: 'Server', state: 'note', found, advice: `Restart ${client.title}.` }];
}

function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsIn) : [];
}

const MOST_BYTES = 1024 * 1024;

async function tryHook(client: HookClient, command: string, origin: Origin): Promise<Finding> {
  const sample = sampleEvent(client);
  const outcome = await runAttached({
    file: command,
    args: [],
    isShellLine: true,
    cwd: origin.cwd,
    env: { ...origin.env, SECATEUR_HOOK_LOG: 'stderr' },
    input: JSON.stringify(sample.event),
    maxBytes: MOST_BYTES,
    onOverflow: () => undefined,
  });
  const answer = outcome.output?.stdout.toString('utf8') ?? '';
  const shown = sample.shownIn(answer);
  if (shown === undefined) {
    const said = outcome.output?.stderr.toString('utf8').trim() || `it answered ${answer || 'nothing'}`;
    return { what: 'A sample output', state: 'broken', found: `passes ${client.title} whole`, advice: said };
  }
  const [before, after] = [SAMPLE_OUTPUT, shown].map(estimateTokens);
  return {
    what: 'A sample output',
    state: 'fine',
    found: `${before} tokens of a test run reach the agent as ${after}:`,
    advice: `\n${shown}`.replaceAll('\n', '\n    '),
  };
}
