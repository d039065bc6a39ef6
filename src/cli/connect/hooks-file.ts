import { editJson, type JsonEdit } from '../../text/json-edit.ts';
import { type Fields, isFields } from '../../text/json-value.ts';
import { type HookMatchers, hookGroups, isOwnGroup } from './hook-entries.ts';
import { parsedObject } from './json-members.ts';

export interface HooksFile {
  readonly path: string;
  readonly matchers: HookMatchers;
}

/** The client's file with our hooks beside those it has; the same text where they are there already. */
export function withHooks(text: string, { path, matchers }: HooksFile, command: string): string {
  const groups = hookGroups(command, matchers);
  if (text.trim() === '') return `${JSON.stringify({ hooks: lists(groups) }, null, 2)}\n`;
  const settings = parsedObject(text, path);
  const present = isFields(settings.hooks) ? settings.hooks : undefined;
  if (present === undefined)
    return editJson(text, [{ kind: 'member', path: [], key: 'hooks', json: shown(lists(groups)) }]);
  const clean = withoutOwnGroups(present);
  if (clean !== present) return withHooks(replaceHooks(text, clean), { path, matchers }, command);
  return editJson(
    text,
    Object.entries(groups).map(([event, group]): JsonEdit => {
      const isList = Array.isArray(present[event]);
      return isList
        ? { kind: 'append', path: ['hooks', event], json: shown(group) }
        : { kind: 'member', path: ['hooks'], key: event, json: shown([group]) };
    }),
  );
}

/** The file without our hooks, whatever else has changed in it. */
export function withoutHooks(text: string, { path }: HooksFile): string {
  if (text.trim() === '') return text;
  const { hooks } = parsedObject(text, path);
  if (!isFields(hooks)) return text;
  const clean = withoutOwnGroups(hooks);
  return clean === hooks ? text : replaceHooks(text, clean);
}

function lists(groups: Readonly<Record<string, unknown>>): Fields {
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
  return editJson(text, [{ kind: 'replace', path: ['hooks'], json: shown(hooks) }]);
}

function shown(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}
