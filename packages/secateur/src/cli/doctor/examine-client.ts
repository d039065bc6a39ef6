import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type Fields, isFields, parsedFields } from '@secateur/base/text/json.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { usageError } from '@secateur/serving/commands/command.ts';
import { tryParseToml } from '@secateur/serving/config/config-file.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import { runAttached } from '@secateur/serving/workspace/run-attached.ts';
import type { HookClient } from '../../servers/hooks/client.ts';
import { HOOK_CLIENTS } from '../../servers/hooks/clients.ts';
import { hasRules } from '../connect/client-rules.ts';
import { CLIENTS } from '../connect/clients.ts';
import { type HooksFile, hookCommands, hooksFileOf } from '../connect/hooks-file.ts';
import { parsedObject, readClientFile, Texts } from '../connect/pending-edits.ts';
import { hookLine, ownEntry, type Part, planAll, withHookLine } from '../connect/plan.ts';
import { type ClientScript, scriptsOf } from '../connect/scripts.ts';
import { copiesFolder, writeFiles } from '../connect/write-files.ts';
import { type OwnProgram, ownProgram } from '../own-program.ts';

/** Result of one check. `note`: the check passed, but the text may be of interest to the user. */
export interface Finding {
  readonly what: string;
  readonly state: 'fine' | 'note' | 'broken';
  readonly found: string;
  readonly advice?: string;
}

function findingOf(state: Finding['state']) {
  return (what: string, found: string, advice?: string): Finding => {
    return { what, state, found, ...(advice && { advice }) };
  };
}

export const fine = findingOf('fine');
export const note = findingOf('note');
export const broken = findingOf('broken');

/**
 * Sends a sample event through a client's installed hook, and reports what the agent would see. Before that,
 * entries are written again if their program was moved or removed.
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
  const advice = `secateur connect ${name} --write`;
  if (command === undefined) return [broken(client.title, `no hook of secateur in ${path}`, advice)];
  return [
    fine(client.title, commands.length > 0 ? `hooks in ${path}` : 'hooks of the plugin'),
    ...renewed,
    ...(commands.length > 0 && plugin !== undefined ? [TWICE] : []),
    ...(client.name === 'codex' ? trustOf(file, commands) : []),
    await tryHook(client, command, origin),
  ];
}

const NAMES = HOOK_CLIENTS.map(({ name }) => name);

const TWICE = note(
  'Plugin',
  'is installed as well: each output goes through two hooks',
  'secateur connect claude-code --undo leaves the plugin alone.',
);

function trustOf({ path, client }: HooksFile, commands: readonly string[]): Finding[] {
  const untrusted = untrustedEvents(path, (command) => commands.includes(command));
  if (untrusted.length === 0) return [fine('Trust', 'Codex runs these hooks')];
  const found = `Codex skips the hooks for ${untrusted.join(', ')}: they are not trusted, or were changed since`;
  return [broken('Trust', found, client.installation.advice)];
}

/** Writes the client's server and rules again (A12) if a file that an entry names does not exist. */
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
  return [note('Server', found, `Restart ${client.title}.`)];
}

function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsIn) : [];
}

const MAX_BYTES = 1024 * 1024;

async function tryHook(client: HookClient, command: string, origin: LaunchContext): Promise<Finding> {
  const { event, shownIn } = client.sample(SAMPLE_OUTPUT);
  const outcome = await runAttached({
    file: command,
    args: [],
    isShellLine: true,
    cwd: origin.cwd,
    // Without the ledger, because the sample must not count as saved.
    env: { ...origin.env, SECATEUR_HOOK_LOG: 'stderr', SECATEUR_AUDIT: 'off' },
    input: JSON.stringify(event),
    maxBytes: MAX_BYTES,
    onOverflow: () => undefined,
  });
  const answer = outcome.output?.stdout.toString('utf8') ?? '';
  const shown = shownIn(parsedFields(answer) ?? {});
  if (typeof shown !== 'string' || shown === '') {
    const said = outcome.output?.stderr.toString('utf8').trim() || `it answered ${answer || 'nothing'}`;
    return broken('A sample output', `passes ${client.title} whole`, said);
  }
  const [before, after] = [SAMPLE_OUTPUT, shown].map(estimateTokens);
  const found = `${before} tokens of a test run reach the agent as ${after}:`;
  return fine('A sample output', found, `\n${shown}`.replaceAll('\n', '\n    '));
}

