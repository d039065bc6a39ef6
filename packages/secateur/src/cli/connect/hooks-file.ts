import { attempt } from '@secateur/base/runtime/domain-error.ts';
import { isFields } from '@secateur/base/text/json.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import type { HookClient, HookGroups } from '../../servers/hooks/client.ts';
import { HOOK_CLIENTS } from '../../servers/hooks/clients.ts';
import { appendValue, parsedObject, removeValue, setValue, undoValue } from './pending-edits.ts';
import { OWN_COMMAND, prefixPathOf } from './scripts.ts';

const TIMEOUT_S = 10;

/** A file in which a client lists its hooks. */
export interface HooksFile {
  readonly path: string;
  readonly client: HookClient;
  /** Program that the client starts for each command line (A11); `undefined` for clients that need none. */
  readonly prefix: ShellPrefix | undefined;
}

interface ShellPrefix {
  readonly variable: string;
  readonly path: string;
}

/** Returns the settings folder of a client with hooks; empty for a client without hooks. */
export function clientFolder(name: string, origin: LaunchContext): string {
  return HOOK_CLIENTS.find((each) => each.name === name)?.installation.folder(origin) ?? '';
}

/** Returns the client's hooks file; `undefined` for a client whose hooks cannot change outputs of tools. */
export function hooksFileOf(name: string, origin: LaunchContext): HooksFile | undefined {
  const client = HOOK_CLIENTS.find((each) => each.name === name);
  if (client === undefined) return undefined;
  const { file, prefixVariable: variable } = client.installation;
  const path = prefixPathOf({ client, origin });
  const prefix = path === undefined || variable === undefined ? undefined : { variable, path };
  return { client, path: file(origin), prefix };
}

/** Returns the shell prefix in the settings if it belongs to another program. */
export function otherPrefix(text: string, { path, prefix }: HooksFile): string | undefined {
  const found = prefix && prefixIn(text, path, prefix);
  return found === undefined || found === prefix?.path ? undefined : found;
}

function prefixIn(text: string, path: string, { variable }: ShellPrefix): string | undefined {
  const { env } = parsedObject(text, path);
  const value = isFields(env) ? env[variable] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function withShellPrefix(text: string, { path, prefix }: HooksFile): string {
  if (prefix === undefined || prefixIn(text, path, prefix) === prefix.path) return text;
  return setValue(text, ['env', prefix.variable], prefix.path);
}

/** Returns the settings with the shell prefix from before Sécateur's, or without a prefix if there was none. */
export function withoutShellPrefix(text: string, { path, prefix }: HooksFile, before: string): string {
  if (prefix === undefined || prefixIn(text, path, prefix) !== prefix.path) return text;
  return undoValue(text, ['env', prefix.variable], before);
}

export function withHooks(text: string, { path, client }: HooksFile, command: string): string {
  const { form } = client.installation;
  return form.kind === 'file' ? form.write(command) : withGroups(text, { path, form }, command);
}

/** Returns the text without Sécateur's hooks, with all other changes. Empty if it contained nothing else. */
export function withoutHooks(text: string, file: HooksFile, before: string): string {
  if (file.client.installation.form.kind === 'file') return '';
  return withoutShellPrefix(withoutGroups(text, file.path, before), file, before);
}

/** Returns the shell lines of Sécateur's hooks in the file; empty if the file cannot be read. */
export function hookCommands(text: string, { client }: HooksFile): string[] {
  const { form } = client.installation;
  const found = form.kind === 'file' ? form.command.exec(text)?.[1] : undefined;
  if (form.kind === 'file') return found === undefined ? [] : [String(JSON.parse(found))];
  const commands = attempt(() => commandsIn(parsedObject(text, ''))) ?? [];
  return commands.filter((command) => OWN_COMMAND.test(command));
}

function withGroups(text: string, { path, form }: { path: string; form: HookGroups }, command: string) {
  const { matchers, tellsSubagents } = form;
  const hooks = [{ type: 'command', command, timeout: TIMEOUT_S }];
  // Hook groups, one per event, in the format that Claude Code and Codex share.
  const groups = {
    SessionStart: { hooks },
    ...(tellsSubagents && { SubagentStart: { hooks } }),
    PreToolUse: { matcher: matchers.PreToolUse, hooks },
    PostToolUse: { matcher: matchers.PostToolUse, hooks },
  };
  const clean = withoutGroups(text.trim() === '' ? '{}\n' : text, path, text);
  return Object.entries(groups).reduce(
    (each, [event, group]) => appendValue(each, ['hooks', event], group),
    clean,
  );
}

function withoutGroups(text: string, path: string, before: string): string {
  const { hooks } = parsedObject(text, path);
  const own = Object.entries(isFields(hooks) ? hooks : {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group, at) =>
      commandsIn(group).some((command) => OWN_COMMAND.test(command)) ? [{ event, at }] : [],
    ),
  );
  return own.reduceRight((each, { event, at }) => removeValue(each, ['hooks', event, at], before), text);
}

function commandsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'command' in value && typeof value.command === 'string' ? [value.command] : [];
  return [...own, ...Object.values(value).flatMap(commandsIn)];
}
