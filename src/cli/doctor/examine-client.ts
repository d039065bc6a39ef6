import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Origin } from '../../config/origin.ts';
import type { HookClient } from '../../servers/hooks/client.ts';
import { HOOK_CLIENTS } from '../../servers/hooks/clients.ts';
import type { Fields } from '../../text/json-value.ts';
import { estimateTokens } from '../../text/token-estimate.ts';
import { runAttached } from '../../workspace/run-attached.ts';
import { hasRules } from '../connect/client-rules.ts';
import { CLIENTS, OWN_NAME } from '../connect/clients.ts';
import { type HooksFile, hookCommands, hooksFileOf } from '../connect/hooks-file.ts';
import { type Part, planAll, WITHOUT_TOOL } from '../connect/plan-all.ts';
import { readClientFile, Texts } from '../connect/texts.ts';
import { copiesFolder, writeFiles } from '../connect/write-files.ts';
import { type OwnProgram, ownProgram } from '../own-program.ts';
import { usageError } from '../usage-error.ts';
import { untrustedEvents } from './codex-trust.ts';
import type { Finding } from './examine.ts';
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
  const renewed = renewEntries(file, own);
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
    ...(commands.length > 0 ? recoveryOf(file, commands, origin) : []),
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

/** Checks that what cut outputs name gives lines back (A14). */
function recoveryOf({ client }: HooksFile, commands: readonly string[], origin: Origin): Finding[] {
  const isNamed = !commands.some((command) => command.startsWith(WITHOUT_TOOL));
  const { path, entry } = ownEntry(client.name, origin);
  if (!isNamed || entry !== undefined) return [];
  const found = `cut outputs name recover_text, which is not in ${path}`;
  return [{ what: 'Recovery', state: 'broken', found, advice: `secateur connect ${client.name} --write` }];
}

/** Our server in the client's file of servers. */
function ownEntry(name: string, origin: Origin): { path: string; entry: Fields | undefined } {
  const client = CLIENTS.find((each) => each.name === name);
  const file = client?.userFile?.(origin);
  if (client === undefined || file === undefined) return { path: '', entry: undefined };
  const text = readClientFile(file.path) ?? '';
  return {
    path: file.path,
    entry: text.trim() === '' ? undefined : client.format.read(text, file).get(OWN_NAME),
  };
}

/** Writes hooks and server of a client again (A12) if a file that they name does not exist any more. */
function renewEntries(file: HooksFile, own: OwnProgram): Finding[] {
  const { origin } = own;
  const client = CLIENTS.find(({ name }) => name === file.client.name);
  if (client === undefined) return [];
  const commands = hookCommands(readClientFile(file.path) ?? '', file);
  const { entry } = ownEntry(client.name, origin);
  const missing = [...commands, ...wordsIn(entry)].flatMap(missingPaths);
  if (missing.length === 0) return [];
  const parts: Part[] = [
    ...(commands.length > 0 ? ['hooks' as const] : []),
    ...(entry ? ['tools' as const] : []),
    ...(hasRules(client.name, new Texts(), origin) ? ['permissions' as const] : []),
  ];
  const withTools = wordsIn(entry).includes('focus');
  const program = ownProgram(own);
  const { changes } = planAll({
    client,
    origin,
    files: [],
    parts,
    program,
    withTools,
    gatewayUrl: '',
    gatewayConfigPath: '',
  });
  writeFiles(changes, copiesFolder(origin));
  return [
    {
      what: 'Entries',
      state: 'note',
      found: `named ${missing[0]}, which does not exist any more; they start ${program.join(' ')} now`,
      advice: `Restart ${client.title}.`,
    },
  ];
}

function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsIn) : [];
}

/** The absolute paths in a shell line that do not exist. */
function missingPaths(line: string): string[] {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(([, ...found]) => found.join(''));
  return words.filter((word) => isAbsolute(word) && !existsSync(word));
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