/** Output of a verbose test run: one failure among many passing lines. */
const SAMPLE_OUTPUT = [
  ...Array.from({ length: 90 }, (_, at) => `  ✓ test ${at + 1}: the watering can of floor ${at} is full`),
  '  ✗ test 91: a lost connection is tried again',
  '    Error: expected a delay of 200 ms, got 100 ms',
  '        at retryDelay (src/retry.ts:42:11)',
  ...Array.from({ length: 60 }, (_, at) => `  ✓ test ${at + 92}: the plant of floor ${at} was watered`),
  '150 passed, 1 failed',
].join('\n');

/**
 * Returns the events whose hooks in Codex's `hooks.json` are skipped, because the user has not trusted them
 * with `/hooks` or they changed since. Codex stores a hash of each trusted hook in its `config.toml`.
 */
function untrustedEvents(hooksPath: string, isOwn: (command: string) => boolean): readonly string[] {
  const config = tryParseToml(readClientFile(join(dirname(hooksPath), 'config.toml')) ?? '');
  const hooks = config instanceof Error ? undefined : config.hooks;
  const trusted = isFields(hooks) && isFields(hooks.state) ? hooks.state : {};
  const listed = parsedObject(readClientFile(hooksPath) ?? '', hooksPath).hooks;
  return Object.entries(isFields(listed) ? listed : {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown, at) => {
      const hook = isFields(group) && Array.isArray(group.hooks) ? (group.hooks[0] as unknown) : undefined;
      if (!isFields(group) || !isFields(hook) || !isOwn(String(hook.command))) return [];
      const name = event.replaceAll(/(?<=[a-z])([A-Z])/g, '_$1').toLowerCase();
      const state = trusted[`${hooksPath}:${name}:${at}:0`];
      return isFields(state) && state.trusted_hash === hashOf(name, group, hook) ? [] : [event];
    }),
  );
}

/** Returns the hash that Codex 0.166 computes: SHA-256 of compact JSON with sorted keys. */
function hashOf(event_name: string, { matcher }: Fields, { command, timeout, type }: Fields): string {
  const hooks = [{ async: false, command, timeout, type }];
  const identity = JSON.stringify({ event_name, hooks, matcher });
  return `sha256:${createHash('sha256').update(identity).digest('hex')}`;
}

/** Writes hooks again if an earlier version installed them or their program has moved (A12). */
function renewHooks(file: HooksFile, own: OwnProgram): Finding[] {
  const { client, path, prefix } = file;
  const { origin, self } = own;
  const texts = new Texts();
  for (const script of scriptsOf({ client, origin, self }))
    if (!isCurrent(script, texts.before(script.path), script.path === prefix?.path))
      texts.set(script.path, script.text, script.mode);
  const line = hookLine({ file, origin, program: ownProgram(own) }, texts);
  texts.set(path, withHookLine(texts.get(path), file, line));
  const changes = texts.changes();
  if (changes.length === 0) return [];
  try {
    writeFiles(changes, copiesFolder(origin));
  } catch {
    const advice = `secateur connect ${client.name} --write`;
    return [broken('Hooks', 'are those of an earlier installation', advice)];
  }
  const isEntryNew = changes.some((change) => change.path === path);
  const advice = isEntryNew ? client.installation.advice : undefined;
  return [note('Hooks', 'renewed: they were those of an earlier installation', advice)];
}

/** Whether a script needs no change: it starts an existing program, or it is missing and optional. */
function isCurrent({ text }: ClientScript, found: string | undefined, isOptional: boolean): boolean {
  if (found === undefined) return isOptional;
  const stored = /^script='(.*)'$/m.exec(found)?.[1] ?? '';
  return withoutPaths(found) === withoutPaths(text) && existsSync(stored);
}

function withoutPaths(script: string): string {
  return script.replace(/^node=.*\nscript=.*$/m, '');
}
