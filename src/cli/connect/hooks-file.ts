import type { Origin } from '../../config/origin.ts';
import type { HookClient, HookGroups } from '../../servers/hooks/client.ts';
import { HOOK_CLIENTS } from '../../servers/hooks/clients.ts';
import type { JsonEdit } from '../../text/json-edit.ts';
import { type Fields, isFields } from '../../text/json-value.ts';
import { blankComments, editSettings } from './json-comments.ts';
import { parsedObject } from './json-members.ts';
import { OWN_COMMAND, prefixPathOf } from './scripts.ts';

const TIMEOUT_S = 10;

type Group = { readonly matcher?: string; readonly hooks: readonly Fields[] };

/** Where a client lists its hooks. */
export interface HooksFile {
  readonly path: string;
  readonly client: HookClient;
  /** The program for every command line (A11), for clients that need it. */
  readonly prefix: ShellPrefix | undefined;
}

interface ShellPrefix {
  readonly variable: string;
  readonly path: string;
}

/** Nothing for a client without hooks that can cut what its tools print. */
export function hooksFileOf(name: string, origin: Origin): HooksFile | undefined {
  const client = HOOK_CLIENTS.find((each) => each.name === name);
  if (client === undefined) return undefined;
  const { file, prefixVariable: variable } = client.installation;
  const path = prefixPathOf({ client, origin });
  const prefix = path === undefined || variable === undefined ? undefined : { variable, path };
  return { client, path: file(origin), prefix };
}

/** The program of another that the settings name for every command line; `undefined` if there is none. */
export function otherPrefix(text: string, { path, prefix }: HooksFile): string | undefined {
  const found = prefix && prefixIn(text, path, prefix);
  return found === undefined || found === prefix?.path ? undefined : found;
}

function prefixIn(text: string, path: string, { variable }: ShellPrefix): string | undefined {
  const { env } = text.trim() === '' ? {} : parsedObject(text, path);
  const value = isFields(env) ? env[variable] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The settings with our program for every command line. */
export function withPrefix(text: string, { path, prefix }: HooksFile): string {
  if (prefix === undefined || prefixIn(text, path, prefix) === prefix.path) return text;
  return withVariable(text, path, { [prefix.variable]: prefix.path });
}

/** The settings with the program that was there before ours, or none. */
export function withoutPrefix(text: string, { path, prefix }: HooksFile, before: string): string {
  if (prefix === undefined || prefixIn(text, path, prefix) !== prefix.path) return text;
  const earlier = prefixIn(before, path, prefix);
  if (earlier !== undefined) return withVariable(text, path, { [prefix.variable]: earlier });
  const { env } = parsedObject(text, path);
  const { [prefix.variable]: _, ...others } = isFields(env) ? env : {};
  const left = editSettings(text, [{ kind: 'replace', path: ['env'], json: shown(others) }]);
  return Object.keys(others).length > 0 ? left : withoutEmptyEnv(left, path);
}

/** Removes `"env": {}` at the top; leaves it if another object has one too. */
function withoutEmptyEnv(text: string, path: string): string {
  const { env: _, ...others } = parsedObject(text, path);
  const without = text.replace(/,\s{0,200}"env"\s?:\s?\{\}|"env"\s?:\s?\{\},?/, '');
  const isSame = JSON.stringify(parsedObject(without, path)) === JSON.stringify(others);
  return isSame ? without : text;
}

function withVariable(text: string, path: string, variables: Readonly<Record<string, string>>): string {
  if (!isFields(parsedObject(text, path).env))
    return editSettings(text, [{ kind: 'member', path: [], key: 'env', json: shown(variables) }]);
  return editSettings(
    text,
    Object.entries(variables).map(
      ([key, value]): JsonEdit => ({ kind: 'member', path: ['env'], key, json: JSON.stringify(value) }),
    ),
  );
}

/** The file with our hooks in it. */
export function withHooks(text: string, { path, client }: HooksFile, command: string): string {
  const { form } = client.installation;
  return form.kind === 'file' ? form.write(command) : withGroups(text, { path, form }, command);
}

/** The file without our hooks, whatever else has changed in it; empty where it was ours alone. */
export function withoutHooks(text: string, file: HooksFile, before: string): string {
  if (file.client.installation.form.kind === 'file') return '';
  return withoutPrefix(withoutGroups(text, file.path), file, before);
}

/** The shell lines of ours in it. */
export function hookCommands(text: string, { client }: HooksFile): string[] {
  const { form } = client.installation;
  if (form.kind === 'groups') return ownCommands(text);
  const command = form.commandIn(text);
  return command === undefined ? [] : [command];
}

interface GroupsFile {
  readonly path: string;
  readonly form: HookGroups;
}

/** Our hooks beside those it has; the same text where they are there already. */
function withGroups(text: string, { path, form }: GroupsFile, command: string): string {
  const groups = hookGroups(command, form);
  if (text.trim() === '') return `${JSON.stringify({ hooks: lists(groups) }, null, 2)}\n`;
  const settings = parsedObject(text, path);
  const present = isFields(settings.hooks) ? settings.hooks : undefined;
  if (present === undefined)
    return editSettings(text, [{ kind: 'member', path: [], key: 'hooks', json: shown(lists(groups)) }]);
  const clean = withoutOwnGroups(present);
  if (clean !== present) return withGroups(replaceHooks(text, clean), { path, form }, command);
  return editSettings(
    text,
    Object.entries(groups).map(([event, group]): JsonEdit => {
      const isList = Array.isArray(present[event]);
      return isList
        ? { kind: 'append', path: ['hooks', event], json: shown(group) }
        : { kind: 'member', path: ['hooks'], key: event, json: shown([group]) };
    }),
  );
}

function withoutGroups(text: string, path: string): string {
  if (text.trim() === '') return text;
  const { hooks } = parsedObject(text, path);
  if (!isFields(hooks)) return text;
  const clean = withoutOwnGroups(hooks);
  return clean === hooks ? text : replaceHooks(text, clean);
}

function lists(groups: Fields): Fields {
  return Object.fromEntries(Object.entries(groups).map(([event, group]) => [event, [group]]));
}

function withoutOwnGroups(hooks: Fields): Fields {
  if (!isOwnGroup(hooks)) return hooks;
  const cleaned = Object.entries(hooks).map(([event, groups]): [string, unknown] => [
    event,
    Array.isArray(groups) ? groups.filter((group) => !isOwnGroup(group)) : groups,
  ]);
  return Object.fromEntries(cleaned.filter(([, groups]) => !Array.isArray(groups) || groups.length > 0));
}

function replaceHooks(text: string, hooks: Fields): string {
  return editSettings(text, [{ kind: 'replace', path: ['hooks'], json: shown(hooks) }]);
}

function shown(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}

/** One group an event, in the shape Claude Code and Codex share. */
function hookGroups(
  command: string,
  { matchers, tellsSubagents }: HookGroups,
): Readonly<Record<string, Group>> {
  const hooks = [{ type: 'command', command, timeout: TIMEOUT_S }];
  return {
    SessionStart: { hooks },
    ...(tellsSubagents && { SubagentStart: { hooks } }),
    PreToolUse: { matcher: matchers.PreToolUse, hooks },
    PostToolUse: { matcher: matchers.PostToolUse, hooks },
  };
}

function isOwnGroup(group: unknown): boolean {
  return commandsIn(group).some((command) => OWN_COMMAND.test(command));
}

/** The commands of ours in a client's file of hooks; none in a file that cannot be read. */
function ownCommands(text: string): string[] {
  try {
    return commandsIn(JSON.parse(blankComments(text))).filter((command) => OWN_COMMAND.test(command));
  } catch {
    return [];
  }
}

function commandsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'command' in value && typeof value.command === 'string' ? [value.command] : [];
  return [...own, ...Object.values(value).flatMap(commandsIn)];
}
